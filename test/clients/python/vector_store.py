# Runs a vector store of LangChain, with vector search and with hybrid search.
import json
import sys

from langchain_core.embeddings import Embeddings
from langchain_elasticsearch import BM25Strategy, DenseVectorStrategy, ElasticsearchStore


class Directions(Embeddings):
    """Embeds texts about apples on one axis, and all other texts on the other axis."""

    def embed_documents(self, texts):
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text):
        return [1.0, 0.1] if "apple" in text else [0.1, 1.0]


def store(name, strategy, embedding):
    return ElasticsearchStore(
        es_url=sys.argv[1], index_name=name, embedding=embedding, strategy=strategy
    )


texts = ["green apples", "blue paint", "red apples"]
metadatas = [{"page": 1}, {"page": 2}, {"page": 3}]
report = {}
dense = store(sys.argv[2], DenseVectorStrategy(), Directions())
report["ids"] = dense.add_texts(texts, metadatas=metadatas, ids=["a", "b", "c"])
report["nearest"] = [found.page_content for found in dense.similarity_search("paint", k=1)]
page = [{"term": {"metadata.page": 3}}]
found = dense.similarity_search_with_score("an apple", k=2, filter=page)
report["filtered"] = [(one.page_content, round(score, 3)) for one, score in found]
report["deleted"] = dense.delete(ids=["c"])
report["left"] = len(dense.similarity_search("an apple", k=5))
words = store(sys.argv[2] + "-words", BM25Strategy(), None)
words.add_texts(texts)
report["words"] = [found.page_content for found in words.similarity_search("paint", k=3)]
print(json.dumps(report))
