"""The store of LangGraph against a service: python served_store.py URL"""

from __future__ import annotations

import asyncio
import sys
import time
import unittest
from typing import Any, Dict, Tuple

from langgraph.store.base import GetOp, PutOp, SearchOp

from quarry_memory import AsyncQuarry, Quarry
from quarry_memory.langgraph import QuarryStore

URL = sys.argv.pop()


def store_of(prefix: str, **options: Any) -> QuarryStore:
    return QuarryStore(Quarry(URL), prefix=prefix, **options)


class Store(unittest.TestCase):
    def test_put_get_delete(self) -> None:
        store = store_of("pybasic")
        value = {"text": "likes tea", "deep": {"list": [1, "x", None]}, "a.b": True, "big": 2**60}
        store.put(("users", "Ann"), "k/1", value)
        item = store.get(("users", "Ann"), "k/1")
        assert item is not None
        self.assertEqual((item.value, item.key, item.namespace), (value, "k/1", ("users", "Ann")))
        store.put(("users", "Ann"), "k/1", {"text": "likes coffee"})
        after = store.get(("users", "Ann"), "k/1")
        assert after is not None
        self.assertEqual(after.value, {"text": "likes coffee"})
        self.assertEqual(after.created_at, item.created_at)
        self.assertIsNone(store.get(("users", "Ann"), "none"))
        store.delete(("users", "Ann"), "k/1")
        self.assertIsNone(store.get(("users", "Ann"), "k/1"))
        self.assertEqual(store.list_namespaces(), [])
        with self.assertRaises(ValueError):
            store.put((), "k", {})

    def test_search(self) -> None:
        store = store_of("pyfind", index={"fields": ["text"]})
        values: Dict[Tuple[Tuple[str, ...], str], Dict[str, Any]] = {
            (("docs", "a"), "tea"): {"text": "green tea from Japan", "kind": 1},
            (("docs", "b"), "sea"): {"text": "the sea at night", "kind": 2},
        }
        store.batch([PutOp(ns, key, value) for (ns, key), value in values.items()])
        store.put(("docs", "b"), "hid", {"text": "tea at night"}, index=False)
        found = store.search(("docs",), query="tea from Japan")
        self.assertEqual((found[0].key, found[0].namespace), ("tea", ("docs", "a")))
        self.assertGreater(found[0].score or 0, 0)
        self.assertNotIn("hid", [item.key for item in found])
        everything = sorted(item.key for item in store.search(("docs",)))
        self.assertEqual(everything, ["hid", "sea", "tea"])
        for given, keys in (
            ({"kind": 2}, ["sea"]),
            ({"kind": {"$lt": 2}}, ["tea"]),
            ({"kind": {"$ne": 1}}, ["hid", "sea"]),
            ({"kind": 1, "text": {"$eq": "green tea from Japan"}}, ["tea"]),
        ):
            hits = store.search(("docs",), filter=given)
            self.assertEqual(sorted(item.key for item in hits), keys)
        pages = [store.search(("docs",), limit=1, offset=i) for i in range(4)]
        self.assertEqual(
            sorted(item.key for page in pages for item in page), ["hid", "sea", "tea"]
        )

    def test_namespaces(self) -> None:
        store = store_of("pynames")
        for namespace in [
            ("a", "b", "c"),
            ("a", "b", "d", "e"),
            ("a", "b", "d", "i"),
            ("a", "b", "f"),
            ("a", "c", "f"),
        ]:
            store.put(namespace, "k", {"n": 1})
        self.assertEqual(
            store.list_namespaces(prefix=("a", "b"), max_depth=3),
            [("a", "b", "c"), ("a", "b", "d"), ("a", "b", "f")],
        )
        self.assertEqual(
            store.list_namespaces(suffix=("f",)), [("a", "b", "f"), ("a", "c", "f")]
        )
        self.assertEqual(
            store.list_namespaces(prefix=("a", "*", "f"), limit=1, offset=1), [("a", "c", "f")]
        )

    def test_ttl(self) -> None:
        ttl = {"refresh_on_read": True, "default_ttl": 1.2 / 60}
        store = store_of("pytime", ttl=ttl)
        store.put(("t",), "read", {"n": 1})
        store.put(("t",), "unread", {"n": 2})
        store.put(("t",), "stays", {"n": 3}, ttl=None)
        for _ in range(4):
            time.sleep(0.5)
            self.assertIsNotNone(store.get(("t",), "read"))
        self.assertIsNone(store.get(("t",), "unread"))
        self.assertIsNotNone(store.get(("t",), "stays"))

    def test_async(self) -> None:
        async def run() -> None:
            store = QuarryStore(async_client=AsyncQuarry(URL), prefix="pyasync")
            await store.aput(("x",), "a", {"text": "red apples"})
            results = await store.abatch(
                [
                    GetOp(("x",), "a"),
                    SearchOp(("x",), query="apples", limit=1),
                    PutOp(("x",), "b", {"text": "blue paint"}),
                    PutOp(("x",), "b", {"text": "green paint"}),
                ]
            )
            self.assertEqual(results[0].value, {"text": "red apples"})
            self.assertEqual([item.key for item in results[1]], ["a"])
            item = await store.aget(("x",), "b")
            assert item is not None
            self.assertEqual(item.value, {"text": "green paint"})
            await store.adelete(("x",), "a")
            self.assertEqual([one.key for one in await store.asearch(("x",))], ["b"])
            self.assertEqual(await store.alist_namespaces(prefix=("x",)), [("x",)])

        asyncio.run(run())


if __name__ == "__main__":
    unittest.main()
