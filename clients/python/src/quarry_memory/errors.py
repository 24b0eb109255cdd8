"""What goes wrong, as classes: by the status of the answer, or that there was none."""

from __future__ import annotations

import json
import re
from typing import Any, Dict, Mapping, Optional, Type

from ._behaviour import FIELD_PATTERN

__all__ = [
    "AuthenticationError",
    "BadRequestError",
    "ConflictError",
    "ConnectionError",
    "NotFoundError",
    "PermissionError",
    "QuarryError",
    "RateLimitError",
    "ServerError",
    "TimeoutError",
    "TooLargeError",
]


class QuarryError(Exception):
    """An answer that is an error, or no answer."""

    def __init__(
        self,
        reason: str,
        *,
        status: int = 0,
        type: str = "http_error",
        field: Optional[str] = None,
        retry_after: Optional[float] = None,
        quota: Optional[str] = None,
        body: Any = None,
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.status = status
        """0: there was no answer."""
        self.type = type
        """The type that the service gives, such as `illegal_argument_exception`."""
        self.field = field
        """The member or parameter that the reason is about, where it names one first."""
        self.retry_after = retry_after
        """Seconds after which the service asks to be called again."""
        self.quota = quota
        """The quota that was reached."""
        self.body = body
        """The body of the answer."""


class BadRequestError(QuarryError):
    """The request is wrong."""


class AuthenticationError(QuarryError):
    """The key is missing or unknown."""


class PermissionError(QuarryError):
    """The key may not do that."""


class NotFoundError(QuarryError):
    """What the request names is not there."""


class ConflictError(QuarryError):
    """Another writer was faster."""


class TooLargeError(QuarryError):
    """The body is too long."""


class RateLimitError(QuarryError):
    """A limit or a quota; nothing was done."""


class ServerError(QuarryError):
    """The service or what it depends on does not work now."""


class ConnectionError(QuarryError):
    """No answer came: the service cannot be reached, or closed the connection."""

    def __init__(self, reason: str, *, refused: bool) -> None:
        super().__init__(reason, type="connection_error")
        self.refused = refused
        """The connection was refused, so that the request did not arrive."""


class TimeoutError(QuarryError):
    """No answer came in time."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason, type="timeout_error")


_BY_STATUS: Dict[int, Type[QuarryError]] = {
    400: BadRequestError,
    401: AuthenticationError,
    403: PermissionError,
    404: NotFoundError,
    409: ConflictError,
    413: TooLargeError,
    429: RateLimitError,
}


def error_of(status: int, text: str, retry_after: Optional[str]) -> QuarryError:
    """The error of an answer. `retry_after`: the header."""
    body = _parsed(text)
    cause = _cause_of(body, text, status)
    reason = str(cause.get("reason", f"status {status}"))
    given = cause.get("quota")
    quota = given if isinstance(given, str) else None
    kind = _BY_STATUS.get(status) or (ServerError if status >= 500 else BadRequestError)
    return kind(
        reason,
        status=status,
        type=str(cause.get("type", "http_error")),
        field=field_of(reason) if quota is None else f"quota.{quota}",
        retry_after=_seconds(retry_after),
        quota=quota,
        body=body,
    )


def field_of(reason: str) -> Optional[str]:
    """The field that a reason names first; None: it begins in another way."""
    found = re.search(FIELD_PATTERN, reason)
    return None if found is None else found.group(1)


def _cause_of(body: Any, text: str, status: int) -> Mapping[str, Any]:
    """Where a search failed on every shard, only the root cause says why."""
    error = body.get("error") if isinstance(body, dict) else None
    if not isinstance(error, dict):
        return {"reason": text[:500] or f"status {status}"}
    roots = error.get("root_cause")
    root = roots[0] if isinstance(roots, list) and roots else None
    if isinstance(root, dict) and isinstance(root.get("reason"), str):
        return {**error, **root}
    return error


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _seconds(header: Optional[str]) -> Optional[float]:
    try:
        seconds = float(header) if header is not None else -1.0
    except ValueError:
        return None
    return seconds if seconds >= 0 else None
