# Runs the common operations of the client of OpenSearch.
import json
import sys

from opensearchpy import ConflictError, NotFoundError, OpenSearch, helpers

client = OpenSearch(sys.argv[1])
index = sys.argv[2]
documents = [
    {"_index": index, "_id": "1", "title": "Green apples", "price": 3},
    {"_index": index, "_id": "2", "title": "Red apples and pears", "price": 5},
    {"_index": index, "_id": "3", "title": "Blue paint", "price": 12},
]
report = {"tagline": client.info()["tagline"]}
properties = {"title": {"type": "text"}, "price": {"type": "integer"}}
created = client.indices.create(index=index, body={"mappings": {"properties": properties}})
report["created"] = created["acknowledged"]
report["bulk"] = helpers.bulk(client, documents, refresh=True)[0]
body = {"query": {"match": {"title": "apples"}}}
report["found"] = [hit["_id"] for hit in client.search(index=index, body=body)["hits"]["hits"]]
body = {"query": {"range": {"price": {"gte": 5}}}}
report["count"] = client.count(index=index, body=body)["count"]
report["scanned"] = len(list(helpers.scan(client, index=index, size=2)))
pit = client.create_pit(index=index, params={"keep_alive": "1m"})["pit_id"]
page = client.search(body={"pit": {"id": pit}, "sort": [{"price": "desc"}], "size": 1})
report["pit"] = page["hits"]["hits"][0]["_id"]
client.delete_pit(body={"pit_id": [pit]})
body = {"size": 0, "aggs": {"sum": {"sum": {"field": "price"}}}}
report["sum"] = client.search(index=index, body=body)["aggregations"]["sum"]["value"]
update = client.update(index=index, id="1", body={"doc": {"price": 4}}, params={"refresh": "true"})
report["updated"] = update["result"]
try:
    client.create(index=index, id="1", body={})
except ConflictError as error:
    report["conflict"] = error.status_code
report["deleted"] = client.delete(index=index, id="1")["result"]
report["dropped"] = client.indices.delete(index=index)["acknowledged"]
try:
    client.search(index=index)
except NotFoundError as error:
    report["missing"] = error.error
print(json.dumps(report))
