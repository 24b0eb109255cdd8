# Maps documents to classes with the DSL of the official client.
import json
import sys

from elasticsearch.dsl import Document, Integer, Keyword, Q, Text, connections

connections.create_connection(hosts=[sys.argv[1]])


class Product(Document):
    title = Text(fields={"raw": Keyword()})
    price = Integer()

    class Index:
        name = sys.argv[2]
        settings = {"number_of_shards": 2}


Product.init()
for number, (title, price) in enumerate([("Green apples", 3), ("Red apples", 5), ("Blue paint", 12)]):
    Product(meta={"id": str(number)}, title=title, price=price).save(refresh=True)
search = Product.search().query("match", title="apples").filter("range", price={"gte": 4})
search.aggs.bucket("titles", "terms", field="title.raw")
response = search.highlight("title").execute()
first = response[0]
report = {
    "exists": Product._index.exists(),
    "found": [hit.title for hit in response],
    "highlight": list(first.meta.highlight.title),
    "buckets": [bucket.key for bucket in response.aggregations.titles.buckets],
    "count": Product.search().query(Q("match", title="paint") | Q("match", title="green")).count(),
    "scanned": sum(1 for _ in Product.search().scan()),
    "iterated": [hit.price for hit in Product.search().sort("-price").iterate()],
}
first.update(price=6, refresh=True)
report["updated"] = Product.get(id=first.meta.id).price
Product.search().query("match", title="paint").params(refresh=True).delete()
report["left"] = Product.search().count()
Product._index.delete()
print(json.dumps(report))
