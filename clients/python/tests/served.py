"""The clients against a service: python served.py URL"""

from __future__ import annotations

import asyncio
import sys
import unittest
from typing import List

from quarry_memory import AsyncQuarry, Quarry
from quarry_memory.errors import BadRequestError, ConnectionError, NotFoundError

URL = sys.argv.pop()


class Served(unittest.TestCase):
    def test_memories(self) -> None:
        with Quarry(URL) as client:
            memory = client.memory
            self.assertTrue(memory.store("pymem", id="m1", text="Ann lives in Rome")["created"])
            bulk = memory.bulk("pymem", [{"id": "m2", "text": "Ann keeps bees"}, {"text": " "}])
            self.assertEqual([item["status"] for item in bulk["items"]], [201, 400])
            memory.edit("pymem", "m2", metadata={"topic": "home"}, expires_at=None)
            hits = memory.recall("pymem", query="bees", k=1)["hits"]
            self.assertEqual([hit["id"] for hit in hits], ["m2"])
            entries = memory.list_all("pymem", sort="id", size=1)
            self.assertEqual([entry["id"] for entry in entries], ["m1", "m2"])
            clause = {"term": {"metadata.topic": "home"}}
            self.assertEqual(memory.list("pymem", filter=clause)["count"], 1)
            dry = memory.forget_matching("pymem", filter=clause, dry_run=True)
            self.assertEqual((dry["matched"], dry["forgotten"]), (1, 0))
            many = memory.recall_many(namespaces=["pymem*"], query="Rome")["hits"]
            self.assertEqual([hit["namespace"] for hit in many], ["pymem"])
            self.assertEqual(memory.audit("pymem")["memories"], 2)
            self.assertEqual(len(memory.changes("pymem")["changes"]), 2)
            lines = list(memory.export_lines("pymem"))
            self.assertEqual(memory.import_lines("pymem-2", lines)["memories"]["created"], 2)
            names = [one["namespace"] for one in memory.namespaces_all(prefix="pymem")]
            self.assertEqual(names, ["pymem", "pymem-2"])
            memory.configure("pymem-2", quota={"memories": 5})
            self.assertTrue(memory.forget("pymem", "m1")["forgotten"])
            self.assertFalse(memory.get("pymem", "m1")["found"])
            self.assertTrue(memory.drop("pymem-2")["dropped"])
            with self.assertRaises(BadRequestError) as raised:
                memory.recall("pymem", k=0)
            self.assertEqual((raised.exception.status, raised.exception.field), (400, "k"))
            with self.assertRaises(NotFoundError):
                list(memory.export_lines("pymem-2"))

    def test_links_and_documents(self) -> None:
        with Quarry(URL) as client:
            link = client.graph.link("pybrain", src="a", dst="b", type="fixes", valid_at=5)
            ego = client.graph.ego("pybrain", node="a", include_nodes=False)
            self.assertEqual([one["edge_id"] for one in ego["links"]], [link["edge_id"]])
            self.assertTrue(client.graph.unlink("pybrain", link["edge_id"])["invalidated"])
            client.search.index("pydocs", "1", {"title": "The sea"}, params={"refresh": True})
            found = client.search.search("pydocs", {"query": {"match": {"title": "sea"}}})
            self.assertEqual(found["hits"]["hits"][0]["_id"], "1")
            rows = client.request("GET", "/_cat/indices/pydocs", params={"format": "json"})
            self.assertEqual(rows[0]["index"], "pydocs")

    def test_async(self) -> None:
        async def run() -> List[str]:
            async with AsyncQuarry(URL) as client:
                texts = [f"memory {i}" for i in range(5)]
                await asyncio.gather(
                    *(client.memory.store("pyasync", text=text) for text in texts)
                )
                found = [one["text"] async for one in client.memory.list_all("pyasync", size=2)]
                lines = [line async for line in client.memory.export_lines("pyasync")]
                self.assertGreater(len(lines), 4)
                return sorted(found)

        self.assertEqual(asyncio.run(run()), [f"memory {i}" for i in range(5)])

    def test_no_service(self) -> None:
        with Quarry("http://127.0.0.1:9", max_retries=0) as client:
            with self.assertRaises(ConnectionError):
                client.memory.get("pymem", "m")


if __name__ == "__main__":
    unittest.main()
