"""A store of LangGraph on memories of Quarry; needs the extra `quarry-memory[langgraph]`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._store import QuarryStore

__all__ = ["QuarryStore"]


def __getattr__(name: str) -> Any:
    """Imports LangGraph with the store, not with this package."""
    if name != "QuarryStore":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from ._store import QuarryStore

    return QuarryStore
