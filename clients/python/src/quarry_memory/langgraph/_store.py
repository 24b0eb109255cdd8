"""A store of LangGraph (`BaseStore`) on memories of Quarry.

A namespace of LangGraph is a namespace of Quarry (_names.py), an item a memory: its text is what
questions find (_texts.py), its metadata has the value as JSON and what filters need (_filters.py).

What is requested is decided by generators that yield calls of the client and are sent the answers;
`batch` and `abatch` differ only in how they make the calls.
"""

from __future__ import annotations

import json
import re
import time
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import (
    Any,
    Dict,
    Generator,
    Iterable,
    List,
    Mapping,
    Optional,
    Sequence,
    Tuple,
    TypedDict,
    TypeVar,
)

try:
    from langgraph.store.base import (
        BaseStore,
        GetOp,
        InvalidNamespaceError,
        Item,
        ListNamespacesOp,
        MatchCondition,
        Op,
        PutOp,
        Result,
        SearchItem,
        SearchOp,
        TTLConfig,
    )
except ImportError as error:  # pragma: no cover
    hint = "the store needs LangGraph: pip install 'quarry-memory[langgraph]'"
    raise ImportError(hint) from error

from .._client import AsyncQuarry, Quarry
from ..errors import QuarryError
from ._filters import clause_of, matches, scalars_of
from ._names import key_of, labels_of, memory_id, namespace_name
from ._texts import text_of

# The longest page of a list, and the most that one recall brings.
_PAGE = 1000
_MAX_FOUND = 10_000
# Namespaces of one recall.
_MAX_NAMESPACES = 100
_MINUTE_MS = 60_000
# The share of its time that may have passed before reading an item writes its new end.
_REFRESH_SHARE = 0.05

# Scores of words and meaning together are relative to the best of a namespace, so that those of
# several do not compare; those by meaning do.
_ONE_NAMESPACE: Mapping[str, Any] = {"hybrid": True, "context": False}
_SEVERAL: Mapping[str, Any] = {"semantic": True}

_T = TypeVar("_T")


class IndexFields(TypedDict, total=False):
    """What of a value questions find."""

    fields: List[str]


@dataclass(frozen=True)
class _Call:
    """A call of a method of the memory API."""

    method: str
    arguments: Tuple[Any, ...]
    options: Mapping[str, Any]


_Steps = Generator[_Call, Any, _T]


def _call(method: str, *arguments: Any, **options: Any) -> _Steps[Any]:
    return (yield _Call(method, arguments, options))


class QuarryStore(BaseStore):
    """A store of LangGraph.

    `client` and `async_client` serve `batch` and `abatch`; the one that is not given is made from
    the other, and both from the environment where none is given. `prefix` is the first part of the
    names of its namespaces. `index` names the paths of a value that questions find, all of it
    unless given. `ttl` is the configuration of LangGraph.
    """

    supports_ttl = True

    def __init__(
        self,
        client: Optional[Quarry] = None,
        async_client: Optional[AsyncQuarry] = None,
        *,
        prefix: str = "lg",
        index: Optional[IndexFields] = None,
        ttl: Optional[TTLConfig] = None,
    ) -> None:
        if re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", prefix) is None:
            raise ValueError(f"[prefix] must be a-z and 0-9, dashes between them, not [{prefix}]")
        self._client = client
        self._async_client = async_client
        self._prefix = prefix
        self._fields = list((index or {}).get("fields") or ["$"])
        self.ttl_config = ttl

    def batch(self, ops: Iterable[Op]) -> List[Result]:
        """Reads see what was there before; of several puts of one key the last one counts."""
        if self._client is None:
            self._client = Quarry() if self._async_client is None else self._async_client.to_sync()
        steps = self._run(list(ops))
        answer: Any = None
        while True:
            try:
                call = steps.send(answer)
            except StopIteration as end:
                return list(end.value)
            answer = getattr(self._client.memory, call.method)(*call.arguments, **call.options)

    async def abatch(self, ops: Iterable[Op]) -> List[Result]:
        """Like `batch`."""
        if self._async_client is None:
            self._async_client = AsyncQuarry() if self._client is None else self._client.to_async()
        steps = self._run(list(ops))
        answer: Any = None
        while True:
            try:
                call = steps.send(answer)
            except StopIteration as end:
                return list(end.value)
            method = getattr(self._async_client.memory, call.method)
            answer = await method(*call.arguments, **call.options)

    def _run(self, ops: Sequence[Op]) -> _Steps[List[Result]]:
        results: List[Result] = [None] * len(ops)
        gets: List[Tuple[int, GetOp]] = []
        puts: Dict[Tuple[Tuple[str, ...], str], PutOp] = {}
        for at, op in enumerate(ops):
            if isinstance(op, GetOp):
                gets.append((at, op))
            elif isinstance(op, SearchOp):
                results[at] = yield from self._search(op)
            elif isinstance(op, ListNamespacesOp):
                results[at] = yield from self._list_namespaces(op)
            elif isinstance(op, PutOp):
                puts[(tuple(op.namespace), op.key)] = op
            else:
                raise ValueError(f"unknown operation {op!r}")
        yield from self._get_all(gets, results)
        yield from self._put_all(list(puts.values()))
        return results

    def _get_all(self, gets: Sequence[Tuple[int, GetOp]], results: List[Result]) -> _Steps[None]:
        by_name: Dict[str, List[Tuple[int, GetOp]]] = {}
        for at, op in gets:
            by_name.setdefault(self._name_of(op.namespace), []).append((at, op))
        for name, some in by_name.items():
            entries = yield from self._entries(name, [memory_id(op.key) for _, op in some])
            for at, op in some:
                entry = entries.get(memory_id(op.key))
                if entry is not None:
                    results[at] = _item_of(tuple(op.namespace), entry)
                    if op.refresh_ttl:
                        yield from self._refresh(name, entry)

    def _entries(self, name: str, ids: Sequence[str]) -> _Steps[Dict[str, Any]]:
        found: Dict[str, Any] = {}
        distinct = list(dict.fromkeys(ids))
        for at in range(0, len(distinct), _PAGE):
            values = distinct[at : at + _PAGE]
            clause = {"ids": {"values": values}}
            answer = yield from _call("list", name, filter=clause, size=len(values))
            found.update((entry["id"], entry) for entry in answer["entries"])
        return found

    def _refresh(self, name: str, entry: Mapping[str, Any]) -> _Steps[None]:
        """Begins the time of an item again."""
        metadata = _stored_of(entry) or {}
        ttl_ms = metadata.get("ttl_ms")
        if ttl_ms is None:
            return
        expires_at = round(_now_ms() + ttl_ms)
        if expires_at - metadata.get("expires_at", 0) < _REFRESH_SHARE * ttl_ms:
            return
        yield from _call(
            "edit", name, entry["id"], expires_at=expires_at, metadata={"expires_at": expires_at}
        )

    def _put_all(self, puts: Sequence[PutOp]) -> _Steps[None]:
        by_name: Dict[str, List[PutOp]] = {}
        for op in puts:
            by_name.setdefault(self._name_of(op.namespace), []).append(op)
        for name, some in by_name.items():
            kept = [op for op in some if op.value is not None]
            if kept:
                yield from self._store(name, kept)
            for op in some:
                if op.value is None:
                    yield from _call("forget", name, memory_id(op.key))

    def _store(self, name: str, puts: Sequence[PutOp]) -> _Steps[None]:
        before = yield from self._entries(name, [memory_id(op.key) for op in puts])
        now = _now_ms()
        bodies = [self._body_of(op, before.get(memory_id(op.key)), now) for op in puts]
        if len(bodies) == 1:
            yield from _call("store", name, **bodies[0])
            return
        answer = yield from _call("bulk", name, bodies)
        for item in answer["items"]:
            cause = item.get("error")
            if cause is not None:
                raise QuarryError(cause["reason"], status=item["status"], type=cause["type"])

    def _body_of(self, op: PutOp, before: Optional[Mapping[str, Any]], now: int) -> Dict[str, Any]:
        value = op.value or {}
        stored = (_stored_of(before) if before is not None else None) or {}
        text = "" if op.index is False else text_of(value, op.index or self._fields)
        metadata: Dict[str, Any] = {
            "value": json.dumps(value, ensure_ascii=False),
            "created_at": stored.get("created_at", now),
            "updated_at": now,
            **scalars_of(value),
        }
        body: Dict[str, Any] = {"id": memory_id(op.key), "metadata": metadata}
        # A memory needs a text or a vector; without a text no question finds it.
        body.update({"vector": [1]} if text == "" else {"text": text})
        if op.ttl is not None:
            ttl_ms = op.ttl * _MINUTE_MS
            expires_at = round(now + ttl_ms)
            metadata.update({"ttl_ms": ttl_ms, "expires_at": expires_at})
            body["expires_at"] = expires_at
        return body

    def _search(self, op: SearchOp) -> _Steps[List[SearchItem]]:
        condition = MatchCondition("prefix", tuple(op.namespace_prefix))
        names = yield from self._namespaces([condition])
        wanted = op.offset + op.limit
        if wanted > _MAX_FOUND:
            raise ValueError(f"[offset] and [limit] are {wanted} together, at most {_MAX_FOUND}")
        if op.limit <= 0 or not names:
            return []
        found: List[Tuple[Mapping[str, Any], SearchItem]] = []
        mode = _ONE_NAMESPACE if len(names) == 1 else _SEVERAL
        for at in range(0, len(names), _MAX_NAMESPACES):
            found += yield from self._recall(names[at : at + _MAX_NAMESPACES], op, wanted, mode)
        if len(names) > _MAX_NAMESPACES:
            found.sort(key=_rank)
        page = found[op.offset : wanted]
        if op.refresh_ttl:
            for hit, _ in page:
                yield from self._refresh(hit["namespace"], hit)
        return [item for _, item in page]

    def _recall(
        self, names: Sequence[str], op: SearchOp, wanted: int, mode: Mapping[str, Any]
    ) -> _Steps[List[Tuple[Mapping[str, Any], SearchItem]]]:
        """At least `wanted` items of the namespaces that match, if there are as many."""
        question: Dict[str, Any] = {}
        if op.query is not None and op.query.strip() != "":
            question = {"query": op.query, **mode}
        k = wanted
        while True:
            answer = yield from _call(
                "recall_many", namespaces=names, k=k, filter=clause_of(op.filter), **question
            )
            found = [
                (hit, item)
                for hit in answer["hits"]
                for item in [self._search_item_of(hit)]
                if item is not None and matches(item.value, op.filter)
            ]
            if len(found) >= wanted or k == _MAX_FOUND or answer["not_shown"].get("k", 0) == 0:
                return found
            k = min(4 * k, _MAX_FOUND)

    def _search_item_of(self, hit: Mapping[str, Any]) -> Optional[SearchItem]:
        labels = labels_of(self._prefix, hit["namespace"])
        item = None if labels is None else _item_of(labels, hit)
        if item is None:
            return None
        return SearchItem(
            namespace=item.namespace,
            key=item.key,
            value=item.value,
            created_at=item.created_at,
            updated_at=item.updated_at,
            score=hit["score"],
        )

    def _list_namespaces(self, op: ListNamespacesOp) -> _Steps[List[Tuple[str, ...]]]:
        names = yield from self._namespaces(op.match_conditions or ())
        labels = (labels_of(self._prefix, name) or () for name in names)
        distinct = sorted({one[: op.max_depth] for one in labels})
        return distinct[op.offset : op.offset + op.limit]

    def _namespaces(self, conditions: Sequence[MatchCondition]) -> _Steps[List[str]]:
        """Names of the namespaces with items that fulfil all conditions."""
        names: List[str] = []
        prefix = self._fixed_prefix(conditions)
        after: Optional[str] = None
        while True:
            page = yield from _call("namespaces", prefix=prefix, size=_PAGE, after=after)
            for one in page["namespaces"]:
                labels = labels_of(self._prefix, one["namespace"])
                if labels is None or one["memories"] == 0:
                    continue
                if all(_fits(labels, condition) for condition in conditions):
                    names.append(one["namespace"])
            after = page.get("next")
            if after is None:
                return names

    def _fixed_prefix(self, conditions: Sequence[MatchCondition]) -> str:
        """What all names begin with: the labels of a prefix up to its first wildcard."""
        for condition in conditions:
            if condition.match_type == "prefix":
                path = list(condition.path)
                fixed = path[: path.index("*")] if "*" in path else path
                return namespace_name(self._prefix, fixed) if fixed else f"{self._prefix}."
        return f"{self._prefix}."

    def _name_of(self, namespace: Sequence[str]) -> str:
        if not namespace:
            raise InvalidNamespaceError("the namespace of an item must not be empty")
        return namespace_name(self._prefix, namespace)


def _now_ms() -> int:
    return round(time.time() * 1000)


def _stored_of(entry: Mapping[str, Any]) -> Optional[Mapping[str, Any]]:
    """None: another client stored this memory."""
    metadata = entry.get("metadata")
    if isinstance(metadata, dict) and isinstance(metadata.get("value"), str):
        return metadata
    return None


def _item_of(namespace: Tuple[str, ...], entry: Mapping[str, Any]) -> Optional[Item]:
    stored = _stored_of(entry)
    if stored is None:
        return None
    return Item(
        value=json.loads(stored["value"]),
        key=key_of(entry["id"]),
        namespace=namespace,
        created_at=_moment(stored["created_at"]),
        updated_at=_moment(stored["updated_at"]),
    )


def _moment(ms: float) -> datetime:
    return datetime.fromtimestamp(ms / 1000, timezone.utc)


def _rank(found: Tuple[Mapping[str, Any], SearchItem]) -> Tuple[float, float]:
    """The best first; without scores the latest."""
    _, item = found
    return (-(item.score or 0.0), -item.updated_at.timestamp())


def _fits(labels: Sequence[str], condition: MatchCondition) -> bool:
    path = condition.path
    if len(path) > len(labels):
        return False
    start = 0 if condition.match_type == "prefix" else len(labels) - len(path)
    return all(one in ("*", label) for one, label in zip(path, labels[start:]))
