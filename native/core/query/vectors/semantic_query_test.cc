// semantic clauses: their hits alone and among other clauses; errors.
#include <limits>
#include <string>
#include <vector>

#include "query/vectors/vector_searchers.h"
#include "testing/test_index.h"
#include "testing/vector_nodes.h"

namespace quarry::semantic_query_test {

using testing::NodeBytes;
using testing::PlanFrame;
using testing::Query;
using testing::SemanticNode;
using testing::TestIndex;

constexpr std::string_view kMapping = R"({"properties":{
  "body":{"type":"semantic_text","dims":64},"n":{"type":"long"},"title":{"type":"text"}}})";

TestIndex make_pets() {
  TestIndex index(kMapping);
  index.add("dog", R"({"body":"A dog sleeps in the garden","n":1,"title":"dog"})");
  index.add("cat", R"({"body":"The cat hunts a mouse","n":2})");
  index.refresh();
  index.add("both", R"({"body":"Cat and dog are friends","n":3})");
  index.add("none", R"({"n":4})");
  index.add("empty", R"({"body":"the of and","n":5})");
  index.refresh();
  return index;
}

TEST(SemanticQuery, FindsByWordsAndTheirParts) {
  const TestIndex index = make_pets();
  EXPECT_EQ(index.ids(SemanticNode{"sleeping dogs", 1}.bytes()), "dog");
  EXPECT_EQ(index.ids(SemanticNode{"huntings", 1}.bytes()), "cat");
  EXPECT_EQ(index.run(SemanticNode{"dog", 10}.bytes())->total, 3U);
  EXPECT_EQ(index.ids(SemanticNode{"dog", 10, Query().range("n", 1, {"3"})}.bytes()), "both");
  EXPECT_EQ(index.ids(SemanticNode{"dog", 10, Query().match_none()}.bytes()), "");
}

TEST(SemanticQuery, WhatHasNoMeaningFindsNothing) {
  const TestIndex index = make_pets();
  for (const char* text : {"", "the of", "  ?!"}) {
    EXPECT_EQ(index.ids(SemanticNode{text, 10}.bytes()), "");
  }
  SemanticNode unmapped{"dog"};
  unmapped.field = "nobody";
  EXPECT_EQ(index.ids(unmapped.bytes()), "");
  const TestIndex nothing(kMapping);
  EXPECT_EQ(nothing.ids(SemanticNode{"dog"}.bytes()), "");
}

TEST(SemanticQuery, BoostsAndStandsAmongOtherClauses) {
  const TestIndex index = make_pets();
  SemanticNode node{"cats", 2};
  const float plain = index.score(node.bytes());
  node.boost = 2.5F;
  EXPECT_NEAR(index.score(node.bytes()), plain * 2.5F, 1e-6F);
  const Query q;
  EXPECT_EQ(index.ids(q.boolean({node.bytes()}, {q.range("n", 1, {"3"})})), "both");
  EXPECT_EQ(index.ids(q.boolean({}, {}, {}, {node.bytes()})), "dog none empty");
}

std::string refusal(const TestIndex& index, SemanticNode node, std::string_view field = "body") {
  node.field = field;
  return index.error(node.bytes());
}

TEST(SemanticQuery, RefusesWhatMakesNoSense) {
  const TestIndex index = make_pets();
  EXPECT_EQ(refusal(index, {"dog"}, "title"),
            "illegal_argument_exception: [semantic] queries are only supported on [semantic_text] "
            "fields, [title] is of type [text]");
  EXPECT_EQ(refusal(index, {"dog"}, "body_vector"),
            "illegal_argument_exception: [semantic] queries are only supported on [semantic_text] "
            "fields, [body_vector] is of type [dense_vector]");
  EXPECT_EQ(refusal(index, {"dog"}, "_id"),
            "illegal_argument_exception: [semantic] queries are only supported on [semantic_text] "
            "fields, [_id] is of type [_id]");
  EXPECT_EQ(refusal(index, {"dog", 0}),
            "illegal_argument_exception: [semantic] [k] must be greater than 0");
  EXPECT_EQ(refusal(index, {"dog", 10001}),
            "illegal_argument_exception: [semantic] [k] cannot exceed [10000]");
  SemanticNode few{"dog", 10};
  few.num_candidates = 9;
  EXPECT_EQ(refusal(index, few),
            "illegal_argument_exception: [semantic] [num_candidates] cannot be less than [k]");
}

/// Vectors of a remote embedder: the number in the text, and one.
class NumberVectors final : public VectorSource {
 public:
  Status embed(const Field&, std::string_view text, std::vector<float>& out) override {
    out = {std::stof(std::string(text)), 1};
    return {};
  }
};

TEST(SemanticQuery, TakesVectorsOfRemoteEmbedders) {
  TestIndex index(R"({"properties":{"body":{"type":"semantic_text","inference_id":"mini",
                      "embedder":"mini@1","dims":2}}})");
  NumberVectors vectors;
  index.use_vectors(&vectors);
  for (const char* n : {"0", "1", "-4"}) {
    index.add(n, R"({"body":")" + std::string(n) + "\"}");
  }
  index.refresh();
  SemanticNode node{"ignored", 2};
  node.vectors = {{"other", {1}}, {"mini@1", {3, 3}}};
  EXPECT_EQ(index.ids(node.bytes()), "1 0");
  EXPECT_NEAR(index.score(node.bytes()), 1.0F, 1e-6F);
  const std::string gave =
      "illegal_argument_exception: [semantic] the vector that embedder [mini@1] gave for the query "
      "of field [body] has ";
  const float nan = std::numeric_limits<float>::quiet_NaN();
  node.vectors[1].second = {1, 2, 3};
  EXPECT_EQ(refusal(index, node), gave + "3 dimensions, the field has dims [2]");
  node.vectors[1].second = {0, 0};
  EXPECT_EQ(refusal(index, node),
            gave + "length 0, so no direction. Preview of invalid vector: [0.0, 0.0]");
  node.vectors[1].second = {1, nan};
  EXPECT_EQ(refusal(index, node).substr(0, gave.size() + 32),
            gave + "values that are no finite number");
  node.vectors.pop_back();
  EXPECT_EQ(refusal(index, node).substr(0, 92),
            "illegal_argument_exception: [semantic] field [body] is embedded by [mini@1], of which "
            "the se");
}

TEST(SemanticQuery, ExplainsItsScoreAndItsWeights) {
  const TestIndex index = make_pets();
  PlanFrame frame;
  frame.legs = {SemanticNode{"garden dog", 2}.bytes()};
  frame.fetch.flags = kFetchExplain;
  const std::vector<FetchedDocument> found = index.fetch(frame, {0, 1});
  ASSERT_EQ(found.size(), 2U);
  for (const char* part :
       {"within top 2 documents", "cosine of the whole text and the query",
        "weight of [garden], which 1 document has", "weight of [dog], which 2 documents have",
        "sqrt(idf) with 4 documents that have the field"}) {
    EXPECT_TRUE(found[0].explanation.find(part) != std::string::npos);
  }
  EXPECT_TRUE(found[1].explanation.find("not in top 2 documents") != std::string::npos);
}

TEST(SemanticQuery, EmbeddersAreLentAndGivenBack) {
  const TestIndex index = make_pets();
  EmbedderPool embedders;
  VectorSearcherPool searchers(&embedders);
  SearchContext context = index.context();
  context.searchers = &searchers;
  PlanFrame frame;
  frame.legs = {SemanticNode{"dog", 2}.bytes(), SemanticNode{"cat", 1}.bytes()};
  const std::vector<uint8_t> bytes = frame.bytes();
  const Result<Plan> plan = decode_plan(bytes);
  for (int i = 0; i < 3; i++) {
    const Result<ShardHits> hits = execute_search(context, *plan);
    ASSERT_OK(hits);
    EXPECT_EQ(hits->legs[0].docs.size(), 2U);
    EXPECT_GT(hits->vectors.exact_distances, 0U);
  }
}

TEST(SemanticQuery, DamagedClausesAreErrors) {
  const TestIndex index = make_pets();
  SemanticNode node{"dog", 2, Query().range("n", 1, {"3"})};
  node.vectors = {{"mini@1", {1, 2}}};
  const NodeBytes whole = node.bytes();
  for (size_t size = 8; size < whole.size(); size++) {
    ByteWriter payload;
    payload.put_bytes(Bytes(whole).subspan(8, size - 8));
    EXPECT_TRUE(index.error(testing::raw_node(PlanOp::kSemantic, payload)) != "");
  }
  for (size_t at = 8; at < whole.size(); at++) {
    for (const int value : {0x00, 0x01, 0x7f, 0x80, 0xff}) {
      NodeBytes damaged = whole;
      damaged[at] = static_cast<uint8_t>(value);
      static_cast<void>(index.error(damaged));
    }
  }
}

}  // namespace quarry::semantic_query_test
