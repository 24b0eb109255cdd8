"""A store of LangGraph without a graph: python store.py URL"""

import json
import sys

from quarry_memory import Quarry
from quarry_memory.langgraph import QuarryStore

store = QuarryStore(Quarry(sys.argv[1]), prefix="example-py", index={"fields": ["text"]})
store.put(("users", "Ann"), "home", {"text": "lives in Rome", "city": "Rome"})
store.put(("users", "Bob"), "home", {"text": "lives in Oslo", "city": "Oslo"})
found = store.search(("users",), query="who lives in Oslo", limit=1)
filtered = store.search(("users",), filter={"city": "Rome"})
namespaces = store.list_namespaces(prefix=("users",))
store.delete(("users", "Bob"), "home")
report = {
    "found": [item.namespace for item in found],
    "filtered": [item.value["city"] for item in filtered],
    "namespaces": namespaces,
    "left": len(store.search(("users",))),
}
print(json.dumps(report))
