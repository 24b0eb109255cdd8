// The content of a fetched document: source, fields, matched queries, explanations, metadata.
#include "json/value.h"
#include "query/fetch/fetch_fields.h"
#include "testing/test_index.h"

namespace quarry::fetch_test {

using testing::PlanFrame;
using testing::Query;
using testing::TestIndex;

struct Docs {
  TestIndex index{R"({"properties":{
    "title":{"type":"text","fields":{"raw":{"type":"keyword"}},"copy_to":"all"},"all":{"type":"text"},
    "n":{"type":"integer","ignore_malformed":true},"f":{"type":"float"},"day":{"type":"date"},
    "tags":{"type":"keyword","ignore_above":5},"ip":{"type":"ip"},"ok":{"type":"boolean"},
    "o":{"properties":{"x":{"type":"long"}}},"flat":{"type":"flattened"},"t":{"type":"text"}}})"};
  Docs() {
    index.add("1",
              R"({"title":"A b", "n": "7","f":1.50,"day":1700000000000,"tags":["b","a","toolong"],
                      "ip":"::1","ok":"true","o":[{"x":1},{"x":[2,3]}],"flat":{"k":"v"},"n2":1.0})");
    index.add("2", R"({"n":"seven","title":"c"})");
    index.refresh();
    index.add("3", R"({"title":"a a"})");
    index.refresh();
  }
};

PlanFrame frame_with(FetchSpec fetch) {
  PlanFrame frame;
  frame.legs.push_back(Query().match_all());
  frame.fetch = std::move(fetch);
  return frame;
}

TEST(Fetch, TheFieldsOfADocumentTakeBoundedMemory) {
  const std::vector<std::string> values(64, std::string(1 << 20, 'v'));
  ShownBytes shown;
  EXPECT_TRUE(shown.add(values));
  EXPECT_TRUE(shown.add(values));
  EXPECT_FALSE(shown.exceeded());
  EXPECT_FALSE(shown.add({"v"}));
  EXPECT_TRUE(shown.exceeded());
  EXPECT_EQ(ShownBytes::refusal("7").reason(),
            "the values of [fields] and [docvalue_fields] of the document [7] take more than "
            "[134217728] bytes: name fewer fields");
}

TEST(Fetch, SourceWholeFilteredOrNot) {
  const Docs docs;
  FetchSpec fetch;
  auto found = docs.index.fetch(frame_with(fetch), {2, 0});
  ASSERT_EQ(found.size(), 2);
  EXPECT_EQ(found[0].id, "3");
  EXPECT_EQ(found[0].source, R"({"title":"a a"})");
  EXPECT_EQ(found[0].seq_no, 2);
  EXPECT_EQ(found[1].version, 1);
  EXPECT_TRUE(found[1].source.find("1.50") != std::string::npos);
  fetch.source = 2;
  fetch.includes = {"o.*", "title"};
  fetch.excludes = {"title"};
  found = docs.index.fetch(frame_with(fetch), {0});
  EXPECT_EQ(found[0].source, R"({"o":[{"x":1},{"x":[2,3]}]})");
  fetch.source = 0;
  EXPECT_FALSE(docs.index.fetch(frame_with(fetch), {0})[0].has_source);
}

TEST(Fetch, SourceWithoutVectors) {
  TestIndex index(R"({"properties":{"v":{"type":"dense_vector","dims":2},
    "o":{"properties":{"v":{"type":"dense_vector","dims":2}}}}})");
  const std::string source = R"({"v":[1,2],"n":1,"o":{"v":[3,4],"n":2},"t":"a"})";
  index.add("1", source);
  index.refresh();
  FetchSpec fetch;
  fetch.flags = kFetchWithoutVectors;
  EXPECT_EQ(index.fetch(frame_with(fetch), {0})[0].source, R"({"n":1,"o":{"n":2},"t":"a"})");
  fetch.source = 2;
  fetch.includes = {"o", "v"};
  fetch.excludes = {"t"};
  EXPECT_EQ(index.fetch(frame_with(fetch), {0})[0].source, R"({"o":{"n":2}})");
  fetch.flags = 0;
  fetch.source = 1;
  EXPECT_EQ(index.fetch(frame_with(fetch), {0})[0].source, source);
}

TEST(Fetch, DocvalueFields) {
  const Docs docs;
  FetchSpec fetch;
  fetch.docvalue_fields = {{"n", ""},  {"f", ""},  {"day", "yyyy-MM"}, {"ta*", ""},
                           {"ip", ""}, {"ok", ""}, {"nope", ""}};
  EXPECT_EQ(docs.index.fetch(frame_with(fetch), {0})[0].fields,
            R"({"day":["2023-11"],"f":[1.5],"ip":["::1"],"n":[7],"ok":[true],"tags":["a","b"]})");
}

TEST(Fetch, FieldsFromTheSource) {
  const Docs docs;
  FetchSpec fetch;
  fetch.fields = {{"title*", ""}, {"all", ""}, {"n", ""},    {"day", "yyyy"},
                  {"tags", ""},   {"o.x", ""}, {"flat", ""}, {"flat.k", ""}};
  EXPECT_EQ(
      docs.index.fetch(frame_with(fetch), {0})[0].fields,
      R"({"all":["A b"],"day":["2023"],"flat":[{"k":"v"}],"flat.k":["v"],"n":[7],"o.x":[1,2,3],)"
      R"("tags":["b","a"],"title":["A b"],"title.raw":["A b"]})");
  EXPECT_EQ(docs.index.fetch(frame_with(fetch), {1})[0].fields,
            R"({"all":["c"],"title":["c"],"title.raw":["c"]})");
}

TEST(Fetch, FieldsOfEveryDocument) {
  const Docs docs;
  FetchSpec fetch;
  fetch.fields = {{"_id", ""}, {"_index", "x"}, {"_ignored", ""}, {"_routing", ""}, {"_t*", ""}};
  const std::string index(docs.index.context().index_name);
  EXPECT_EQ(docs.index.fetch(frame_with(fetch), {0})[0].fields,
            R"({"_id":["1"],"_ignored":["tags"],"_index":[")" + index + "\"]}");
  EXPECT_EQ(docs.index.fetch(frame_with(fetch), {2})[0].fields,
            R"({"_id":["3"],"_index":[")" + index + "\"]}");
  fetch.fields = {};
  fetch.docvalue_fields = {{"_index", ""}, {"_ignored", ""}};
  EXPECT_EQ(docs.index.fetch(frame_with(fetch), {1})[0].fields,
            R"({"_ignored":["n"],"_index":[")" + index + "\"]}");
}

/// The error of a document's fetch.
std::string refusal(const TestIndex& index, const FetchSpec& fetch) {
  PlanFrame frame = frame_with(fetch);
  const std::vector<uint8_t> bytes = frame.bytes();
  const Result<Plan> plan = decode_plan(bytes);
  EXPECT_OK(plan);
  return execute_fetch(index.context(), *plan, std::vector<uint32_t>{0}).status().reason();
}

TEST(Fetch, PatternsLeadToALimitedNumberOfFields) {
  std::string properties;
  for (int i = 0; i < 1000; i++) {
    properties +=
        (i == 0 ? "" : ",") + std::string("\"f") + std::to_string(i) + "\":{\"type\":\"keyword\"}";
  }
  TestIndex index("{\"properties\":{" + properties + "}}");
  index.add("1", R"({"f1":"a"})");
  index.refresh();
  FetchSpec fetch;
  fetch.fields.assign(100, {"f*", ""});
  EXPECT_EQ(index.fetch(frame_with(fetch), {0})[0].fields.substr(0, 11), R"({"f1":["a"])");
  fetch.fields.push_back({"f1", ""});
  const std::string refused =
      "the patterns of fields lead to more than [100000] fields: name fewer or narrower ones";
  EXPECT_EQ(refusal(index, fetch), refused);
  std::swap(fetch.fields, fetch.docvalue_fields);
  EXPECT_EQ(refusal(index, fetch), refused);
}

TEST(Fetch, ValuesThatTheIndexDidNotTake) {
  TestIndex index(R"({"properties":{
    "k":{"type":"keyword","ignore_above":4,"fields":{"short":{"type":"keyword","ignore_above":2}}},
    "n":{"type":"integer","ignore_malformed":true},"other":{"type":"alias","path":"n"},
    "none":{"type":"keyword","ignore_above":3,"null_value":"long null"},
    "f":{"type":"flattened","ignore_above":3}}})");
  index.add("1", R"({"k":["ab","abcdef",null,"abc",123456],"n":["1","x",2.7],"none":["a",null],
                     "f":[{"a":"12345","b":["1","12345",{"z":"12345"}]},{"q":"12345"}]})");
  index.refresh();
  FetchSpec fetch;
  fetch.fields = {{"k*", ""}, {"n", ""}, {"o*", ""}, {"none", ""}};
  const FetchedDocument found = index.fetch(frame_with(fetch), {0})[0];
  EXPECT_EQ(found.fields, R"({"k":["ab","abc"],"k.short":["ab"],"n":[1,2],"none":["a"],)"
                          R"("other":[1,2]})");
  EXPECT_EQ(found.ignored_values,
            R"({"k":["abcdef",123456],"k.short":["abcdef","abc",123456],"n":["x"],)"
            R"("none":["long null"],"other":["x"]})");
  fetch.fields = {{"f", ""}, {"f.b", ""}};
  const FetchedDocument flat = index.fetch(frame_with(fetch), {0})[0];
  EXPECT_EQ(flat.fields, R"({"f":[{"b":["1",{"z":"12345"}]}],"f.b":["1","12345",{"z":"12345"}]})");
  EXPECT_EQ(flat.ignored_values, R"({"f":[{"q":"12345"}]})");
}

TEST(Fetch, FieldsWithoutValuesAreRefused) {
  const Docs docs;
  FetchSpec fetch;
  fetch.fields = {{"_seq_no", ""}};
  EXPECT_EQ(refusal(docs.index, fetch),
            "error fetching [_seq_no]: Cannot fetch values for internal field [_seq_no].");
  fetch.fields = {};
  fetch.docvalue_fields = {{"_source", ""}};
  EXPECT_EQ(refusal(docs.index, fetch),
            "Fielddata is not supported on field [_source] of type [_source]");
  fetch.docvalue_fields = {{"_index", "x"}};
  EXPECT_EQ(refusal(docs.index, fetch),
            "Field [_index] of type [_index] does not support custom formats");
}

TEST(Fetch, VectorsAreNumbers) {
  TestIndex index(R"({"properties":{"v":{"type":"dense_vector","dims":3}}})");
  index.add("1", R"({"v":[1,2.5,-3e1]})");
  index.refresh();
  FetchSpec fetch;
  fetch.fields = {{"v", ""}};
  EXPECT_EQ(index.fetch(frame_with(fetch), {0})[0].fields, R"({"v":[1,2.5,-3e1]})");
}

TEST(Fetch, IgnoredFieldsAreNamed) {
  const Docs docs;
  const auto found = docs.index.fetch(frame_with({}), {0, 1, 2});
  EXPECT_EQ(found[0].ignored, R"(["tags"])");
  EXPECT_EQ(found[1].ignored, R"(["n"])");
  EXPECT_EQ(found[2].ignored, "");
  EXPECT_EQ(docs.index.ids(Query().exists("_ignored")), "1 2");
  EXPECT_EQ(docs.index.ids(Query().term("_ignored", "n")), "2");
}

TEST(Fetch, MatchedQueries) {
  const Docs docs;
  PlanFrame frame;
  frame.legs.push_back(
      Query().boolean({Query(1, "all").match_all()}, {},
                      {Query(1, "a").term("title", "a"), Query(1, "c").term("title", "c")}));
  frame.post_filter = Query(1, "post").exists("n");
  frame.fetch.flags = kFetchMatchedQueries;
  const auto found = docs.index.fetch(frame, {0, 1, 2});
  EXPECT_EQ(found[0].matched_queries, R"(["all","a","post"])");
  EXPECT_EQ(found[1].matched_queries, R"(["all","c"])");
  EXPECT_EQ(found[2].matched_queries, R"(["all","a"])");
}

/// The value at the top of an explanation.
double explained(const std::string& json) {
  const Result<JsonValue> parsed = JsonValue::parse(json);
  EXPECT_OK(parsed);
  return parsed.ok() ? parsed->find("value")->as_double().value_or(-1) : -1;
}

TEST(Fetch, ExplanationsAddUpToTheScore) {
  const Docs docs;
  const std::vector<testing::NodeBytes> queries = {
      Query(2).term("title", "a"),
      Query().match("title", "a b c"),
      Query().match_phrase("title", "a b"),
      Query().match_phrase("title", "b a", 2),
      Query().boolean({Query().match("title", "a")}, {Query().exists("title")},
                      {Query(3).term("tags", "a")}),
      Query().dis_max({Query().term("title", "a"), Query().term("all", "a")}, 0.3F),
      Query().boosting(Query().term("title", "a"), Query().exists("n"), 0.25F),
      Query(1.5F).constant_score(Query().range("n", 1, {"1"})),
      Query().terms("tags", {"a", "b"}),
      Query(2).term("ok", "true"),
      Query().prefix("title", "a"),
  };
  for (const auto& query : queries) {
    PlanFrame frame;
    frame.legs.push_back(query);
    const Result<ShardHits> hits = docs.index.run(frame);
    ASSERT_OK(hits);
    frame.fetch.flags = kFetchExplain;
    const auto found = docs.index.fetch(frame, hits->legs[0].docs);
    ASSERT_GT(found.size(), 0);
    for (size_t i = 0; i < found.size(); i++) {
      EXPECT_NEAR(explained(found[i].explanation), static_cast<double>(hits->legs[0].scores[i]),
                  1e-6);
    }
  }
}

TEST(Fetch, ATermExplainsItself) {
  TestIndex index(R"({"properties":{"k":{"type":"keyword"}}})");
  index.add("1", R"({"k":"x"})");
  index.add("2", R"({"k":"y"})");
  index.refresh();
  PlanFrame frame;
  frame.legs.push_back(Query().term("k", "x"));
  frame.fetch.flags = kFetchExplain;
  EXPECT_EQ(
      index.fetch(frame, {0})[0].explanation,
      R"({"value":0.6931471,"description":"weight(k:x in 0), result of:","details":[)"
      R"({"value":0.6931471,"description":"score(freq=1.0), computed as boost * idf * tf from:","details":[)"
      R"({"value":2.2,"description":"boost","details":[]},)"
      R"({"value":0.6931472,"description":"idf, computed as log(1 + (N - n + 0.5) / (n + 0.5)) from:","details":[)"
      R"({"value":1,"description":"n, number of documents containing term","details":[]},)"
      R"({"value":2,"description":"N, total number of documents with field","details":[]}]},)"
      R"({"value":0.45454544,"description":"tf, computed as freq / (freq + k1) from:","details":[)"
      R"({"value":1.0,"description":"freq, occurrences of term within document","details":[]},)"
      R"({"value":1.2,"description":"k1, term saturation parameter","details":[]}]}]}]})");
}

TEST(Fetch, ADocumentBeyondTheViewIsRefused) {
  const Docs docs;
  const std::vector<uint8_t> bytes = frame_with({}).bytes();
  const Result<Plan> plan = decode_plan(bytes);
  ASSERT_OK(plan);
  EXPECT_EQ(execute_fetch(docs.index.context(), *plan, std::vector<uint32_t>{3}).status().type(),
            ErrorType::kInternal);
}

}  // namespace quarry::fetch_test
