# Runs the common operations of the official client, elasticsearch 8 and 9.
import json
import sys

from elasticsearch import ConflictError, Elasticsearch, NotFoundError, helpers

es = Elasticsearch(sys.argv[1])
index = sys.argv[2]
documents = [
    {"_index": index, "_id": "1", "title": "Green apples", "price": 3},
    {"_index": index, "_id": "2", "title": "Red apples and pears", "price": 5},
    {"_index": index, "_id": "3", "title": "Blue paint", "price": 12},
]
report = {"tagline": es.info()["tagline"]}
properties = {"title": {"type": "text"}, "price": {"type": "integer"}}
report["created"] = es.indices.create(index=index, mappings={"properties": properties})["acknowledged"]
report["bulk"] = helpers.bulk(es, documents, refresh=True)[0]
hits = es.search(index=index, query={"match": {"title": "apples"}})["hits"]["hits"]
report["found"] = [hit["_id"] for hit in hits]
report["count"] = es.count(index=index, query={"range": {"price": {"gte": 5}}})["count"]
report["scanned"] = len(list(helpers.scan(es, index=index, size=2)))
pit = es.open_point_in_time(index=index, keep_alive="1m")["id"]
page = es.search(pit={"id": pit}, sort=[{"price": "desc"}], size=1)
report["pit"] = page["hits"]["hits"][0]["_id"]
es.close_point_in_time(id=page["pit_id"])
aggs = es.search(index=index, size=0, aggs={"sum": {"sum": {"field": "price"}}})["aggregations"]
report["sum"] = aggs["sum"]["value"]
report["updated"] = es.update(index=index, id="1", doc={"price": 4}, refresh=True)["result"]
try:
    es.create(index=index, id="1", document={})
except ConflictError as error:
    report["conflict"] = error.status_code
report["deleted"] = es.delete(index=index, id="1")["result"]
report["dropped"] = es.indices.delete(index=index)["acknowledged"]
try:
    es.search(index=index)
except NotFoundError as error:
    report["missing"] = error.error
print(json.dumps(report))
