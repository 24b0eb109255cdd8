// Building graphs: deterministic bytes, all nodes reachable, and merges that start from an existing
// graph.
#include "vector/hnsw/hnsw_builder.h"

#include <atomic>

#include "testing/graph_test_set.h"
#include "testing/test.h"

namespace quarry::hnsw_builder_test {

using testing::build_graph;
using testing::BuiltGraph;
using testing::CodedSet;
using testing::kAllShapes;
using testing::open_graph;
using testing::queries_near;
using testing::reachable;
using testing::recall;
using testing::Shape;
using testing::VectorSet;

constexpr uint32_t kGone = UINT32_MAX;

double recall_of(const CodedSet& set, const HnswGraph& graph, std::span<const float> queries) {
  HnswQuery query;
  query.planes = &set.planes();
  query.graph = &graph;
  query.beam = 200;
  return recall(set, queries, query);
}

TEST(HnswBuilder, BuildsTheSameBytesTwice) {
  const CodedSet set(VectorSet(Shape::kClustered, 70, 1).rows(1500), 70);
  EXPECT_TRUE(build_graph(set.planes()).section == build_graph(set.planes()).section);
  HnswOptions other;
  other.seed = 43;
  EXPECT_FALSE(build_graph(set.planes()).section == build_graph(set.planes(), other).section);
}

void expect_same_bytes_everywhere(const CodePlanes& planes) {
  const BuiltGraph best = build_graph(planes);
  using simd::Isa;
  for (const Isa isa : {Isa::kScalar, Isa::kAvx2, Isa::kAvxVnni, Isa::kAvx512, Isa::kNeon}) {
    HnswOptions options;
    options.kernels = simd::kernels_of(isa);
    if (options.kernels == nullptr) continue;
    EXPECT_TRUE(build_graph(planes, options).section == best.section);
  }
}

TEST(HnswBuilder, BuildsTheSameBytesOnEveryInstructionSet) {
  const CodedSet set(VectorSet(Shape::kAnisotropic, 130, 2).rows(600), 130);
  expect_same_bytes_everywhere(set.planes());
  expect_same_bytes_everywhere(set.without_sketch());
}

TEST(HnswBuilder, EveryNodeIsInReach) {
  for (const Shape shape : kAllShapes) {
    const CodedSet set(VectorSet(shape, 40, 3).rows(3000), 40);
    for (const uint32_t m : {2U, 4U, 16U}) {
      const BuiltGraph built = build_graph(set.planes(), {m, 40});
      ASSERT_TRUE(built.graph != nullptr);
      EXPECT_EQ(reachable(*built.graph), set.size());
    }
  }
}

TEST(HnswBuilder, TinyGraphs) {
  for (const uint32_t size : {1U, 2U, 3U, 33U, 100U}) {
    const CodedSet set(VectorSet(Shape::kIsotropic, 30, size).rows(size), 30);
    const BuiltGraph built = build_graph(set.planes());
    ASSERT_TRUE(built.graph != nullptr);
    EXPECT_EQ(built.graph->size(), size);
    EXPECT_EQ(reachable(*built.graph), size);
  }
}

TEST(HnswBuilder, LimitsAreBroughtIntoRange) {
  const CodedSet set(VectorSet(Shape::kClustered, 32, 4).rows(200), 32);
  EXPECT_EQ(build_graph(set.planes(), {0, 0}).graph->m(), kMinLinks);
  EXPECT_EQ(build_graph(set.planes(), {kMaxLinks + 1, 1}).graph->m(), kMaxLinks);
}

TEST(HnswBuilder, ListsAreFilledUp) {
  const CodedSet set(VectorSet(Shape::kClustered, 48, 6).rows(3000), 48);
  const BuiltGraph built = build_graph(set.planes());
  uint64_t links = 0;
  for (uint32_t node = 0; node < set.size(); ++node) {
    const LinkList list = built.graph->links(node);
    for (uint32_t i = 0; i < list.size(); ++i) links += list[i] != node ? 1 : 0;
  }
  EXPECT_GE(links / set.size(), 20);  // of 32; pruning alone leaves about half of it
}

TEST(HnswBuilder, AbortEndsIt) {
  const CodedSet set(VectorSet(Shape::kClustered, 32, 7).rows(500), 32);
  const std::atomic<bool> abort = true;
  AbortFlag work(abort);
  const auto built = build_hnsw(set.planes(), {}, nullptr, {}, &work);
  ASSERT_FALSE(built.ok());
  EXPECT_EQ(built.status().type(), ErrorType::kRejected);
}

/// A segment whose graph is kept, merged with other rows before, between and after its own.
struct Merge {
  static constexpr uint32_t kOld = 3000;
  static constexpr uint32_t kDims = 64;
  std::vector<float> old_rows = VectorSet(Shape::kClustered, kDims, 8).rows(kOld);
  std::vector<float> new_rows;
  std::vector<uint32_t> ordinals;

  /// Removes every old row for which `deleted` is true; after each third remaining row one of
  /// `added` follows.
  template <typename Deleted>
  Merge(const Deleted& deleted, std::vector<float> added) {
    size_t next = 0;
    for (uint32_t i = 0; i < kOld; ++i) {
      ordinals.push_back(deleted(i) ? kGone : static_cast<uint32_t>(new_rows.size() / kDims));
      if (!deleted(i)) append(old_rows, i);
      if (i % 3 == 0 && next < added.size() / kDims) append(added, next++);
    }
    for (; next < added.size() / kDims; ++next) append(added, next);
  }
  void append(const std::vector<float>& rows, size_t i) {
    const auto begin = rows.begin() + static_cast<std::ptrdiff_t>(i * kDims);
    new_rows.insert(new_rows.end(), begin, begin + kDims);
  }

  /// The graph of the merged rows; checks that it is valid, deterministic and as good as a new one.
  void check() const {
    const CodedSet old_set(old_rows, kDims);
    const BuiltGraph kept = build_graph(old_set.planes());
    const CodedSet set(new_rows, kDims);
    const auto section = build_hnsw(set.planes(), {}, kept.graph.get(), ordinals, nullptr);
    ASSERT_OK(section);
    EXPECT_TRUE(*section == *build_hnsw(set.planes(), {}, kept.graph.get(), ordinals, nullptr));
    const BuiltGraph merged = open_graph(*section, set.size());
    ASSERT_TRUE(merged.graph != nullptr);
    EXPECT_EQ(reachable(*merged.graph), set.size());
    const std::vector<float> queries = queries_near(Shape::kClustered, kDims, 8, 60);
    EXPECT_GE(recall_of(set, *merged.graph, queries), 0.99);
  }
};

TEST(HnswBuilder, KeepsAGraphAndInsertsTheRest) {
  Merge([](uint32_t) { return false; }, VectorSet(Shape::kClustered, Merge::kDims, 9).rows(2000))
      .check();
}

TEST(HnswBuilder, JoinsTheNeighborsOfDeletedNodes) {
  Random random(10);
  std::vector<bool> deleted(Merge::kOld);
  for (uint32_t i = 0; i < Merge::kOld; ++i) deleted[i] = random.below(10) < 3;
  Merge([&](uint32_t i) { return deleted[i]; }, {}).check();
  Merge([&](uint32_t i) { return deleted[i]; },
        VectorSet(Shape::kClustered, Merge::kDims, 8).rows(500))
      .check();
}

TEST(HnswBuilder, AlmostAllOfAKeptGraphMayBeDeleted) {
  Merge([](uint32_t i) { return i % 50 != 0; },
        VectorSet(Shape::kClustered, Merge::kDims, 8).rows(900))
      .check();
  Merge([](uint32_t) { return true; }, VectorSet(Shape::kClustered, Merge::kDims, 8).rows(900))
      .check();
}

TEST(HnswBuilder, TenMergesInARowLoseNothing) {
  constexpr uint32_t kDims = 48;
  constexpr uint32_t kStep = 300;
  const std::vector<float> all = VectorSet(Shape::kClustered, kDims, 12).rows(11 * kStep);
  const auto first = [&all](uint32_t rows) {
    return std::vector<float>(all.begin(),
                              all.begin() + static_cast<std::ptrdiff_t>(size_t{rows} * kDims));
  };
  BuiltGraph graph = build_graph(CodedSet(first(kStep), kDims).planes());
  std::vector<uint32_t> ordinals;
  for (uint32_t rows = 2 * kStep; rows <= 11 * kStep; rows += kStep) {
    ordinals.resize(rows - kStep);
    for (uint32_t i = 0; i < ordinals.size(); ++i) ordinals[i] = i;
    const CodedSet set(first(rows), kDims);
    auto section = build_hnsw(set.planes(), {}, graph.graph.get(), ordinals, nullptr);
    ASSERT_OK(section);
    graph = open_graph(std::move(section).value(), rows);
    ASSERT_TRUE(graph.graph != nullptr);
  }
  const CodedSet set(all, kDims);
  EXPECT_EQ(reachable(*graph.graph), set.size());
  EXPECT_GE(recall_of(set, *graph.graph, queries_near(Shape::kClustered, kDims, 12, 60)), 0.99);
}

TEST(HnswBuilder, AKeptGraphOfAnotherShapeIsLeftAlone) {
  const CodedSet set(VectorSet(Shape::kClustered, 32, 13).rows(400), 32);
  const BuiltGraph small = build_graph(set.planes(), {4, 40});
  std::vector<uint32_t> ordinals(400);
  for (uint32_t i = 0; i < 400; ++i) ordinals[i] = i;
  const auto built = build_hnsw(set.planes(), {}, small.graph.get(), ordinals, nullptr);
  ASSERT_OK(built);
  EXPECT_TRUE(*built == build_graph(set.planes()).section);
  ordinals[7] = 400;  // no node of the new graph
  const BuiltGraph same = build_graph(set.planes());
  const auto without = build_hnsw(set.planes(), {}, same.graph.get(), ordinals, nullptr);
  ASSERT_OK(without);
  EXPECT_TRUE(*without == same.section);
}

TEST(HnswBuilder, NoRowsAreNoGraph) {
  EXPECT_EQ(build_hnsw({}, {}, nullptr, {}, nullptr).status().type(), ErrorType::kInternal);
}

}  // namespace quarry::hnsw_builder_test
