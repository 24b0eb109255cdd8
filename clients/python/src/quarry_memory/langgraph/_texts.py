"""The text of an item, by which questions find it: what stands at the paths of its value."""

from __future__ import annotations

import re
from typing import Any, Iterator, List, Mapping, Sequence, Union

_STEP = re.compile(r"\[(\*|-?\d+)\]|([^.\[\]]+)", re.ASCII)
_ALL = object()


def text_of(value: Mapping[str, Any], paths: Sequence[str]) -> str:
    """`paths`: `$` for all of the value, else names and places: `a.b`, `a[-1].b`, `a[*]`."""
    found = (one for path in paths for one in _at(value, _steps_of(path)))
    texts = (text for one in found for text in _leaves(one))
    return "\n".join(text for text in texts if text.strip() != "")


def _steps_of(path: str) -> List[Union[str, int, object]]:
    if path == "$":
        return []
    steps: List[Union[str, int, object]] = []
    for place, name in _STEP.findall(path):
        if place == "":
            steps.append(name)
        else:
            steps.append(_ALL if place == "*" else int(place))
    return steps


def _at(value: Any, steps: Sequence[Union[str, int, object]]) -> Iterator[Any]:
    if not steps:
        yield value
        return
    step, rest = steps[0], steps[1:]
    if step is _ALL:
        for one in _inner(value):
            yield from _at(one, rest)
    elif isinstance(step, int):
        if isinstance(value, (list, tuple)) and -len(value) <= step < len(value):
            yield from _at(value[step], rest)
    elif isinstance(value, Mapping) and step in value:
        yield from _at(value[step], rest)


def _inner(value: Any) -> Iterator[Any]:
    if isinstance(value, Mapping):
        yield from value.values()
    elif isinstance(value, (list, tuple)):
        yield from value


def _leaves(value: Any) -> Iterator[str]:
    """The strings and numbers in a value, at every depth."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield str(value)
    else:
        for one in _inner(value):
            yield from _leaves(one)
