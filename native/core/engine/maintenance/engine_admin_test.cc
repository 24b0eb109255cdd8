// Index administration: specs and mappings as they are described, preserved over restarts, and
// rejected if they are invalid.
#include <string>

#include "engine/catalog/index_spec.h"
#include "json/value.h"
#include "testing/engine_node.h"
#include "testing/test.h"

namespace quarry::engine_admin_test {

using testing::EngineNode;
using testing::Query;

JsonValue parse(const std::string& json) {
  const auto value = JsonValue::parse(json, kMaxJsonDepth * 4);
  EXPECT_OK(value);
  return value.ok() ? *value : JsonValue();
}

std::string path(const JsonValue& root, std::initializer_list<const char*> keys) {
  const JsonValue* at = &root;
  for (const char* key : keys) {
    at = at->find(key);
    if (at == nullptr) return "absent";
  }
  return at->to_json();
}

TEST(EngineAdmin, ASpecIsDescribedWithWhatTheEngineAdds) {
  EngineNode node;
  ASSERT_OK(node.open());
  const auto made = node.engine->create_index(
      R"({"name":"a","number_of_shards":2,"settings":{"x":"1"},"aliases":{"b":{}},"uuid":"forged",)"
      R"("mappings":{"properties":{"t":{"type":"keyword"}}}})");
  ASSERT_OK(made);
  const JsonValue json = parse(*made);
  EXPECT_EQ(path(json, {"name"}), "\"a\"");
  EXPECT_EQ(path(json, {"number"}), "1");
  EXPECT_EQ(path(json, {"number_of_shards"}), "2");
  EXPECT_EQ(path(json, {"settings"}), R"({"x":"1"})");
  EXPECT_EQ(path(json, {"aliases", "b"}), "{}");
  EXPECT_EQ(path(json, {"mappings", "properties", "t", "type"}), "\"keyword\"");
  EXPECT_EQ(path(json, {"uuid"}).size(), 24);
  EXPECT_EQ(*node.engine->describe(1), *made);
  EXPECT_EQ(*node.engine->describe_all(), *made + "\n");
  ASSERT_OK(node.close());
  ASSERT_OK(node.open());
  EXPECT_EQ(*node.engine->describe(1), *made);
}

TEST(EngineAdmin, ACheckedChangeIsDescribedAndWritesNothing) {
  EngineNode node;
  ASSERT_OK(node.open());
  const uint32_t number = node.create("a", R"("mappings":{"properties":{"a":{"type":"long"}}})");
  const std::string before = *node.engine->describe(number);
  const auto after =
      node.engine->check_change(number, R"({"state":"close","name":"b","aliases":{"c":{}}})",
                                R"({"properties":{"b":{"type":"keyword"}}})");
  ASSERT_OK(after);
  const JsonValue json = parse(*after);
  EXPECT_EQ(path(json, {"state"}), "\"close\"");
  EXPECT_EQ(path(json, {"name"}), "\"a\"");
  EXPECT_EQ(path(json, {"aliases", "c"}), "{}");
  EXPECT_EQ(path(json, {"mappings", "properties", "b", "type"}), "\"keyword\"");
  const auto refused = [&](const char* members, const char* mappings) {
    return node.engine->check_change(number, members, mappings).status().type();
  };
  EXPECT_EQ(refused("", R"({"properties":{"a":{"type":"text"}}})"), ErrorType::kIllegalArgument);
  EXPECT_EQ(refused(R"({"settings":{"index.mapping.total_fields.limit":"x"}})", ""),
            ErrorType::kIllegalArgument);
  EXPECT_EQ(refused("{", ""), ErrorType::kXContentParse);
  EXPECT_EQ(node.engine->check_change(77, "", "").status().type(), ErrorType::kIndexNotFound);
  EXPECT_EQ(*node.engine->describe(number), before);
  ASSERT_OK(node.close());
  ASSERT_OK(node.open());
  EXPECT_EQ(*node.engine->describe(number), before);
}

TEST(EngineAdmin, BadSpecsLeaveNothing) {
  EngineNode node;
  ASSERT_OK(node.open());
  const auto refused = [&](const char* spec) {
    return node.engine->create_index(spec).status().type();
  };
  EXPECT_EQ(refused("{"), ErrorType::kXContentParse);
  EXPECT_EQ(refused("{}"), ErrorType::kIllegalArgument);
  EXPECT_EQ(refused(R"({"name":"a","number_of_shards":0})"), ErrorType::kIllegalArgument);
  EXPECT_EQ(refused(R"({"name":"a","mappings":{"properties":{"t":{"type":"nonsense"}}}})"),
            ErrorType::kMapperParsing);
  EXPECT_EQ(node.disk->list("/data/indices")->size(), 0);
  EXPECT_EQ(node.engine->describe(1).status().type(), ErrorType::kIndexNotFound);
}

TEST(EngineAdmin, MappingsGrowByRequestAndByDocumentAndSurviveAKill) {
  EngineNode node;
  ASSERT_OK(node.open());
  const uint32_t number = node.create("i");
  ASSERT_OK(node.engine->put_mapping(number, R"({"properties":{"a":{"type":"long"}}})"));
  node.put("i", "1", R"({"b":true})");
  const JsonValue grown = parse(*node.engine->describe(number));
  EXPECT_EQ(path(grown, {"mappings", "properties", "a", "type"}), "\"long\"");
  EXPECT_EQ(path(grown, {"mappings", "properties", "b", "type"}), "\"boolean\"");
  EXPECT_EQ(
      node.engine->put_mapping(number, R"({"properties":{"a":{"type":"text"}}})").status().type(),
      ErrorType::kIllegalArgument);
  node.engine.reset();
  ASSERT_OK(node.open());
  EXPECT_EQ(path(parse(*node.engine->describe(number)), {"mappings"}), path(grown, {"mappings"}));
}

TEST(EngineAdmin, SettingsChangeWhileDocumentsComeIn) {
  EngineNode node;
  ASSERT_OK(node.open());
  const uint32_t number =
      node.create("i", R"("settings":{"index":{"mapping":{"total_fields":{"limit":"3"}}}})");
  EXPECT_EQ(node.put("i", "1", R"({"a":1,"b":2,"c":3})").status, 201);
  EXPECT_EQ(node.put("i", "2", R"({"d":4})").error, ErrorType::kIllegalArgument);
  const auto changed = node.engine->put_spec(
      number,
      R"({"name":"other","settings":{"index":{"mapping":{"total_fields":{"limit":"9"}}}}})");
  ASSERT_OK(changed);
  EXPECT_EQ(path(parse(*changed), {"name"}), "\"i\"");
  EXPECT_EQ(node.put("i", "2", R"({"d":4,"a":9})").status, 201);
  node.refresh("i");
  EXPECT_EQ(node.search("i", Query().range("a", 1, {"1"})).total, 2);
  node.engine.reset();
  ASSERT_OK(node.open());
  EXPECT_EQ(node.put("i", "3", R"({"e":5})").status, 201);
}

TEST(EngineAdmin, ManyIndexesOpenWithoutTouchingTheirSegments) {
  EngineNode node;
  ASSERT_OK(node.open());
  for (int i = 0; i < 200; i++) {
    const std::string name = "i" + std::to_string(i);
    node.create(name);
    node.put(name, "1", "{}");
  }
  ASSERT_OK(node.close());
  // Segments are made unreadable to verify that they are not read.
  for (int i = 1; i <= 200; i++) {
    node.disk->damage("/data/indices/" + std::to_string(i) + "/0/seg-1.data", 0, 255);
  }
  ASSERT_OK(node.open());
  EXPECT_EQ(node.engine->needs_recovery().size(), 0);
  EXPECT_EQ(path(parse(*node.engine->index_stats(7)), {"docs"}), "1");
  EXPECT_EQ(path(parse(node.engine->node_stats()), {"docs"}), "200");
  EXPECT_EQ(node.search("i6", Query().match_all()).error, ErrorType::kCorrupt);
}

TEST(EngineAdmin, StatisticsCountWhatHappened) {
  EngineNode node;
  ASSERT_OK(node.open());
  const uint32_t number = node.create("i", "\"number_of_shards\":2");
  for (int i = 0; i < 10; i++) node.put("i", std::to_string(i), "{\"a\":1}");
  node.erase("i", "3");
  node.put("i", "4", "not json");
  const JsonValue before = parse(*node.engine->index_stats(number));
  EXPECT_EQ(path(before, {"docs"}), "0");
  EXPECT_EQ(path(before, {"memtable_docs"}), "9");
  EXPECT_EQ(path(before, {"index_total"}), "10");
  EXPECT_EQ(path(before, {"index_failed"}), "1");
  EXPECT_EQ(path(before, {"delete_total"}), "1");
  EXPECT_OK(node.flush("i"));
  const JsonValue after = parse(*node.engine->index_stats(number));
  EXPECT_EQ(path(after, {"docs"}), "9");
  EXPECT_EQ(path(after, {"segments"}), "2");
  EXPECT_EQ(after.find("shards")->items().size(), 2);
  const JsonValue& shard = after.find("shards")->items()[0];
  EXPECT_EQ(path(shard.find("segments")->items().at(0), {"committed"}), "true");
}

TEST(EngineAdmin, AnalyzeAnswersAsElasticsearch) {
  EngineNode node;
  ASSERT_OK(node.open());
  const uint32_t number = node.create(
      "i",
      R"("settings":{"analysis":{"analyzer":{"mine":{"type":"custom","tokenizer":"whitespace","filter":["lowercase"]}}}},)"
      R"("mappings":{"properties":{"k":{"type":"keyword"},"t":{"type":"text","analyzer":"mine"},"n":{"type":"long"}}})");
  const auto analyze = [&](uint32_t index, const char* request) {
    const auto answer = node.engine->analyze(index, request);
    return answer.ok() ? *answer : answer.status().reason();
  };
  EXPECT_EQ(
      analyze(UINT32_MAX, R"({"text":"Ab \ud83d\ude00 c"})"),
      R"({"tokens":[{"token":"ab","start_offset":0,"end_offset":2,"type":"<ALPHANUM>","position":0},)"
      R"({"token":"😀","start_offset":3,"end_offset":5,"type":"<EMOJI>","position":1},)"
      R"({"token":"c","start_offset":6,"end_offset":7,"type":"<ALPHANUM>","position":2}]})");
  EXPECT_EQ(
      analyze(number, R"({"field":"t","text":["A-b","C"]})"),
      R"({"tokens":[{"token":"a-b","start_offset":0,"end_offset":3,"type":"word","position":0},)"
      R"({"token":"c","start_offset":4,"end_offset":5,"type":"word","position":101}]})");
  EXPECT_EQ(
      analyze(number, R"({"field":"k","text":"A b"})"),
      R"({"tokens":[{"token":"A b","start_offset":0,"end_offset":3,"type":"word","position":0}]})");
  EXPECT_EQ(
      analyze(
          UINT32_MAX,
          R"({"tokenizer":"keyword","filter":["lowercase",{"type":"truncate","length":2}],"text":"ABC"})"),
      R"({"tokens":[{"token":"ab","start_offset":0,"end_offset":3,"type":"word","position":0}]})");
  EXPECT_EQ(analyze(number, R"({"field":"n","text":"1"})"),
            "Can't process field [n], Analysis requests are only supported on tokenized fields");
  EXPECT_EQ(analyze(UINT32_MAX, R"({"analyzer":"nope","text":"x"})"),
            "failed to find global analyzer [nope]");
  EXPECT_EQ(analyze(UINT32_MAX, R"({"analyzer":"standard"})"),
            "Validation Failed: 1: text is missing;");
  EXPECT_EQ(analyze(UINT32_MAX, R"({"text":"x","explain":true})"),
            "[_analyze] does not support [explain], leave it out");
  EXPECT_EQ(analyze(UINT32_MAX, R"({"text":"x","other":1})"),
            "[analyze_request] unknown field [other]");
}

/// The positions in a response of _analyze.
std::string positions(const std::string& json) {
  std::string out;
  for (size_t at = 0; (at = json.find(R"("position":)", at)) != std::string::npos;) {
    at += 11;
    out += (out.empty() ? "" : " ") + json.substr(at, json.find_first_of(",}", at) - at);
  }
  return out;
}

TEST(EngineAdmin, AnalyzeLeavesAGapBetweenTexts) {
  EngineNode node;
  ASSERT_OK(node.open());
  const uint32_t number = node.create(
      "i",
      R"("settings":{"analysis":{"analyzer":{"wide":{"type":"standard","position_increment_gap":7}}}},)"
      R"("mappings":{"properties":{"k":{"type":"keyword"},"t":{"type":"text","position_increment_gap":3}}})");
  const auto analyze = [&](uint32_t index, const std::string& how) {
    const auto answer = node.engine->analyze(index, R"({"text":["a b","c"])" + how + "}");
    return answer.ok() ? positions(*answer) : answer.status().reason();
  };
  EXPECT_EQ(analyze(number, R"(,"field":"t")"), "0 1 5");
  EXPECT_EQ(analyze(number, R"(,"field":"k")"), "0 1");
  EXPECT_EQ(analyze(number, R"(,"analyzer":"wide")"), "0 1 9");
  EXPECT_EQ(analyze(number, R"(,"analyzer":"standard")"), "0 1 102");
  EXPECT_EQ(analyze(UINT32_MAX, R"(,"analyzer":"standard")"), "0 1 2");
  EXPECT_EQ(analyze(UINT32_MAX, ""), "0 1 2");
  EXPECT_EQ(analyze(number, R"(,"normalizer":"lowercase")"), "0 1");
  EXPECT_EQ(analyze(UINT32_MAX, R"(,"normalizer":"lowercase")"),
            "Validation Failed: 1: index is required if normalizer is specified;");
  EXPECT_EQ(analyze(UINT32_MAX, R"(,"tokenizer":"standard")"), "0 1 102");
}

TEST(EngineAdmin, IndexesKeepTheStemmersTheyWereMadeWith) {
  EngineNode node;
  ASSERT_OK(node.open());
  const std::string mapping =
      R"("mappings":{"properties":{"t":{"type":"text","analyzer":"spanish"}}})";
  const uint32_t older = node.create("older", mapping);
  const uint32_t newer = node.create("newer", R"("analysis_version":2,)" + mapping);
  const auto stems = [&](uint32_t index) {
    const auto answer = node.engine->analyze(index, R"({"field":"t","text":"ejecutivas"})");
    return answer.ok() ? answer->substr(0, answer->find(",\"start")) : answer.status().reason();
  };
  EXPECT_EQ(stems(older), R"({"tokens":[{"token":"ejecut")");
  EXPECT_EQ(stems(newer), R"({"tokens":[{"token":"ejecutiv")");
  // The same applies when settings change.
  EXPECT_OK(node.engine->put_spec(older, R"({"settings":{"index":{"max_ngram_diff":"2"}}})"));
  EXPECT_EQ(stems(older), R"({"tokens":[{"token":"ejecut")");
}

TEST(EngineAdmin, SpecsAreCheckedWithoutAnIndex) {
  EXPECT_OK(check_index_spec(R"({"settings":{},"mappings":{"properties":{"a":{"type":"text"}}}})"));
  EXPECT_EQ(check_index_spec(R"({"mappings":{"properties":{"a":{"type":"nope"}}}})").type(),
            ErrorType::kMapperParsing);
  EXPECT_FALSE(
      check_index_spec(
          R"({"settings":{"analysis":{"analyzer":{"m":{"type":"custom","tokenizer":"nope"}}}}})")
          .ok());
}

/// The memory limit depends on the size of the shard: 16 MiB for an empty one, memtable_flush_bytes
/// for one that is larger on disk.
TEST(EngineAdmin, SmallShardsAreFlushedEarlier) {
  EngineNode node;
  ASSERT_OK(node.open());
  const uint32_t number = node.create("i");
  const std::string text(100'000, 'x');
  const auto fill = [&](int from, int to) {
    for (int i = from; i < to; i++) {
      node.put("i", std::to_string(i), "{\"k\":\"" + text + "\"}");
    }
  };
  fill(0, 50);
  EXPECT_EQ(node.engine->flush_candidates().size(), 0);
  fill(50, 100);
  ASSERT_EQ(node.engine->flush_candidates().size(), 1);
  ASSERT_OK(node.engine->flush({number, 0}));
  EXPECT_EQ(node.engine->flush_candidates().size(), 0);
}

}  // namespace quarry::engine_admin_test
