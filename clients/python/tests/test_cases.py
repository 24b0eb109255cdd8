"""The cases that hold both clients to one behaviour (clients/cases), run against this one."""

from __future__ import annotations

import asyncio
import json
import unittest
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union
from unittest import mock

import httpx

import quarry_memory.errors as errors
from quarry_memory import AsyncQuarry, Quarry, QuarryError

CASES = Path(__file__).parents[2] / "cases"
Handler = Callable[[httpx.Request], httpx.Response]


def cases_of(name: str) -> Dict[str, Any]:
    return json.loads((CASES / f"{name}.json").read_text(encoding="utf-8"))


def make(call: Sequence[Any], handler: Handler, **options: Any) -> Any:
    api, name, address, given = call
    http = httpx.Client(transport=httpx.MockTransport(handler))
    with Quarry("http://service", http_client=http, **options) as client:
        return getattr(getattr(client, api), name)(*address, **given)


def make_async(call: Sequence[Any], handler: Handler, **options: Any) -> Any:
    api, name, address, given = call

    async def run() -> Any:
        http = httpx.AsyncClient(transport=httpx.MockTransport(handler))
        async with AsyncQuarry("http://service", http_client=http, **options) as client:
            return await getattr(getattr(client, api), name)(*address, **given)

    return asyncio.run(run())


class Transport(unittest.TestCase):
    cases = cases_of("transport")

    def test_requests(self) -> None:
        for one in self.cases["requests"]:
            for run in (make, make_async):
                with self.subTest(one["about"], run=run.__name__):
                    sent: List[Any] = []

                    def handler(request: httpx.Request) -> httpx.Response:
                        body = json.loads(request.content) if request.content else None
                        sent.append([request.method, request.url.raw_path.decode(), body])
                        return httpx.Response(200, json={})

                    run(one["call"], handler)
                    self.assertEqual(sent, [one["sent"]])

    def test_errors(self) -> None:
        for one in self.cases["errors"]:
            for run in (make, make_async):
                with self.subTest(one["answer"], run=run.__name__):
                    body = one["answer"]
                    text = body if isinstance(body, str) else json.dumps(body)

                    def handler(request: httpx.Request) -> httpx.Response:
                        return httpx.Response(one["status"], text=text, headers=one.get("headers"))

                    with self.assertRaises(getattr(errors, one["kind"])) as raised:
                        run(["memory", "recall", ["ann"], {}], handler, max_retries=0)
                    failure = raised.exception
                    assert isinstance(failure, QuarryError)
                    self.assertEqual(failure.status, one["status"])
                    self.assertEqual(failure.type, one["type"])
                    self.assertEqual(failure.field, one["field"])
                    self.assertEqual(failure.retry_after, one.get("retry_after"))

    def test_retries(self) -> None:
        with mock.patch("time.sleep"), mock.patch("asyncio.sleep", new=_no_sleep):
            for one in self.cases["retries"]:
                for run in (make, make_async):
                    with self.subTest(one["about"], run=run.__name__):
                        self._retry(one, run)

    def _retry(self, one: Dict[str, Any], run: Callable[..., Any]) -> None:
        count = 0

        def handler(request: httpx.Request) -> httpx.Response:
            nonlocal count
            answer = one["answers"][count]
            count += 1
            return _answer(request, *answer)

        failure: Optional[Exception] = None
        try:
            run(one["call"], handler)
        except QuarryError as error:
            failure = error
        self.assertEqual(count, one["requests"])
        if one.get("kind") is None:
            self.assertIsNone(failure)
        else:
            self.assertIsInstance(failure, getattr(errors, one["kind"]))

    def test_key_and_headers(self) -> None:
        seen: List[Tuple[Optional[str], Optional[str]]] = []

        def handler(request: httpx.Request) -> httpx.Response:
            seen.append((request.headers.get("authorization"), request.headers.get("x-opaque-id")))
            return httpx.Response(200, json={})

        call = ["memory", "get", ["ann", "m"], {}]
        make(call, handler, api_key="secret", headers={"x-opaque-id": "app"})
        self.assertEqual(seen, [("ApiKey secret", "app")])

    def test_wrong_arguments(self) -> None:
        with self.assertRaisesRegex(ValueError, "must look like"):
            Quarry("localhost:9200")
        with self.assertRaisesRegex(ValueError, "empty"):
            make(["memory", "get", ["ann", ""], {}], lambda _: httpx.Response(200, json={}))

    def test_pages(self) -> None:
        queries: List[str] = []

        def handler(request: httpx.Request) -> httpx.Response:
            queries.append(request.url.query.decode())
            following = {"next": f"n{len(queries)}"} if len(queries) < 3 else {}
            return httpx.Response(200, json={"entries": [{"id": f"m{len(queries)}"}], **following})

        http = httpx.Client(transport=httpx.MockTransport(handler))
        with Quarry("http://service", http_client=http) as client:
            ids = [one["id"] for one in client.memory.list_all("ann", sort="id")]
        self.assertEqual(ids, ["m1", "m2", "m3"])
        self.assertEqual(
            [query.split("&")[-1] for query in queries], ["size=500", "after=n1", "after=n2"]
        )


async def _no_sleep(seconds: float) -> None:
    del seconds


def _answer(
    request: httpx.Request,
    status: Union[int, str],
    retry_after: Optional[str] = None,
    what: Optional[str] = None,
) -> httpx.Response:
    if status == "refused":
        raise httpx.ConnectError("refused", request=request)
    if status == "lost":
        raise httpx.ReadError("lost", request=request)
    assert isinstance(status, int)
    if status == 200:
        return httpx.Response(200, json={})
    if what == "found:false":
        return httpx.Response(status, json={"found": False})
    cause: Dict[str, Any] = {"type": what or "x", "reason": "no"}
    if what is not None and what.startswith("quota:"):
        cause["quota"] = what[6:]
    headers = {} if retry_after is None else {"retry-after": retry_after}
    return httpx.Response(status, json={"error": cause}, headers=headers)


if __name__ == "__main__":
    unittest.main()
