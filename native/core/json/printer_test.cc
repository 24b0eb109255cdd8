// Printing JSON again: layouts, filter_path, pieces of any length, invalid input.
#include "json/printer.h"

#include "testing/test.h"

namespace quarry::printer_test {

constexpr size_t kAll = SIZE_MAX;

/// In pieces of `step` bytes, interrupted after every `most` bytes of output.
std::string print(std::string_view json, PrintStyle style, std::string_view filter = "",
                  size_t step = kAll, size_t most = kAll) {
  std::string out;
  std::string all;
  Result<JsonPrinter> printer = JsonPrinter::create(style, filter, out);
  if (!printer.ok()) return "error: " + printer.status().reason();
  const auto take = [&] {
    all += out;
    out.clear();
  };
  while (!json.empty()) {
    std::string_view piece = json.substr(0, step);
    json.remove_prefix(piece.size());
    while (!piece.empty()) {
      const Result<size_t> read = printer->print(piece, most);
      if (!read.ok()) return "error: " + read.status().reason();
      piece.remove_prefix(*read);
      take();
    }
  }
  const Status end = printer->finish();
  take();
  return end.ok() ? all : "error: " + end.reason();
}

constexpr std::string_view kAnswer =
    R"( { "took":1,"hits":{"total":2.50,"hits":[{"_id":"a","s":{"x":{"y":1e400},"z":null}},)"
    R"({"_id":"b"}]},"empty":{},"none" : [ ], "a.b":{"c":[1,[-0.0]]}} )";

TEST(JsonPrinter, CompactLeavesOutBlanks) {
  EXPECT_EQ(print(kAnswer, PrintStyle::kCompact),
            R"({"took":1,"hits":{"total":2.50,"hits":[{"_id":"a","s":{"x":{"y":1e400},"z":null}},)"
            R"({"_id":"b"}]},"empty":{},"none":[],"a.b":{"c":[1,[-0.0]]}})");
}

TEST(JsonPrinter, IndentsByTwo) {
  EXPECT_EQ(print(R"({"a":[1,{"b":[]}],"c":{}})", PrintStyle::kIndented),
            "{\n  \"a\": [\n    1,\n    {\n      \"b\": []\n    }\n  ],\n  \"c\": {}\n}\n");
  EXPECT_EQ(print("[]", PrintStyle::kIndented), "[]\n");
  EXPECT_EQ(print("7", PrintStyle::kIndented), "7\n");
}

TEST(JsonPrinter, Yaml) {
  EXPECT_EQ(print(R"({"books":{"mappings":{},"aliases":[]},"hits":[{"_id":"1","sort":[1,"a"]},"x",)"
                  R"([[2],3]],"a b":null,"On":true,"id":9007199254740993,"":1})",
                  PrintStyle::kYaml),
            "---\nbooks:\n  mappings: {}\n  aliases: []\nhits:\n- _id: \"1\"\n  sort:\n  - 1\n"
            "  - \"a\"\n- \"x\"\n- - - 2\n  - 3\n\"a b\": null\n\"On\": true\n"
            "id: 9007199254740993\n\"\": 1\n");
  EXPECT_EQ(print("{}", PrintStyle::kYaml), "---\n{}\n");
  EXPECT_EQ(print("[1]", PrintStyle::kYaml), "---\n- 1\n");
  EXPECT_EQ(print("\"x\"", PrintStyle::kYaml), "---\n\"x\"\n");
}

TEST(JsonPrinter, EscapesStayInJsonAndAreTheUsualOnesInYaml) {
  constexpr std::string_view kText = R"(["\u00e4\/\ud83d\ude00\u0001\u000a\ud83dx\ude00\"\\"])";
  EXPECT_EQ(print(kText, PrintStyle::kCompact), kText);
  for (const size_t step : {size_t{1}, kAll}) {
    EXPECT_EQ(print(kText, PrintStyle::kYaml, "", step),
              "---\n- \"\xC3\xA4/\xF0\x9F\x98\x80\\u0001\\n\\ud83dx\\ude00\\\"\\\\\"\n");
  }
  EXPECT_EQ(print(R"({"\u0061":1,"\u00e4\/":2})", PrintStyle::kYaml),
            "---\na: 1\n\"\xC3\xA4/\": 2\n");
}

TEST(JsonPrinter, FilterPathKeepsWhatPatternsName) {
  const auto kept = [](std::string_view filter) {
    return print(kAnswer, PrintStyle::kCompact, filter);
  };
  EXPECT_EQ(kept("took"), R"({"took":1})");
  EXPECT_EQ(kept(" t* , empty ,"), R"({"took":1,"empty":{}})");
  EXPECT_EQ(kept("hits.hits._id"), R"({"hits":{"hits":[{"_id":"a"},{"_id":"b"}]}})");
  EXPECT_EQ(kept("hits.*.s.z"), R"({"hits":{"hits":[{"s":{"z":null}}]}})");
  EXPECT_EQ(kept("**.y"), R"({"hits":{"hits":[{"s":{"x":{"y":1e400}}}]}})");
  EXPECT_EQ(kept("a\\.b.c"), R"({"a.b":{"c":[1,[-0.0]]}})");
  EXPECT_EQ(kept("a.b"), "{}");
  EXPECT_EQ(kept("empty.**,none.**"), "{}");
  EXPECT_EQ(kept("-hits,-a\\.b"), R"({"took":1,"empty":{},"none":[]})");
  EXPECT_EQ(kept("hits,-hits.hits"), R"({"hits":{"total":2.50}})");
  EXPECT_EQ(kept("-**.y,-**.z,-**._id,-took,-e*,-n*,-a*,-**.total"), "{}");
  EXPECT_EQ(print(kAnswer, PrintStyle::kYaml, "hits.hits._id"),
            "---\nhits:\n  hits:\n  - _id: \"a\"\n  - _id: \"b\"\n");
  EXPECT_EQ(print(R"({"\u0061":1,"b":2})", PrintStyle::kCompact, "a"), R"({"\u0061":1})");
}

TEST(JsonPrinter, AllCutsGiveTheSame) {
  for (const PrintStyle style : {PrintStyle::kCompact, PrintStyle::kIndented, PrintStyle::kYaml}) {
    for (const std::string_view filter : {"", "**._id,-hits.total", "hits,-**.y"}) {
      const std::string whole = print(kAnswer, style, filter);
      for (const size_t step : {1, 2, 3, 7}) {
        EXPECT_EQ(print(kAnswer, style, filter, step), whole);
        EXPECT_EQ(print(kAnswer, style, filter, kAll, step), whole);
      }
    }
  }
}

TEST(JsonPrinter, StopsWhereEnoughIsPrinted) {
  std::string json = "[";
  for (int i = 0; i < 1000; ++i) json += i == 0 ? "1" : ",1";
  json += "]";
  std::string out;
  Result<JsonPrinter> printer = JsonPrinter::create(PrintStyle::kIndented, "", out);
  const Result<size_t> read = printer->print(json, 100);
  EXPECT_TRUE(read.ok() && *read < 100);
  EXPECT_TRUE(out.size() >= 100 && out.size() < 120);
}

TEST(JsonPrinter, RefusesWhatIsNoJson) {
  for (const std::string_view text :
       {"", " ", "{", "[1", "{\"a\"}", "{\"a\":}", "[1}", "{1:2}", "[,1]", "[1 2]", "1 2", "\"a",
        "[\"\\x\"]", "{\"\\u12\":1}", "}", "?"}) {
    EXPECT_TRUE(print(text, PrintStyle::kYaml).starts_with("error"));
  }
  EXPECT_TRUE(print(std::string(2000, '['), PrintStyle::kIndented).starts_with("error"));
}

TEST(JsonPrinter, RefusesPatternsWithoutEnd) {
  const std::string filter(PathPatterns::kMostLetters + 1, 'a');
  EXPECT_TRUE(print("{}", PrintStyle::kCompact, filter).starts_with("error: [filter_path]"));
}

TEST(JsonPrinter, RunsPatternsOnceForEachPath) {
  std::string filter;
  for (int i = 0; i < 1500; ++i) filter += "**.z" + std::to_string(i) + ".**.a,";
  for (int i = 0; i < 5000; ++i) filter += "**.";
  filter += "x";
  std::string json = "[";
  for (int i = 0; i < 1000; ++i)
    json += std::string(i == 0 ? "" : ",") + R"({"k":{"x":1},"z7":[{"a":2}]})";
  json += "]";
  std::string out;
  Result<JsonPrinter> printer = JsonPrinter::create(PrintStyle::kCompact, filter, out);
  EXPECT_TRUE(printer->print(json, kAll).ok() && printer->finish().ok());
  EXPECT_EQ(out, json);
  EXPECT_EQ(printer->computed_keys(), 4U);
}

}  // namespace quarry::printer_test
