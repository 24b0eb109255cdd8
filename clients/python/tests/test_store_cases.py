"""The cases that hold the stores for LangGraph of both clients to one behaviour."""

from __future__ import annotations

import json
import unittest
from pathlib import Path

from quarry_memory.langgraph._filters import clause_of, matches, scalars_of
from quarry_memory.langgraph._names import key_of, labels_of, memory_id, namespace_name
from quarry_memory.langgraph._texts import text_of

CASES = Path(__file__).parents[2] / "cases" / "langgraph.json"


class Items(unittest.TestCase):
    cases = json.loads(CASES.read_text(encoding="utf-8"))

    def test_names(self) -> None:
        for labels, name in self.cases["names"]:
            with self.subTest(name):
                self.assertEqual(namespace_name("lg", labels), name)
                self.assertEqual(labels_of("lg", name), tuple(labels))
        for name in self.cases["foreign"]:
            self.assertIsNone(labels_of("lg", name), name)
        with self.assertRaisesRegex(ValueError, "at most 200"):
            namespace_name("lg", ["a" * 198])
        with self.assertRaisesRegex(ValueError, "surrogate"):
            namespace_name("lg", ["\ud800"])

    def test_ids(self) -> None:
        for key, identifier in self.cases["ids"]:
            with self.subTest(identifier):
                self.assertEqual(memory_id(key), identifier)
                self.assertEqual(key_of(identifier), key)

    def test_texts(self) -> None:
        for value, paths, text in self.cases["texts"]:
            self.assertEqual(text_of(value, paths), text)

    def test_filters(self) -> None:
        for value, scalars in self.cases["scalars"]:
            self.assertEqual(scalars_of(value), scalars)
        for given, clause in self.cases["clauses"]:
            self.assertEqual(clause_of(given), clause)
        for value, given, expected in self.cases["matches"]:
            with self.subTest(value=value, given=given):
                self.assertEqual(matches(value, given), expected)
        value, given = self.cases["unknown_operator"]
        with self.assertRaisesRegex(ValueError, "is unknown"):
            matches(value, given)


if __name__ == "__main__":
    unittest.main()
