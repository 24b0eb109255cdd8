"""Stores facts, corrects one, and asks: python remember.py URL"""

import json
import sys

from quarry_memory import Quarry

with Quarry(sys.argv[1]) as client:
    client.memory.drop("example-py")
    client.memory.bulk(
        "example-py",
        [
            {"id": "paris", "text": "Ann lives in Paris", "metadata": {"session": "s1"}},
            {"id": "museum", "text": "She works at a museum", "metadata": {"session": "s1"}},
        ],
    )
    client.memory.store("example-py", id="rome", text="Ann lives in Rome", supersedes=["paris"])
    answer = client.memory.recall("example-py", query="where does Ann live", hybrid=True)
    ego = client.graph.ego("example-py", node="rome", types=["supersedes"])
    receipt = client.memory.forget("example-py", "museum")
    gone = client.memory.get("example-py", "museum")
    report = {
        "best": answer["hits"][0]["text"],
        "superseded": answer["not_shown"]["superseded"],
        "links": [link["dst"] for link in ego["links"]],
        "forgotten": receipt["forgotten"],
        "found": gone["found"],
    }
    print(json.dumps(report))
