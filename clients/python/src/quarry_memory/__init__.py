"""The client of Quarry: memories of agents, links between documents, and searches."""

from . import errors
from ._client import AsyncQuarry, Quarry
from ._transport import OMIT, CallOptions
from .errors import QuarryError

__all__ = ["OMIT", "AsyncQuarry", "CallOptions", "Quarry", "QuarryError", "errors"]
