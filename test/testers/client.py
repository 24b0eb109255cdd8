"""Sends requests with the client that openapi-python-client generates from the OpenAPI document.

    python client.py FOLDER BASE
"""
import sys
from io import BytesIO

sys.path.insert(0, sys.argv[1])
from generated import Client, models, types  # noqa: E402
from generated.api.documents import bulk, get, index  # noqa: E402
from generated.api.graph import svc_graph_ego, svc_graph_link  # noqa: E402
from generated.api.indexes import create_index, refresh_by_index  # noqa: E402
from generated.api.memory import svc_memory_recall, svc_memory_store  # noqa: E402
from generated.api.node import ready  # noqa: E402
from generated.api.search import search_by_index_post  # noqa: E402

client = Client(base_url=sys.argv[2], timeout=60)


def expect(got, wanted):
    if got != wanted:
        raise SystemExit(f"got {got!r}, expected {wanted!r}")


expect(ready.sync(client=client).status, "ready")
created = create_index.sync(
    "library",
    client=client,
    body=models.NewIndex.from_dict({"mappings": {"properties": {"title": {"type": "text"}}}}),
)
expect(created.acknowledged, True)
written = index.sync("library", "1", client=client, body=models.IndexBody.from_dict({"title": "red fox"}))
expect(written.result, "created")
lines = BytesIO(b'{"index":{"_index":"library","_id":"2"}}\n{"title":"blue fox"}\n')
expect(bulk.sync(client=client, body=types.File(payload=lines)).errors, False)
refresh_by_index.sync("library", client=client)
body = models.SearchBody.from_dict({"query": {"match": {"title": "fox"}}})
found = search_by_index_post.sync("library", client=client, body=body)
expect(sorted(hit.field_id for hit in found.hits.hits), ["1", "2"])
expect(get.sync("library", "absent", client=client).found, False)
missing = search_by_index_post.sync("nowhere", client=client, body=models.SearchBody.from_dict({}))
expect((missing.status, missing.error.type_), (404, "index_not_found_exception"))
memory = models.SvcMemoryStoreBody.from_dict({"id": "a", "text": "the cat sleeps"})
expect(svc_memory_store.sync("cats", client=client, body=memory).created, True)
query = models.SvcMemoryRecallBody.from_dict({"query": "cat"})
expect([hit.id for hit in svc_memory_recall.sync("cats", client=client, body=query).hits], ["a"])
link = models.SvcGraphLinkBody.from_dict({"src": "a", "dst": "b", "type": "follows"})
expect(svc_graph_link.sync("cats", client=client, body=link).created, True)
expect(len(svc_graph_ego.sync("cats", client=client, node="a").links), 1)
print("the generated client does what it should")
