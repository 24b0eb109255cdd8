"""Filters of LangGraph.

The service leaves out most of what does not match, and every item that it brings is compared here,
so that the answer is exact: values may be of any shape.

A memory has the scalar members of its value in `metadata.strings`, `metadata.numbers` and
`metadata.flags`, so that a name has one type in each of them, whatever items hold.
"""

from __future__ import annotations

import math
import re
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

_OPERATORS = ("$eq", "$ne", "$gt", "$gte", "$lt", "$lte")
_RANGES = {"$gt": "gt", "$gte": "gte", "$lt": "lt", "$lte": "lte"}
# Names that an index has as they are.
_SIMPLE = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")
# Longer strings are not indexed.
_MAX_CHARS = 1000
# Members of one item that are indexed.
_MAX_MEMBERS = 100


def scalars_of(value: Mapping[str, Any]) -> Dict[str, Dict[str, Any]]:
    """The members of the metadata by which the service filters."""
    found: Dict[str, Dict[str, Any]] = {}
    for name, one in list(value.items())[:_MAX_MEMBERS]:
        kind = _kind_of(one)
        if kind is not None and _SIMPLE.fullmatch(name):
            found.setdefault(kind, {})[name] = one
    return found


def _kind_of(value: Any) -> Optional[str]:
    if isinstance(value, bool):
        return "flags"
    if isinstance(value, str):
        return "strings" if len(value) <= _MAX_CHARS else None
    return "numbers" if _is_number(value) and math.isfinite(value) else None


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def clause_of(given: Optional[Mapping[str, Any]]) -> Optional[Dict[str, Any]]:
    """A clause that every matching item fulfils; None: every item does."""
    clauses = [
        clause
        for name, condition in (given or {}).items()
        if _SIMPLE.fullmatch(name)
        for one in _conditions_of(condition)
        for clause in _clauses_of(name, one)
    ]
    if not clauses:
        return None
    # Metadata with too many names is not indexed at all; it passes, and is compared here.
    passes = {"bool": {"must_not": [{"exists": {"field": "metadata.updated_at"}}]}}
    return {"bool": {"should": [{"bool": {"filter": clauses}}, passes]}}


_Condition = Tuple[str, Any]


def _conditions_of(condition: Any) -> Sequence[_Condition]:
    operators = _operators_of(condition)
    return [("$eq", condition)] if operators is None else operators


def _operators_of(condition: Any) -> Optional[List[_Condition]]:
    """None: the condition is a value."""
    if not isinstance(condition, Mapping) or not any(name.startswith("$") for name in condition):
        return None
    for name in condition:
        if name not in _OPERATORS:
            known = ", ".join(_OPERATORS)
            raise ValueError(f"filter operator [{name}] is unknown, there are {known}")
    return list(condition.items())


def _clauses_of(name: str, condition: _Condition) -> List[Dict[str, Any]]:
    operator, operand = condition
    kind = _kind_of(operand)
    if kind is None:
        return []
    field = f"metadata.{kind}.{name}"
    if operator == "$eq":
        return [{"term": {field: operand}}]
    bound = _RANGES.get(operator)
    return [] if bound is None or kind != "numbers" else [{"range": {field: {bound: operand}}}]


def matches(value: Mapping[str, Any], given: Optional[Mapping[str, Any]]) -> bool:
    return all(_fulfils(value.get(name), condition) for name, condition in (given or {}).items())


def _fulfils(value: Any, condition: Any) -> bool:
    operators = _operators_of(condition)
    if operators is not None:
        return all(_compares(value, operator, operand) for operator, operand in operators)
    if isinstance(condition, (list, tuple)):
        return (
            isinstance(value, (list, tuple))
            and len(value) == len(condition)
            and all(_fulfils(one, other) for one, other in zip(value, condition))
        )
    if isinstance(condition, Mapping):
        return isinstance(value, Mapping) and matches(value, condition)
    return isinstance(value, bool) == isinstance(condition, bool) and bool(value == condition)


def _compares(value: Any, operator: str, operand: Any) -> bool:
    if operator == "$eq":
        return _fulfils(value, operand)
    if operator == "$ne":
        return not _fulfils(value, operand)
    is_ordered = (_is_number(value) and _is_number(operand)) or (
        isinstance(value, str) and isinstance(operand, str)
    )
    if not is_ordered:
        return False
    if value == operand:
        return operator in ("$gte", "$lte")
    return operator.startswith("$gt") if value > operand else operator.startswith("$lt")
