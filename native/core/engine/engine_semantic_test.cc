// semantic_text over the life of a node: after any writes, replacements, merges, restarts or power
// cuts, the vectors are those of the existing texts. A failure prints the seed.
#include <map>
#include <string>
#include <vector>

#include "json/value.h"
#include "testing/engine_node.h"
#include "testing/semantic_documents.h"
#include "testing/test.h"

namespace quarry::engine_semantic_test {

using testing::EngineNode;
using testing::random_text;

constexpr uint32_t kDims = 16;

const char* const kMapping = R"("mappings":{"properties":{
    "body":{"type":"semantic_text","dims":16},
    "o":{"properties":{"x":{"type":"semantic_text","dims":16}}},
    "title":{"type":"text","copy_to":"body","fields":{"s":{"type":"semantic_text","dims":16}}}}})";

std::string put_json(const std::string& text) {
  std::string json;
  append_json_string(json, text);
  return json;
}

/// The source of a get that includes `name`.
std::string source_with(EngineNode& node, const std::string& id, const std::string& name,
                        bool realtime, const std::vector<std::string>& excludes = {}) {
  testing::PlanFrame plan;
  plan.fetch.source = 2;
  plan.fetch.includes = {name};
  plan.fetch.excludes = excludes;
  const auto answer = testing::decode_fetched(
      node.engine->get(node.number_of("i"), id, "", realtime, plan.bytes()));
  EXPECT_EQ(answer.reason, "");
  if (answer.documents.empty() || !answer.documents[0].found) return {};
  return answer.documents[0].source;
}

std::string expected_source(const std::string& name, const std::string& text) {
  const std::vector<float> vector = testing::embedded_unit(text, kDims);
  return vector.empty() ? "{}" : "{\"" + name + "\":" + testing::floats_json(vector) + "}";
}

uint64_t vector_count(EngineNode& node) {
  const auto json = JsonValue::parse(*node.engine->index_stats(node.number_of("i")));
  return static_cast<uint64_t>(json->find("vector_count")->as_int().value_or(-1));
}

/// The number of rows for the texts: one for each text and one for each passage.
uint64_t rows_of(const std::map<std::string, std::string>& texts) {
  uint64_t rows = 0;
  for (const auto& [id, text] : texts) {
    rows += testing::embedded_unit(text, kDims).empty() ? 0 : 1;
    rows += split_passages(text).size();
  }
  return rows;
}

/// Random operations on field `body`, compared with the expected texts.
class SemanticHistory {
 public:
  explicit SemanticHistory(uint64_t seed) : random_(seed), node_(std::make_unique<EngineNode>()) {
    node_->options.wal_file_bytes = 1 << 16;
    EXPECT_OK(node_->open());
    node_->create("i", std::string(kMapping) +
                           ",\"number_of_shards\":" + std::to_string(1 + random_.below(2)));
  }

  void run(int steps) {
    for (int i = 0; i < steps; i++) step();
    check(true);
    node_->refresh("i");
    check(false);
    while (node_->merge("i", 1)) {
    }
    check(false);
    EXPECT_EQ(vector_count(*node_), rows_of(texts_));
  }

 private:
  std::string some_id() { return "d" + std::to_string(random_.below(25)); }

  void step() {
    const std::string id = some_id();
    switch (random_.below(16)) {
      case 0:
        node_->refresh("i");
        return check(false);
      case 1:
        EXPECT_OK(node_->flush("i"));
        return;
      case 2:
        node_->merge("i", random_.below(3) == 0 ? 1 : 0);
        return;
      case 3:
        EXPECT_OK(node_->close());
        EXPECT_OK(node_->open());
        return check(true);
      case 4: {
        EXPECT_OK(node_->engine->sync_wal());
        auto after = node_->crash(random_.next());
        node_ = std::move(after);
        EXPECT_OK(node_->open());
        return check(true);
      }
      case 5:
      case 6:
        node_->erase("i", id);
        texts_.erase(id);
        return;
      case 7:
        return update(id);
      default:
        return bulk();
    }
  }

  void bulk() {
    std::string body;
    for (uint64_t count = 1 + random_.below(12); count > 0; count--) {
      const std::string id = some_id();
      texts_[id] = random_text(random_);
      body += R"({"index":{"_id":")" + id + "\"}}\n{\"body\":" + put_json(texts_[id]) + "}\n";
    }
    for (const auto& item : node_->bulk(body, "i").items) EXPECT_EQ(item.reason, "");
  }

  void update(const std::string& id) {
    if (!texts_.contains(id)) return;
    texts_[id] = random_text(random_);
    const auto answer = node_->bulk(
        R"({"update":{"_id":")" + id + "\"}}\n{\"doc\":{\"body\":" + put_json(texts_[id]) + "}}\n",
        "i");
    ASSERT_EQ(answer.items.size(), 1U);
    EXPECT_EQ(answer.items[0].reason, "");
  }

  void check(bool realtime) {
    for (const auto& [id, text] : texts_) {
      ASSERT_EQ(source_with(*node_, id, "body_vector", realtime),
                expected_source("body_vector", text));
    }
  }

  Random random_;
  std::unique_ptr<EngineNode> node_;
  std::map<std::string, std::string> texts_;
};

TEST(EngineSemantic, RandomHistoriesKeepTheVectorsOfTheirTexts) {
  for (uint64_t seed = 1; seed <= 12; seed++) {
    const size_t failures = testing::failures().size();
    SemanticHistory(seed).run(60);
    if (testing::failures().size() != failures) EXPECT_EQ(seed, uint64_t{0});
  }
}

TEST(EngineSemantic, FetchesRequestedCompanions) {
  EngineNode node;
  ASSERT_OK(node.open());
  node.create("i", kMapping);
  const std::string text = "stars of the north";
  EXPECT_EQ(
      node.put("i", "1", R"({"o":{"x":"stars of the north","y":1},"title":"stars of the north"})")
          .reason,
      "");
  EXPECT_EQ(node.put("i", "2", R"({"o":[{"x":"stars of the north"}]})").reason, "");
  const std::string vector = testing::floats_json(testing::embedded_unit(text, kDims));
  for (const bool realtime : {true, false}) {
    if (!realtime) node.refresh("i");
    EXPECT_EQ(source_with(node, "1", "o.x_vector", realtime),
              R"({"o":{"x_vector":)" + vector + "}}");
    EXPECT_EQ(source_with(node, "1", "body_vector", realtime), R"({"body_vector":)" + vector + "}");
    EXPECT_EQ(source_with(node, "1", "title.s_vector", realtime),
              R"({"title.s_vector":)" + vector + "}");
    EXPECT_EQ(source_with(node, "2", "o.x_vector", realtime),
              R"({"o":{"x_vector":)" + vector + "}}");
    EXPECT_EQ(source_with(node, "2", "body_vector", realtime), "{}");
    for (const char* other : {"o.x_*", "*_vector", "body_vector.passages", "body_vector*"}) {
      EXPECT_EQ(source_with(node, "1", other, realtime), "{}");
    }
    EXPECT_EQ(source_with(node, "1", "o.x_vector", realtime, {"o"}), "{}");
    EXPECT_EQ(source_with(node, "1", "o.x_vector", realtime, {"*_vector"}), "{}");
  }
}

TEST(EngineSemantic, EachFieldKeepsItsRecipeThroughRestarts) {
  const std::string text =
      "\u7389\u9732 and tea";  // two Han characters, whose pair both recipes have
  const auto shown = [&](const std::string& name, LexicalRecipe recipe) {
    return "{\"" + name +
           "\":" + testing::floats_json(testing::embedded_unit(text, kDims, recipe)) + "}";
  };
  const std::string first = shown("a_vector", LexicalRecipe::kFirst);
  const std::string second = shown("b_vector", LexicalRecipe::kSecond);
  EXPECT_TRUE(first.substr(12) != second.substr(12));
  auto node = std::make_unique<EngineNode>();
  ASSERT_OK(node->open());
  node->create("i", R"("mappings":{"properties":{"a":{"type":"semantic_text","dims":16},
      "b":{"type":"semantic_text","dims":16,"embedder":"svc-lex-2"}}})");
  const std::string source = "{\"a\":" + put_json(text) + ",\"b\":" + put_json(text) + "}";
  EXPECT_EQ(node->bulk("{\"index\":{\"_id\":\"1\"}}\n" + source + "\n", "i").items[0].reason, "");
  const auto check = [&](bool realtime) {
    EXPECT_EQ(source_with(*node, "1", "a_vector", realtime), first);
    EXPECT_EQ(source_with(*node, "1", "b_vector", realtime), second);
  };
  check(true);
  EXPECT_OK(node->engine->sync_wal());
  node = node->crash(1);
  ASSERT_OK(node->open());
  check(true);
  node->refresh("i");
  EXPECT_OK(node->flush("i"));
  EXPECT_OK(node->close());
  ASSERT_OK(node->open());
  check(false);
}

TEST(EngineSemantic, RefusesDocumentsThatBringVectors) {
  EngineNode node;
  ASSERT_OK(node.open());
  node.create("i", kMapping);
  EXPECT_EQ(node.put("i", "1", R"({"body":"a","body_vector":[1]})").status, 400);
  EXPECT_EQ(node.put("i", "1", R"({"o.x_vector":[1]})").status, 400);
  EXPECT_EQ(node.put("i", "1", R"({"body":"north"})").status, 201);
  node.refresh("i");
  EXPECT_EQ(vector_count(node), uint64_t{1});
}

TEST(EngineSemantic, GrowsByTemplates) {
  EngineNode node;
  ASSERT_OK(node.open());
  node.create("i", R"("mappings":{"dynamic_templates":[{"t":{"match":"*_s","mapping":
      {"type":"semantic_text","dims":16}}}]})");
  EXPECT_EQ(node.put("i", "1", R"({"a_s":"stars of the north"})").reason, "");
  EXPECT_EQ(source_with(node, "1", "a_s_vector", true),
            expected_source("a_s_vector", "stars of the north"));
  const std::string described = *node.engine->describe(node.number_of("i"));
  EXPECT_TRUE(
      described.find(R"("a_s":{"type":"semantic_text","embedder":"svc-lex-1","dims":16})") !=
      std::string::npos);
  EXPECT_TRUE(described.find("a_s_vector") == std::string::npos);
}

}  // namespace quarry::engine_semantic_test
