// Searches on graphs compared with a scan in double precision.
#include "vector/hnsw/hnsw_search.h"

#include <set>

#include "testing/graph_test_set.h"
#include "testing/test.h"

namespace quarry::hnsw_search_test {

using testing::best_of;
using testing::build_graph;
using testing::BuiltGraph;
using testing::CodedSet;
using testing::queries_near;
using testing::recall;
using testing::Shape;
using testing::VectorSet;

/// Runs one search; the results are valid until the next one.
class Finder {
 public:
  const std::vector<HnswCandidate>& find(HnswQuery query, std::span<const float> vector) {
    codes_.prepare(*query.planes, vector);
    query.codes = &codes_;
    counters = {};
    return searcher_.search(query, stop_, counters);
  }
  VectorCounters counters;

 private:
  HnswSearcher searcher_;
  QueryCodes codes_;
  StopCheck stop_{nullptr, 0};
};

HnswQuery query_of(const CodePlanes& planes, const HnswGraph& graph) {
  HnswQuery query;
  query.planes = &planes;
  query.graph = &graph;
  return query;
}

TEST(HnswSearch, FindsTheNearestOfClusteredSets) {
  for (const uint32_t dims : {50U, 100U, 128U}) {
    const CodedSet set(VectorSet(Shape::kClustered, dims, dims).rows(5000), dims);
    const BuiltGraph built = build_graph(set.planes());
    const std::vector<float> queries = queries_near(Shape::kClustered, dims, dims, 100);
    HnswQuery query = query_of(set.planes(), *built.graph);
    EXPECT_GE(recall(set, queries, query), 0.995);
    query.use_sketch = false;
    EXPECT_GE(recall(set, queries, query), 0.995);
  }
}

TEST(HnswSearch, FindsTheNearestAroundAMeanFarFromZero) {
  const CodedSet set(VectorSet(Shape::kAnisotropic, 120, 21).rows(5000), 120);
  const BuiltGraph built = build_graph(set.planes());
  const std::vector<float> queries = queries_near(Shape::kAnisotropic, 120, 21, 100);
  HnswQuery query = query_of(set.planes(), *built.graph);
  EXPECT_GE(recall(set, queries, query), 0.995);
  query.use_sketch = false;
  EXPECT_GE(recall(set, queries, query), 0.995);
  query.k = 300;
  EXPECT_GE(recall(set, std::span(queries).first(1200), query), 0.99);
}

TEST(HnswSearch, WithoutASketchItWalksOnFullCodes) {
  const CodedSet set(VectorSet(Shape::kClustered, 90, 22).rows(3000), 90);
  const CodePlanes planes = set.without_sketch();
  const BuiltGraph built = build_graph(planes);
  Finder finder;
  EXPECT_FALSE(finder.find(query_of(planes, *built.graph), set.row(5)).empty());
  EXPECT_EQ(finder.counters.sketch_distances, 0);
  EXPECT_GE(
      recall(set, queries_near(Shape::kClustered, 90, 22, 60), query_of(planes, *built.graph)),
      0.995);
}

TEST(HnswSearch, DeletedNodesAreWalkedThroughAndNeverReturned) {
  const CodedSet set(VectorSet(Shape::kClustered, 64, 23).rows(4000), 64);
  const BuiltGraph built = build_graph(set.planes());
  const std::vector<float> queries = queries_near(Shape::kClustered, 64, 23, 60);
  for (const uint32_t percent : {10U, 30U, 50U, 90U}) {
    Random random(percent);
    Bitset live(set.size());
    for (uint32_t i = 0; i < set.size(); ++i) {
      if (random.below(100) >= percent) live.set(i);
    }
    for (const bool sketch : {false, true}) {
      HnswQuery query = query_of(set.planes(), *built.graph);
      query.live = &live;
      query.use_sketch = sketch;
      EXPECT_GE(recall(set, queries, query), 0.995);
      Finder finder;
      for (const HnswCandidate& found : finder.find(query, set.row(9)))
        EXPECT_TRUE(live.test(found.ordinal));
    }
  }
}

TEST(HnswSearch, AWholeDeletedNeighbourhoodDoesNotHideTheRest) {
  const CodedSet set(VectorSet(Shape::kClustered, 64, 24).rows(4000), 64);
  const BuiltGraph built = build_graph(set.planes());
  const std::span<const float> centre = set.row(100);
  const double least = set.kth_best(centre, 2000);
  Bitset live(set.size());
  for (uint32_t i = 0; i < set.size(); ++i) {
    if (set.similarity(centre, i) < least) live.set(i);
  }
  HnswQuery query = query_of(set.planes(), *built.graph);
  query.live = &live;
  Finder finder;
  EXPECT_GE(finder.find(query, centre).size(), 10);
  EXPECT_GE(recall(set, centre, query), 0.9);
}

TEST(HnswSearch, EqualResultsOnEveryInstructionSet) {
  const CodedSet set(VectorSet(Shape::kAnisotropic, 130, 25).rows(2000), 130);
  const BuiltGraph built = build_graph(set.planes());
  using simd::Isa;
  for (const bool sketch : {false, true}) {
    HnswQuery query = query_of(set.planes(), *built.graph);
    query.use_sketch = sketch;
    Finder expected;
    const std::vector<HnswCandidate> best = expected.find(query, set.row(77));
    for (const Isa isa : {Isa::kScalar, Isa::kAvx2, Isa::kAvxVnni, Isa::kAvx512, Isa::kNeon}) {
      query.kernels = simd::kernels_of(isa);
      if (query.kernels == nullptr) continue;
      Finder finder;
      const std::vector<HnswCandidate>& found = finder.find(query, set.row(77));
      ASSERT_EQ(found.size(), best.size());
      for (size_t i = 0; i < best.size(); ++i) {
        EXPECT_EQ(found[i].ordinal, best[i].ordinal);
        EXPECT_EQ(found[i].estimate, best[i].estimate);
      }
      EXPECT_EQ(finder.counters.hops, expected.counters.hops);
      EXPECT_EQ(finder.counters.bytes_read, expected.counters.bytes_read);
    }
  }
}

TEST(HnswSearch, TinyGraphsReturnAllTheyHave) {
  for (const uint32_t size : {1U, 2U, 33U}) {
    const CodedSet set(VectorSet(Shape::kClustered, 20, size).rows(size), 20);
    const BuiltGraph built = build_graph(set.planes());
    HnswQuery query = query_of(set.planes(), *built.graph);
    query.k = 50;
    Finder finder;
    std::set<uint32_t> found;
    for (const HnswCandidate& candidate : finder.find(query, set.row(0)))
      found.insert(candidate.ordinal);
    EXPECT_EQ(found.size(), size);
  }
}

TEST(HnswSearch, EqualVectorsFillTheK) {
  const CodedSet set(VectorSet(Shape::kConstant, 40, 26).rows(3000), 40);
  const BuiltGraph built = build_graph(set.planes());
  for (const uint32_t k : {1U, 10U, 1000U, 2900U}) {
    HnswQuery query = query_of(set.planes(), *built.graph);
    query.k = k;
    Finder finder;
    EXPECT_GE(finder.find(query, set.row(3)).size(), k);
  }
}

TEST(HnswSearch, CopiesDoNotHideOtherNearestVectors) {
  std::vector<float> rows = VectorSet(Shape::kClustered, 40, 27).rows(2000);
  const std::vector<float> copy(rows.begin(), rows.begin() + 40);
  for (uint32_t i = 0; i < 1500; ++i) rows.insert(rows.end(), copy.begin(), copy.end());
  const CodedSet set(std::move(rows), 40);
  const BuiltGraph built = build_graph(set.planes());
  const std::vector<float> queries = queries_near(Shape::kClustered, 40, 27, 100);
  EXPECT_GE(recall(set, queries, query_of(set.planes(), *built.graph)), 0.995);
}

TEST(HnswSearch, CandidatesComeSortedAndOnce) {
  const CodedSet set(VectorSet(Shape::kClustered, 64, 28).rows(3000), 64);
  const BuiltGraph built = build_graph(set.planes());
  Finder finder;
  const std::vector<HnswCandidate>& found =
      finder.find(query_of(set.planes(), *built.graph), set.row(4));
  std::set<uint32_t> ordinals;
  for (size_t i = 0; i < found.size(); ++i) {
    ordinals.insert(found[i].ordinal);
    if (i > 0) EXPECT_GE(found[i - 1].estimate, found[i].estimate);
  }
  EXPECT_EQ(ordinals.size(), found.size());
  EXPECT_GE(found.size(), 10);
}

TEST(HnswSearch, WideBeamsSeeMoreAndCountersSayHowMuch) {
  const CodedSet set(VectorSet(Shape::kAnisotropic, 100, 29).rows(4000), 100);
  const BuiltGraph built = build_graph(set.planes());
  HnswQuery query = query_of(set.planes(), *built.graph);
  uint64_t before = 0;
  for (const uint32_t beam : {16U, 200U, 800U, 10000U}) {
    query.beam = beam;
    Finder finder;
    finder.find(query, set.row(11));
    EXPECT_GT(finder.counters.hops, before);
    before = finder.counters.hops;
    EXPECT_LE(finder.counters.sketch_distances, set.size() + 1000);
  }
  EXPECT_EQ(before, set.size());  // a beam wider than the graph expands every node once
}

class FrozenClock final : public Clock {
 public:
  int64_t wall_ms() const override { return 0; }
  int64_t steady_ns() const override { return ns += 1000000; }
  mutable int64_t ns = 0;
};

TEST(HnswSearch, StopsWhenTheTimeIsUp) {
  const CodedSet set(VectorSet(Shape::kClustered, 64, 30).rows(4000), 64);
  const BuiltGraph built = build_graph(set.planes());
  HnswQuery query = query_of(set.planes(), *built.graph);
  query.beam = 4000;
  QueryCodes codes;
  codes.prepare(set.planes(), set.row(1));
  query.codes = &codes;
  const FrozenClock clock;
  StopCheck stop(&clock, 1);
  HnswSearcher searcher;
  VectorCounters counters;
  searcher.search(query, stop, counters);
  EXPECT_TRUE(stop.timed_out());
  EXPECT_LT(counters.hops, 1000);
}

}  // namespace quarry::hnsw_search_test
