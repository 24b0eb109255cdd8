"""Namespaces and keys of LangGraph as names of namespaces and ids of memories, and back.

    name    prefix *( "." label ), at most 200 characters of [a-z0-9_.-]
    label   a-z 0-9 and - stand for themselves, "__" is _, "_" and two hex digits is a byte of
            UTF-8; "_z" is the empty label. The dash of a label that ends in "-edges" is "_2d",
            because the service keeps such names for links.
    id      the key itself, or "~" and the base64url of its UTF-8 where the key begins with "_" or
            "~", is empty, "." or "..", or has a NUL.

The client for TypeScript has the same rules; clients/cases/langgraph.json holds both to them.
"""

from __future__ import annotations

import base64
import re
from typing import Optional, Sequence, Tuple

_MAX_NAME = 200
_EMPTY = "_z"
_TOKEN = re.compile(r"_(_|[0-9a-f]{2})|[a-z0-9-]", re.ASCII)


def namespace_name(prefix: str, labels: Sequence[str]) -> str:
    name = ".".join([prefix, *(_encoded(label) for label in labels)])
    if len(name) <= _MAX_NAME:
        return name
    raise ValueError(
        f"namespace {tuple(labels)} takes {len(name)} characters as a name, at most {_MAX_NAME} "
        "are allowed; use shorter labels"
    )


def labels_of(prefix: str, name: str) -> Optional[Tuple[str, ...]]:
    """None: no store with this prefix made the name."""
    first, *rest = name.split(".")
    if first != prefix or not rest:
        return None
    labels = []
    for text in rest:
        label = _decoded(text)
        if label is None:
            return None
        labels.append(label)
    return tuple(labels) if namespace_name(prefix, labels) == name else None


def _encoded(label: str) -> str:
    if label == "":
        return _EMPTY
    _bytes(label, "namespace label")
    text = re.sub(r"[^a-z0-9-]", _escape, label)
    return re.sub(r"-edges\Z", "_2dedges", text)


def _escape(found: re.Match[str]) -> str:
    char = found.group()
    return "__" if char == "_" else "".join(f"_{byte:02x}" for byte in char.encode())


def _decoded(text: str) -> Optional[str]:
    if text == _EMPTY:
        return ""
    decoded = bytearray()
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            return None
        code = found.group(1)
        if code is None:
            decoded += found.group().encode()
        else:
            decoded.append(0x5F if code == "_" else int(code, 16))
        at = found.end()
    try:
        return decoded.decode() if decoded else None
    except UnicodeDecodeError:
        return None


def memory_id(key: str) -> str:
    text = _bytes(key, "key")
    is_plain = not key.startswith(("_", "~")) and key not in ("", ".", "..") and "\0" not in key
    return key if is_plain else "~" + base64.urlsafe_b64encode(text).decode().rstrip("=")


def key_of(identifier: str) -> str:
    if not identifier.startswith("~"):
        return identifier
    text = identifier[1:]
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode()


def _bytes(text: str, what: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{what} {text!r} has half of a surrogate pair") from None
