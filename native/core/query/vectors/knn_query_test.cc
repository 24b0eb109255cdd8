// knn clauses: the nearest vectors and their scores, alone and among other clauses; errors.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "base/random.h"
#include "query/cache/filter_cache.h"
#include "query/vectors/vector_searchers.h"
#include "testing/test_index.h"
#include "testing/vector_nodes.h"

namespace quarry::knn_query_test {

using testing::KnnNode;
using testing::NodeBytes;
using testing::PlanFrame;
using testing::Query;
using testing::TestIndex;

constexpr std::string_view kMapping = R"({"properties":{
  "emb":{"type":"dense_vector","dims":2,"similarity":"l2_norm"},
  "cos":{"type":"dense_vector","dims":2},
  "late":{"type":"dense_vector"},
  "kept":{"type":"dense_vector","dims":2,"index":false},
  "n":{"type":"long"},"t":{"type":"text"},"tag":{"type":"keyword"}}})";

/// Documents 0 .. 9 at (i, 0) in segments of four, with their number as n; 10 has no vector.
TestIndex make_line() {
  TestIndex index(kMapping);
  for (int i = 0; i < 10; i++) {
    const std::string n = std::to_string(i);
    const std::string tag = i % 2 == 0 ? "even" : "odd";
    index.add(n, R"({"emb":[)" + n + R"(,0],"cos":[1,)" + n + R"(],"n":)" + n +
                     R"(,"t":"fox","tag":")" + tag + R"("})");
    if (i % 4 == 3) index.refresh();
  }
  index.add("10", R"({"n":10,"t":"fox fox","tag":"even"})");
  index.refresh();
  return index;
}

NodeBytes near(float at, uint32_t k, const NodeBytes& filter = {}) {
  return KnnNode{{at, 0}, k, filter}.bytes();
}

TEST(KnnQuery, FindsTheNearestOfAllSegmentsTiesToTheEarlierDocument) {
  const TestIndex index = make_line();
  EXPECT_EQ(index.ids(near(4.1F, 3)), "4 5 3");
  EXPECT_EQ(index.ids(near(5, 3)), "5 4 6");
  EXPECT_EQ(index.ids(near(5, 2)), "5 4");
  EXPECT_EQ(index.ids(near(0, 10000)), "0 1 2 3 4 5 6 7 8 9");
}

TEST(KnnQuery, ScoresTimesBoost) {
  const TestIndex index = make_line();
  EXPECT_NEAR(index.score(near(4.5F, 1)), 1 / 1.25, 1e-6);
  KnnNode cosine{{1, 1}, 1};
  cosine.field = "cos";
  EXPECT_NEAR(index.score(cosine.bytes()), 1, 1e-6);
  cosine.vector = {0, 1};
  cosine.k = 10;
  cosine.boost = 3;
  EXPECT_NEAR(index.score(cosine.bytes()), 3 * (1 + 9 / std::sqrt(82)) / 2, 1e-5);
}

TEST(KnnQuery, CountsNearestVectorsExactly) {
  const TestIndex index = make_line();
  for (const uint32_t k : {1U, 3U, 10U}) {
    PlanFrame frame;
    frame.legs = {near(4, k)};
    frame.window = 0;
    EXPECT_EQ(index.run(frame)->total, k);
    frame.window = 2;
    frame.track_total_hits = 1;
    EXPECT_EQ(index.run(frame)->legs[0].docs.size(), std::min(k, 2U));
  }
}

TEST(KnnQuery, DeletedDocumentsTakeNoPlace) {
  TestIndex index = make_line();
  for (const char* id : {"4", "5", "7"}) index.remove(id);
  EXPECT_EQ(index.ids(near(4.1F, 3)), "3 6 2");
  EXPECT_EQ(index.run(near(4.1F, 3))->total, 3);
}

TEST(KnnQuery, AFilterComesBeforeTheK) {
  TestIndex index = make_line();
  EXPECT_EQ(index.ids(near(4.1F, 3, Query().term("tag", "odd"))), "5 3 7");
  EXPECT_EQ(index.ids(near(4.1F, 3, Query().range("n", 1, {"8"}))), "8 9");
  EXPECT_EQ(index.ids(near(4.1F, 3, Query().match_none())), "");
  EXPECT_EQ(index.ids(near(4.1F, 3, Query().match_all())), "4 5 3");
  EXPECT_EQ(index.ids(near(4.1F, 3, near(9, 2))), "8 9");
  index.remove("5");
  EXPECT_EQ(index.ids(near(4.1F, 3, Query().term("tag", "odd"))), "3 7 1");
}

TEST(KnnQuery, SimilarityCutsByDistance) {
  const TestIndex index = make_line();
  KnnNode knn{{4, 0}, 10};
  knn.similarity = 1.5F;
  EXPECT_EQ(index.ids(knn.bytes()), "4 3 5");
  knn.boost = 0.001F;
  EXPECT_EQ(index.ids(knn.bytes()), "4 3 5");
}

TEST(KnnQuery, StandsWhereverAQueryDoes) {
  const TestIndex index = make_line();
  const Query q;
  const NodeBytes knn = near(4.1F, 3);
  EXPECT_EQ(index.ids(q.boolean({knn}, {q.term("tag", "odd")})), "5 3");
  EXPECT_EQ(index.ids(q.boolean({q.term("tag", "odd")}, {knn})), "3 5");
  EXPECT_EQ(index.ids(q.boolean({}, {knn}, {}, {q.term("tag", "odd")})), "4");
  EXPECT_EQ(index.ids(q.boolean({q.range("n", 4, {"5"})}, {}, {}, {knn})), "0 1 2");
  EXPECT_EQ(index.ids(q.constant_score(knn)), "3 4 5");
  EXPECT_EQ(index.ids(q.dis_max({knn, near(9, 1)})), "9 4 5 3");
  EXPECT_EQ(index.ids(q.boosting(knn, q.term("n", "4"), 0.1F)), "5 3 4");
  PlanFrame frame;
  frame.legs = {q.match_all()};
  frame.post_filter = knn;
  EXPECT_EQ(index.ids(frame), "3 4 5");
}

TEST(KnnQuery, AddsItsScoresToThoseOfAQueryWhateverIsPruned) {
  const TestIndex index = make_line();
  const Query q;
  const NodeBytes both = q.boolean({}, {}, {q.match("t", "fox"), near(4.1F, 3)});
  const Result<ShardHits> all = index.run(both);
  ASSERT_OK(all);
  EXPECT_EQ(all->total, 11);
  const float text = index.score(q.boolean({q.match("t", "fox")}, {q.term("n", "4")}));
  EXPECT_NEAR(all->legs[0].scores[0], text + index.score(near(4.1F, 3)), 1e-6);
  EXPECT_EQ(index.ids(both).substr(0, 5), "4 5 3");
  PlanFrame frame;
  frame.legs = {both};
  frame.window = 2;
  frame.track_total_hits = 1;
  EXPECT_EQ(index.ids(frame), "4 5");
  frame.track_total_hits = kExactTotal;
  SortKey by_n;
  by_n.field = "n";
  by_n.descending = true;
  frame.sort = {by_n};
  EXPECT_EQ(index.ids(frame), "10 9");
  frame.legs = {near(4.1F, 3)};
  EXPECT_EQ(index.ids(frame), "5 4");
}

TEST(KnnQuery, FindsNothingWithoutVectors) {
  const TestIndex index = make_line();
  KnnNode knn{{1, 2, 3}};
  knn.field = "nobody";
  EXPECT_EQ(index.ids(knn.bytes()), "");
  knn.field = "late";
  EXPECT_EQ(index.ids(knn.bytes()), "");
  const TestIndex empty(kMapping);
  EXPECT_EQ(empty.ids(near(1, 3)), "");
}

TEST(KnnQuery, RefusesFieldsByName) {
  const TestIndex index = make_line();
  KnnNode knn{{1, 2}};
  const std::string only =
      "illegal_argument_exception: [knn] queries are only supported on "
      "[dense_vector] fields, ";
  knn.field = "t";
  EXPECT_EQ(index.error(knn.bytes()), only + "[t] is of type [text]");
  knn.field = "_id";
  EXPECT_EQ(index.error(knn.bytes()), only + "[_id] is of type [_id]");
  knn.field = "kept";
  EXPECT_EQ(index.error(knn.bytes()),
            "illegal_argument_exception: to perform knn search on field [kept], its mapping must "
            "have [index] set to [true]");
  knn.field = "emb";
  knn.filter = Query().match("emb", "x");
  EXPECT_EQ(index.error(knn.bytes()),
            "query_shard_exception: failed to create query: Field [emb] of type [dense_vector] "
            "does not support match queries");
}

TEST(KnnQuery, RefusesVectorsThatDoNotFit) {
  const TestIndex index = make_line();
  const std::string illegal = "illegal_argument_exception: ";
  EXPECT_EQ(index.error(KnnNode{{1, 2, 3}}.bytes()),
            illegal + "query_vector has 3 dimensions, field [emb] is mapped with dims [2]");
  EXPECT_EQ(index.error(KnnNode{{}}.bytes()),
            illegal + "query_vector has 0 dimensions, field [emb] is mapped with dims [2]");
  EXPECT_EQ(index.error(Query().boolean({}, {KnnNode{{1}}.bytes()})),
            illegal + "query_vector has 1 dimension, field [emb] is mapped with dims [2]");
  KnnNode zero{{0, -0.0F}};
  EXPECT_EQ(index.ids(zero.bytes()).substr(0, 3), "0 1");
  zero.field = "cos";
  EXPECT_EQ(index.error(zero.bytes()),
            illegal +
                "The [cosine] similarity of field [cos] does not support vectors with zero "
                "magnitude. Preview of invalid vector: [0.0, -0.0]");
  for (const float bad : {std::numeric_limits<float>::infinity(), std::nanf("")}) {
    const std::string error = index.error(KnnNode{{1, bad}}.bytes());
    EXPECT_TRUE(error.starts_with(illegal + "[knn] element_type [float] vectors do not support"));
    EXPECT_TRUE(error.find("at dim [1]") != std::string::npos);
  }
}

TEST(KnnQuery, RefusesNumbersBeyondTheirLimits) {
  const TestIndex index = make_line();
  const std::string illegal = "illegal_argument_exception: [knn] ";
  EXPECT_EQ(index.error(near(1, 0)), illegal + "[k] must be greater than 0");
  EXPECT_EQ(index.error(near(1, 10001)), illegal + "[k] cannot exceed [10000]");
  KnnNode knn{{1, 2}, 5};
  knn.num_candidates = 4;
  EXPECT_EQ(index.error(knn.bytes()), illegal + "[num_candidates] cannot be less than [k]");
  knn.num_candidates = 10001;
  EXPECT_EQ(index.error(knn.bytes()), illegal + "[num_candidates] cannot exceed [10000]");
  knn.num_candidates = 5;
  EXPECT_EQ(index.error(knn.bytes()), "");
  knn.similarity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(index.error(knn.bytes()), "parsing_exception: malformed search plan: [knn]");
}

TEST(KnnQuery, OtherClausesRefuseVectorsByName) {
  const TestIndex index = make_line();
  const std::string wrapped = "query_shard_exception: failed to create query: ";
  const std::string field = wrapped + "Field [emb] of type [dense_vector] ";
  EXPECT_EQ(index.error(Query().term("emb", "1")), field + "doesn't support term queries");
  EXPECT_EQ(index.error(Query().terms("emb", {"1", "2"})), field + "doesn't support term queries");
  EXPECT_EQ(index.error(Query().range("emb", 1, {"1"})), field + "does not support range queries");
  EXPECT_EQ(index.error(Query().match("emb", "1")), field + "does not support match queries");
  EXPECT_EQ(index.ids(Query().exists("emb")), "0 1 2 3 4 5 6 7 8 9");
  PlanFrame frame;
  frame.legs = {Query().match_all()};
  SortKey by_vector;
  by_vector.field = "emb";
  frame.sort = {by_vector};
  EXPECT_EQ(index.ids(frame), "error: Field [emb] of type [dense_vector] doesn't support sort");
}

TEST(KnnQuery, ExplainsAndNamesItself) {
  const TestIndex index = make_line();
  KnnNode knn{{4, 0}, 2};
  knn.name = "near";
  knn.boost = 2;
  PlanFrame frame;
  frame.legs = {Query().boolean({Query().match_all()}, {}, {knn.bytes()})};
  frame.fetch.flags = kFetchExplain | kFetchMatchedQueries;
  const std::vector<FetchedDocument> fetched = index.fetch(frame, {4, 5});
  ASSERT_EQ(fetched.size(), 2);
  EXPECT_EQ(fetched[0].matched_queries, R"(["near"])");
  EXPECT_EQ(fetched[1].matched_queries, "");
  EXPECT_TRUE(fetched[0].explanation.find(
                  R"({"value":2.0,"description":"within top 2 documents","details":[]})") !=
              std::string::npos);
  frame.legs = {knn.bytes()};
  EXPECT_EQ(index.fetch(frame, {5})[0].explanation,
            R"({"value":0.0,"description":"not in top 2 documents","details":[]})");
}

/// 5,000 documents at (i, 0): enough for filters to be cached. One has no n, so that a range of n
/// is not just a few runs of documents, which need no cache.
TestIndex make_long_line() {
  TestIndex index(kMapping);
  for (int i = 0; i < 5000; i++) {
    const std::string n = std::to_string(i);
    index.add(n, R"({"emb":[)" + n + R"(,0])" + (i == 4000 ? "" : R"(,"n":)" + n) + "}");
  }
  index.refresh();
  return index;
}

TEST(KnnQuery, IsNeverCachedButItsFilterIs) {
  TestIndex index = make_long_line();
  FilterCache cache(1 << 20);
  index.use_cache(&cache);
  const Query q;
  const NodeBytes filter = q.boolean({}, {near(20, 2)});
  EXPECT_EQ(index.ids(q.boolean({}, {filter})), "19 20");
  EXPECT_EQ(index.ids(q.boolean({}, {filter})), "19 20");
  index.remove("20");
  EXPECT_EQ(index.ids(q.boolean({}, {filter})), "19 21");
  EXPECT_EQ(cache.misses(), 0);
  const NodeBytes filtered = near(4, 2, q.range("n", 1, {"100"}));
  for (int i = 0; i < 3; i++) EXPECT_EQ(index.ids(filtered), "100 101");
  EXPECT_EQ(cache.misses(), 2);
  EXPECT_EQ(cache.hits(), 1);
}

/// The time is over at the second reading.
class HastyClock final : public Clock {
 public:
  int64_t wall_ms() const override { return 0; }
  int64_t steady_ns() const override { return readings_++ * 1000000000; }

 private:
  mutable int64_t readings_ = 1;
};

TEST(KnnQuery, SaysWhenTimeRanOut) {
  const TestIndex index = make_long_line();
  const HastyClock clock;
  SearchContext context = index.context();
  context.clock = &clock;
  PlanFrame frame;
  frame.legs = {near(20, 10)};
  frame.timeout_us = 1000;
  const std::vector<uint8_t> bytes = frame.bytes();
  const Result<Plan> plan = decode_plan(bytes);
  const Result<ShardHits> hits = execute_search(context, *plan);
  ASSERT_OK(hits);
  EXPECT_TRUE(hits->timed_out);
  EXPECT_TRUE(hits->total_is_lower_bound);
}

TEST(KnnQuery, CountsItsWorkAndReusesSearchers) {
  const TestIndex index = make_line();
  VectorSearcherPool searchers;
  SearchContext context = index.context();
  context.searchers = &searchers;
  PlanFrame frame;
  frame.legs = {near(5, 3), near(5, 3, near(9, 4))};
  const std::vector<uint8_t> bytes = frame.bytes();
  const Result<Plan> plan = decode_plan(bytes);
  for (int i = 0; i < 3; i++) {
    const Result<ShardHits> hits = execute_search(context, *plan);
    ASSERT_OK(hits);
    EXPECT_EQ(hits->legs[1].docs.size(), 3);
    EXPECT_GE(hits->vectors.exact_distances, 24);
    EXPECT_GE(hits->vectors.bytes_read, 24 * 8);
  }
}

TEST(KnnQuery, DamagedClausesAreErrors) {
  const TestIndex index = make_line();
  const NodeBytes whole = near(5, 3, Query().term("tag", "odd"));
  for (size_t size = 8; size < whole.size(); size++) {
    ByteWriter payload;
    payload.put_bytes(Bytes(whole).subspan(8, size - 8));
    EXPECT_TRUE(index.error(testing::raw_node(PlanOp::kKnn, payload)) != "");
  }
  for (size_t at = 8; at < whole.size(); at++) {
    for (const int value : {0x00, 0x01, 0x7f, 0x80, 0xff}) {
      NodeBytes damaged = whole;
      damaged[at] = static_cast<uint8_t>(value);
      static_cast<void>(index.error(damaged));
    }
  }
}

/// Document i has the passages (10 i, 0) and (10 i + 1, 0), document 9 three hundred at (0.5, 0).
TestIndex make_passages() {
  TestIndex index(R"({"properties":{"n":{"type":"long"},"p":{"type":"nested","properties":{
    "v":{"type":"dense_vector","dims":2,"similarity":"l2_norm"},"q":{"type":"keyword"}}}}})");
  for (int i = 0; i < 9; i++) {
    const std::string n = std::to_string(i);
    index.add(n, R"({"n":)" + n + R"(,"p":[{"v":[)" + std::to_string(10 * i) +
                     R"(,0],"q":"a"},{"v":[)" + std::to_string(10 * i + 1) + R"(,0],"q":"b"}]})");
    if (i % 4 == 3) index.refresh();
  }
  std::string many = R"({"n":9,"p":[)";
  for (int i = 0; i < 300; i++) many += std::string(i > 0 ? "," : "") + R"({"v":[0.5,0]})";
  index.add("9", many + "]}");
  index.add("10", R"({"n":10})");
  index.refresh();
  return index;
}

NodeBytes passages(float at, uint32_t k, const NodeBytes& filter = {}) {
  KnnNode node{{at, 0}, k, filter};
  node.field = "p.v";
  return node.bytes();
}

TEST(KnnQuery, FindsDocumentsByTheBestOfTheirNestedVectors) {
  TestIndex index = make_passages();
  EXPECT_EQ(index.ids(passages(31, 3)), "3 4 2");
  EXPECT_NEAR(index.score(passages(32, 1)), 0.5, 1e-6);
  // All but two of the nearest vectors are of one document.
  EXPECT_EQ(index.ids(passages(0.5F, 3)), "9 0 1");
  EXPECT_EQ(index.ids(passages(0, 100)), "0 9 1 2 3 4 5 6 7 8");
  EXPECT_EQ(index.ids(passages(31, 2, Query().range("n", 1, {"5"}))), "5 6");
  const NodeBytes of_a = Query().nested("p", Query().term("p.q", "a"));
  EXPECT_EQ(index.ids(passages(0.5F, 2, of_a)), "0 1");
  index.remove("3");
  EXPECT_EQ(index.ids(passages(31, 2)), "4 2");
  EXPECT_EQ(index.ids(passages(31, 2, Query().range("n", 1, {"3"}))), "4 5");
}

/// Documents of up to six passages on a line, in segments of fifty. Passages of one document may be
/// the nearest of all.
TEST(KnnQuery, FiltersFindTheSameDocumentsAsAPlainLoop) {
  TestIndex index(R"({"properties":{"n":{"type":"long"},"p":{"type":"nested","properties":{
    "v":{"type":"dense_vector","dims":2,"similarity":"l2_norm"},"q":{"type":"keyword"}}}}})");
  Random random(11);
  std::vector<std::vector<float>> passages_of(220);
  std::vector<bool> removed(220);
  for (size_t i = 0; i < 220; i++) {
    std::string json = R"({"n":)" + std::to_string(i) + R"(,"p":[{"q":"none"})";
    const auto near_one = static_cast<float>(random.below(1000));
    for (uint64_t count = random.below(7); count > 0; count--) {
      passages_of[i].push_back(near_one + static_cast<float>(random.below(count > 3 ? 3 : 500)));
      json += R"(,{"v":[)" + std::to_string(passages_of[i].back()) + ",0]}";
    }
    index.add(std::to_string(i), json + "]}");
    if (i % 50 == 49) index.refresh();
  }
  index.refresh();
  for (const size_t gone : {3U, 77U, 150U, 219U}) {
    index.remove(std::to_string(gone));
    removed[gone] = true;
  }
  for (uint32_t round = 0; round < 60; round++) {
    const auto at = static_cast<float>(random.below(1500)) + 0.25F;
    const uint64_t least = random.below(220);
    const uint32_t k = 1 + static_cast<uint32_t>(random.below(round % 2 == 0 ? 6 : 200));
    std::vector<std::pair<float, size_t>> nearest;
    for (size_t i = least; i < 220; i++) {
      float distance = std::numeric_limits<float>::infinity();
      for (const float passage : passages_of[i])
        distance = std::min(distance, std::abs(passage - at));
      if (!removed[i] && !passages_of[i].empty()) nearest.push_back({distance, i});
    }
    std::sort(nearest.begin(), nearest.end());
    // A page has ten hits.
    nearest.resize(std::min<size_t>({nearest.size(), k, 10}));
    std::string expected;
    for (const auto& [distance, i] : nearest) {
      expected += (expected.empty() ? "" : " ") + std::to_string(i);
    }
    EXPECT_EQ(index.ids(passages(at, k, Query().range("n", 1, {std::to_string(least)}))), expected);
  }
}

TEST(KnnQuery, InsideNestedFindsTheBestOfEachDocument) {
  const TestIndex index = make_passages();
  EXPECT_EQ(index.ids(Query().nested("p", passages(31, 2))), "3 4");
  const NodeBytes with_a = Query().boolean({passages(31, 3)}, {Query().term("p.q", "a")});
  EXPECT_EQ(index.ids(Query().nested("p", with_a)), "4");
}

TEST(KnnQuery, InsideNestedAnAliasFiltersWholeDocuments) {
  TestIndex index(R"({"properties":{"n":{"type":"long"},"c":{"type":"nested","properties":{
    "q":{"type":"keyword"},"r":{"type":"nested","properties":{
      "v":{"type":"dense_vector","dims":2,"similarity":"l2_norm"}}}}}}})");
  for (int i = 0; i < 6; i++) {
    const std::string n = std::to_string(i);
    index.add(n, R"({"n":)" + n + R"(,"c":[{"q":"a","r":{"v":[)" + n +
                     R"(,0]}},{"q":"b","r":[{"v":[)" + n + R"(,1]},{"v":[)" + n + R"(,2]}]}]})");
  }
  index.refresh();
  KnnNode node{{0, 0}, 2};
  node.field = "c.r.v";
  const auto of_deep = [&] { return index.ids(Query().nested("c.r", node.bytes())); };
  const auto of_outer = [&] { return index.ids(Query().nested("c", node.bytes())); };
  const auto in_both = [&] {
    return index.ids(Query().nested("c", Query().nested("c.r", node.bytes())));
  };
  EXPECT_EQ(of_deep(), "0 1");
  // The two best objects are of one document.
  EXPECT_EQ(of_outer(), "0");
  node.root_filter = Query().range("n", 1, {"3"});
  EXPECT_EQ(of_deep(), "3 4");
  EXPECT_EQ(of_outer(), "3");
  EXPECT_EQ(in_both(), "3");
  node.filter = Query().term("c.q", "b");
  EXPECT_EQ(of_outer(), "3 4");
  EXPECT_EQ(in_both(), "3 4");
  node.filter = Query().term("c.q", "none");
  EXPECT_EQ(of_outer(), "");
  node.filter = {};
  index.remove("3");
  EXPECT_EQ(of_deep(), "4 5");
}

TEST(KnnQuery, OrdersTheNestedVectorsOfEachHit) {
  const TestIndex index = make_passages();
  PlanFrame inner;
  inner.legs.push_back(passages(33, 1));
  PlanFrame frame;
  frame.legs.push_back(passages(33, 3));
  frame.more.push_back(testing::inner_hits_frame("p.v", inner));
  const std::vector<uint32_t> docs = index.run(frame)->legs[0].docs;
  EXPECT_EQ(index.ids(frame), "3 4 2");
  const std::vector<FetchedDocument> found = index.fetch(frame, docs);
  // Inside a hit all vectors are found, whatever k says.
  for (const FetchedDocument& document : found) {
    const InnerHits& hits = document.inner_hits.at(0);
    EXPECT_EQ(hits.hits.total, 2U);
    const std::string first = document.id == "4" ? "0" : "1";
    EXPECT_EQ(hits.documents.at(0).nested, R"({"field":"p","offset":)" + first + "}");
  }
  EXPECT_NEAR(found.at(0).inner_hits.at(0).hits.legs[0].scores[0], 0.2, 1e-6);
  EXPECT_NEAR(found.at(2).inner_hits.at(0).hits.legs[0].scores[1], 1.0 / (1 + 13 * 13), 1e-6);
}

}  // namespace quarry::knn_query_test
