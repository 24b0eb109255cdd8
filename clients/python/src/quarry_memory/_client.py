"""The clients: one that waits in the calling thread, and one for asyncio."""

from __future__ import annotations

from types import TracebackType
from typing import Any, Mapping, Optional, Type

import httpx

from ._generated import (
    AsyncGraphApi,
    AsyncMemoryApi,
    AsyncSearchApi,
    GraphApi,
    MemoryApi,
    SearchApi,
)
from ._transport import AsyncTransport, CallOptions, Settings, Transport


class Quarry:
    """The client of Quarry: memories of agents, links between documents, and searches.

    `url` and `api_key` are those of the environment variables QUARRY_URL and QUARRY_API_KEY where
    they are not given. `timeout` (30) and `max_retry_wait` (30) are seconds; a request is sent
    again `max_retries` times (3) at most, and only where that is safe. `http_client` is used as it
    is, and closed with the client.
    """

    def __init__(
        self,
        url: Optional[str] = None,
        *,
        api_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        max_retry_wait: Optional[float] = None,
        headers: Optional[Mapping[str, str]] = None,
        http_client: Optional[httpx.Client] = None,
    ) -> None:
        settings = Settings.of(url, api_key, timeout, max_retries, max_retry_wait, headers)
        self._use(Transport(settings, http_client))

    def _use(self, transport: Transport) -> None:
        self._transport = transport
        self.memory = MemoryApi(transport)
        self.graph = GraphApi(transport)
        self.search = SearchApi(transport)

    def request(
        self,
        verb: str,
        path: str,
        *,
        params: Optional[Mapping[str, Any]] = None,
        body: Any = None,
        options: Optional[CallOptions] = None,
    ) -> Any:
        """A request to any route, with the key, the timeout and the retries of the others.

        A body that is text or bytes is sent as lines, any other as JSON.
        """
        return self._transport.request(verb, path, params, body, options)

    def to_async(self) -> AsyncQuarry:
        """A client for asyncio with the same address, key and limits."""
        client = AsyncQuarry.__new__(AsyncQuarry)
        client._use(AsyncTransport(self._transport.settings))
        return client

    def close(self) -> None:
        self._transport.close()

    def __enter__(self) -> Quarry:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()


class AsyncQuarry:
    """Like `Quarry`, with methods that are awaited."""

    def __init__(
        self,
        url: Optional[str] = None,
        *,
        api_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        max_retry_wait: Optional[float] = None,
        headers: Optional[Mapping[str, str]] = None,
        http_client: Optional[httpx.AsyncClient] = None,
    ) -> None:
        settings = Settings.of(url, api_key, timeout, max_retries, max_retry_wait, headers)
        self._use(AsyncTransport(settings, http_client))

    def _use(self, transport: AsyncTransport) -> None:
        self._transport = transport
        self.memory = AsyncMemoryApi(transport)
        self.graph = AsyncGraphApi(transport)
        self.search = AsyncSearchApi(transport)

    async def request(
        self,
        verb: str,
        path: str,
        *,
        params: Optional[Mapping[str, Any]] = None,
        body: Any = None,
        options: Optional[CallOptions] = None,
    ) -> Any:
        """A request to any route; see `Quarry.request`."""
        return await self._transport.request(verb, path, params, body, options)

    def to_sync(self) -> Quarry:
        """A client for threads with the same address, key and limits."""
        client = Quarry.__new__(Quarry)
        client._use(Transport(self._transport.settings))
        return client

    async def close(self) -> None:
        await self._transport.close()

    async def __aenter__(self) -> AsyncQuarry:
        return self

    async def __aexit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        await self.close()
