"""Sends requests: addresses, bodies, the key, timeouts, and which requests are sent again when.

What is decided is decided by functions without input and output; the two transports differ only in
how they wait.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import time
from dataclasses import dataclass
from typing import (
    Any,
    AsyncIterator,
    Dict,
    Iterable,
    Iterator,
    List,
    Mapping,
    Optional,
    Sequence,
    Tuple,
    Union,
)
from urllib.parse import quote

import httpx

from . import _behaviour as behaviour
from .errors import ConnectionError, QuarryError, TimeoutError, error_of

Lines = Union[str, bytes, Iterable[Union[str, Mapping[str, Any]]]]
"""Lines of NDJSON as text or bytes, or what is to be printed as lines."""

DEFAULT_URL = "http://127.0.0.1:9200"
JSON_TYPE = "application/json"
LINES_TYPE = "application/x-ndjson"


class Omit:
    """The type of OMIT: the member is not sent, where None is a value of its own."""

    def __repr__(self) -> str:
        return "OMIT"


OMIT = Omit()


@dataclass(frozen=True)
class CallOptions:
    """Of one call, in place of the client's."""

    timeout: Optional[float] = None
    """Seconds of one attempt."""
    max_retries: Optional[int] = None


@dataclass(frozen=True)
class Operation:
    """An operation of the API."""

    verb: str
    path: str
    """With `{name}` for each argument."""
    query: Sequence[str]
    """Members of the input that go into the query string; the others are the body."""
    json: Sequence[str]
    """Those of them that are sent as JSON."""
    body: str
    """`json`, `lines` or `none`."""
    repeat: str
    """When the request may be repeated though the first one perhaps took effect: `always`,
    `never`, or `with:MEMBER`, where the input has that member."""
    missing: bool
    """404 without an error is an answer."""
    nullable: Sequence[str]
    """Members for which None is a value."""


@dataclass(frozen=True)
class Request:
    """A request without its origin."""

    verb: str
    address: str
    """With the query string."""
    content: Optional[bytes]
    content_type: str
    repeatable: bool
    """Whether it may be sent twice."""


@dataclass(frozen=True)
class Settings:
    """Of a client."""

    url: str
    headers: Mapping[str, str]
    timeout: float
    max_retries: int
    max_retry_wait: float

    @staticmethod
    def of(
        url: Optional[str],
        api_key: Optional[str],
        timeout: Optional[float],
        max_retries: Optional[int],
        max_retry_wait: Optional[float],
        headers: Optional[Mapping[str, str]],
    ) -> Settings:
        address = url or os.environ.get("QUARRY_URL") or DEFAULT_URL
        if re.match(r"https?://[^/\s]", address) is None:
            raise ValueError(f"[url] must look like {DEFAULT_URL}, not [{address}]")
        key = api_key or os.environ.get("QUARRY_API_KEY")
        return Settings(
            url=address.rstrip("/"),
            headers={
                **({} if key is None else {"authorization": f"ApiKey {key}"}),
                **(headers or {}),
            },
            timeout=behaviour.TIMEOUT_MS / 1000 if timeout is None else timeout,
            max_retries=behaviour.MAX_RETRIES if max_retries is None else max_retries,
            max_retry_wait=(
                behaviour.MAX_RETRY_WAIT_MS / 1000 if max_retry_wait is None else max_retry_wait
            ),
        )


def request_of(
    operation: Operation,
    values: Sequence[str],
    given: Mapping[str, Any],
    params: Optional[Mapping[str, Any]] = None,
) -> Request:
    """The request of an operation."""
    rest = iter(values)
    address = re.sub(r"\{\w+\}", lambda _: quote(_segment(next(rest)), safe=""), operation.path)
    members = {
        name: value
        for name, value in given.items()
        if value is not OMIT and (value is not None or name in operation.nullable)
    }
    in_query: List[Tuple[str, Any]] = [
        (name, _json(value) if name in operation.json else value)
        for name, value in members.items()
        if name in operation.query
    ]
    in_body = {name: value for name, value in members.items() if name not in operation.query}
    has_body = operation.body == "json" and operation.verb != "GET"
    repeat = operation.repeat
    return Request(
        verb=operation.verb,
        address=address + _query([*in_query, *(params or {}).items()]),
        content=_json(in_body).encode() if has_body else None,
        content_type=JSON_TYPE,
        repeatable=repeat == "always"
        or (repeat.startswith("with:") and members.get(repeat[5:]) is not None),
    )


def any_request(
    verb: str, path: str, params: Optional[Mapping[str, Any]], body: Any
) -> Request:
    """A request to any route; what may be repeated follows from the method."""
    is_text = isinstance(body, (str, bytes))
    method = verb.upper()
    return Request(
        verb=method,
        address=path + _query(list((params or {}).items())),
        content=None if body is None else (lines_of(body) if is_text else _json(body).encode()),
        content_type=LINES_TYPE if is_text else JSON_TYPE,
        repeatable=method in ("GET", "HEAD", "PUT", "DELETE"),
    )


def lines_of(lines: Lines) -> bytes:
    if isinstance(lines, bytes):
        return lines
    if isinstance(lines, str):
        return lines.encode()
    texts = (line if isinstance(line, str) else _json(line) for line in lines)
    return "".join(f"{text}\n" for text in texts).encode()


def retry_wait(failure: QuarryError, attempt: int, repeatable: bool) -> Optional[float]:
    """Seconds to wait before the request is sent again; None: it is not."""
    if failure.quota is not None and failure.quota != behaviour.LASTING_QUOTA:
        return None
    refused = (
        failure.status in behaviour.REFUSED_STATUSES
        or failure.type in behaviour.REFUSED_TYPES
        or (isinstance(failure, ConnectionError) and failure.refused)
    )
    lost = failure.status == 0 or failure.status in behaviour.REPEAT_STATUSES
    if not refused and not (repeatable and lost):
        return None
    if failure.retry_after is not None:
        return failure.retry_after
    # From half of the pause on, so that clients that were refused together come back apart.
    return float(behaviour.BACKOFF_MS / 1000 * 2**attempt * (0.5 + random.random() / 2))


def answer_of(status: int, text: str, content_type: str) -> Any:
    if text == "":
        return {"status": status}
    return json.loads(text) if "json" in content_type else text


def next_page(given: Mapping[str, Any], answer: Mapping[str, Any]) -> Optional[Dict[str, Any]]:
    """The input of the page behind `answer`; None: it was the last one."""
    after = answer.get("next")
    return None if after is None else {**given, "after": after}


def first_page(given: Mapping[str, Any]) -> Dict[str, Any]:
    size = given.get("size")
    return {**given, "size": behaviour.PAGE_SIZE if size is None else size}


class _Exchange:
    """One request with its attempts: what to do after each."""

    def __init__(
        self, settings: Settings, request: Request, missing: bool, options: Optional[CallOptions]
    ) -> None:
        given = options or CallOptions()
        self.settings = settings
        self.request = request
        self.missing = missing
        self.timeout = settings.timeout if given.timeout is None else given.timeout
        most = settings.max_retries if given.max_retries is None else given.max_retries
        self._left = most
        self._attempt = 0

    def arguments(self) -> Dict[str, Any]:
        headers = dict(self.settings.headers)
        if self.request.content is not None:
            headers["content-type"] = self.request.content_type
        return {
            "method": self.request.verb,
            "url": self.settings.url + self.request.address,
            "content": self.request.content,
            "headers": headers,
            "timeout": self.timeout,
        }

    def is_answer(self, response: httpx.Response, text: str) -> bool:
        if response.status_code < 400:
            return True
        return self.missing and response.status_code == 404 and '"error"' not in text

    def failure(self, error: Exception) -> QuarryError:
        if isinstance(error, httpx.TimeoutException):
            return TimeoutError(f"no answer within {self.timeout} s")
        refused = isinstance(error, httpx.ConnectError)
        return ConnectionError(f"no answer from {self.settings.url}: {error}", refused=refused)

    def wait(self, failure: QuarryError) -> float:
        """Seconds before the next attempt; raises the failure where there is none."""
        pause = retry_wait(failure, self._attempt, self.request.repeatable)
        if self._left == 0 or pause is None or pause > self.settings.max_retry_wait:
            raise failure
        self._left -= 1
        self._attempt += 1
        return pause


def _error(response: httpx.Response, text: str) -> QuarryError:
    return error_of(response.status_code, text, response.headers.get("retry-after"))


class Transport:
    """Waits in the calling thread."""

    def __init__(self, settings: Settings, client: Optional[httpx.Client] = None) -> None:
        self.settings = settings
        self._client = client or httpx.Client()

    def close(self) -> None:
        self._client.close()

    def json(
        self,
        operation: Operation,
        values: Sequence[str],
        given: Mapping[str, Any],
        options: Optional[CallOptions] = None,
        params: Optional[Mapping[str, Any]] = None,
    ) -> Any:
        request = request_of(operation, values, given, params)
        return self._send(request, operation.missing, options)

    def send_lines(
        self,
        operation: Operation,
        values: Sequence[str],
        lines: Lines,
        options: Optional[CallOptions] = None,
        params: Optional[Mapping[str, Any]] = None,
    ) -> Any:
        request = request_of(operation, values, {}, params)
        return self._send(_with_lines(request, lines), operation.missing, options)

    def read_lines(
        self, operation: Operation, values: Sequence[str], options: Optional[CallOptions] = None
    ) -> Iterator[str]:
        request = request_of(operation, values, {})
        exchange = _Exchange(self.settings, request, False, options)
        while True:
            try:
                with self._client.stream(**exchange.arguments()) as response:
                    if response.status_code < 400:
                        yield from response.iter_lines()
                        return
                    failure: QuarryError = _error(response, response.read().decode())
            except httpx.ConnectError as error:
                failure = exchange.failure(error)
            except httpx.TransportError as error:
                raise exchange.failure(error) from error
            time.sleep(exchange.wait(failure))

    def items(
        self,
        operation: Operation,
        values: Sequence[str],
        member: str,
        given: Mapping[str, Any],
        options: Optional[CallOptions] = None,
    ) -> Iterator[Any]:
        page: Optional[Dict[str, Any]] = first_page(given)
        while page is not None:
            answer = self.json(operation, values, page, options)
            yield from answer[member]
            page = next_page(page, answer)

    def request(
        self,
        verb: str,
        path: str,
        params: Optional[Mapping[str, Any]],
        body: Any,
        options: Optional[CallOptions],
    ) -> Any:
        return self._send(any_request(verb, path, params, body), True, options)

    def _send(self, request: Request, missing: bool, options: Optional[CallOptions]) -> Any:
        exchange = _Exchange(self.settings, request, missing, options)
        while True:
            try:
                response = self._client.request(**exchange.arguments())
            except httpx.TransportError as error:
                failure = exchange.failure(error)
            else:
                if exchange.is_answer(response, response.text):
                    content_type = response.headers.get("content-type", "")
                    return answer_of(response.status_code, response.text, content_type)
                failure = _error(response, response.text)
            time.sleep(exchange.wait(failure))


class AsyncTransport:
    """Waits in the event loop of asyncio."""

    def __init__(self, settings: Settings, client: Optional[httpx.AsyncClient] = None) -> None:
        self.settings = settings
        self._client = client or httpx.AsyncClient()

    async def close(self) -> None:
        await self._client.aclose()

    async def json(
        self,
        operation: Operation,
        values: Sequence[str],
        given: Mapping[str, Any],
        options: Optional[CallOptions] = None,
        params: Optional[Mapping[str, Any]] = None,
    ) -> Any:
        request = request_of(operation, values, given, params)
        return await self._send(request, operation.missing, options)

    async def send_lines(
        self,
        operation: Operation,
        values: Sequence[str],
        lines: Lines,
        options: Optional[CallOptions] = None,
        params: Optional[Mapping[str, Any]] = None,
    ) -> Any:
        request = request_of(operation, values, {}, params)
        return await self._send(_with_lines(request, lines), operation.missing, options)

    async def read_lines(
        self, operation: Operation, values: Sequence[str], options: Optional[CallOptions] = None
    ) -> AsyncIterator[str]:
        request = request_of(operation, values, {})
        exchange = _Exchange(self.settings, request, False, options)
        while True:
            try:
                async with self._client.stream(**exchange.arguments()) as response:
                    if response.status_code < 400:
                        async for line in response.aiter_lines():
                            yield line
                        return
                    text = (await response.aread()).decode()
                    failure: QuarryError = _error(response, text)
            except httpx.ConnectError as error:
                failure = exchange.failure(error)
            except httpx.TransportError as error:
                raise exchange.failure(error) from error
            await asyncio.sleep(exchange.wait(failure))

    async def items(
        self,
        operation: Operation,
        values: Sequence[str],
        member: str,
        given: Mapping[str, Any],
        options: Optional[CallOptions] = None,
    ) -> AsyncIterator[Any]:
        page: Optional[Dict[str, Any]] = first_page(given)
        while page is not None:
            answer = await self.json(operation, values, page, options)
            for item in answer[member]:
                yield item
            page = next_page(page, answer)

    async def request(
        self,
        verb: str,
        path: str,
        params: Optional[Mapping[str, Any]],
        body: Any,
        options: Optional[CallOptions],
    ) -> Any:
        return await self._send(any_request(verb, path, params, body), True, options)

    async def _send(
        self, request: Request, missing: bool, options: Optional[CallOptions]
    ) -> Any:
        exchange = _Exchange(self.settings, request, missing, options)
        while True:
            try:
                response = await self._client.request(**exchange.arguments())
            except httpx.TransportError as error:
                failure = exchange.failure(error)
            else:
                if exchange.is_answer(response, response.text):
                    content_type = response.headers.get("content-type", "")
                    return answer_of(response.status_code, response.text, content_type)
                failure = _error(response, response.text)
            await asyncio.sleep(exchange.wait(failure))


def _with_lines(request: Request, lines: Lines) -> Request:
    return Request(
        verb=request.verb,
        address=request.address,
        content=lines_of(lines),
        content_type=LINES_TYPE,
        repeatable=request.repeatable,
    )


def _segment(value: str) -> str:
    """An empty part would name another address."""
    if isinstance(value, str) and value != "":
        return value
    raise ValueError("a part of the address is empty: give the name or the id")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _query(params: Sequence[Tuple[str, Any]]) -> str:
    given = [(name, _text(value)) for name, value in params if value is not None]
    if not given:
        return ""
    return "?" + "&".join(f"{quote(name, safe='')}={quote(text, safe='')}" for name, text in given)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(_text(one) for one in value)
    return str(value)
