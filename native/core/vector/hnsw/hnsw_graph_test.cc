// The section of a graph: its bytes, and that damaged ones are rejected or harmless. Only
// meaningful under ASan.
#include "vector/hnsw/hnsw_graph.h"

#include "testing/damage.h"
#include "testing/graph_test_set.h"
#include "testing/test.h"

namespace quarry::hnsw_graph_test {

using testing::BuiltGraph;
using testing::CodedSet;
using testing::open_graph;
using testing::read_everything;
using testing::Shape;
using testing::VectorSet;

/// Three nodes, m 2; node 1 is on level 1, node 2 on levels 1 and 2.
std::vector<uint8_t> three_nodes() {
  const GraphShape shape{3, 2, 9, 2, 2, 77};
  HnswGraphWriter writer(shape, {1, 2}, {1, 2});
  writer.add_row(0, std::vector<uint32_t>{2, 1});
  writer.add_row(1, std::vector<uint32_t>{0});
  writer.add_row(2, std::vector<uint32_t>{});
  writer.add_upper_row(0, std::vector<uint32_t>{1});
  writer.add_upper_row(1, std::vector<uint32_t>{0});
  writer.add_upper_row(1, std::vector<uint32_t>{});
  return writer.finish();
}

std::vector<uint32_t> to_vector(const LinkList& links) {
  std::vector<uint32_t> all;
  for (uint32_t i = 0; i < links.size(); ++i) all.push_back(links[i]);
  return all;
}

bool survives(const std::vector<uint8_t>& section, uint32_t size) {
  const std::vector<uint8_t> copy = section;  // exact size: ASan detects a read past the end
  const auto graph = HnswGraph::open(copy, size);
  if (!graph.ok()) return graph.status().type() == ErrorType::kCorrupt;
  return read_everything(**graph);
}

TEST(HnswGraph, ReadsWhatWasWritten) {
  const BuiltGraph built = open_graph(three_nodes(), 3);
  ASSERT_TRUE(built.graph != nullptr);
  const HnswGraph& graph = *built.graph;
  EXPECT_EQ(graph.m(), 2);
  EXPECT_EQ(graph.shape().ef_construction, 9);
  EXPECT_EQ(graph.shape().seed, 77);
  EXPECT_EQ(graph.entry_point(), 2);
  EXPECT_EQ(graph.top_level(), 2);
  EXPECT_EQ(graph.bytes(), built.section.size());
  EXPECT_TRUE(to_vector(graph.links(0)) == (std::vector<uint32_t>{2, 1, 0, 0}));
  EXPECT_TRUE(to_vector(graph.links(1)) == (std::vector<uint32_t>{0, 1, 1, 1}));
  EXPECT_TRUE(to_vector(graph.links(2)) == (std::vector<uint32_t>{2, 2, 2, 2}));
  ASSERT_EQ(graph.upper_size(), 2);
  EXPECT_EQ(graph.upper_node(1), 2);
  EXPECT_EQ(graph.upper_levels(1), 2);
  EXPECT_EQ(graph.entry_index(), 1);
  EXPECT_TRUE(to_vector(graph.upper_links(0, 1)) == (std::vector<uint32_t>{1, 0}));
  EXPECT_TRUE(to_vector(graph.upper_links(1, 1)) == (std::vector<uint32_t>{0, 1}));
  EXPECT_TRUE(to_vector(graph.upper_links(1, 2)) == (std::vector<uint32_t>{1, 1}));
}

TEST(HnswGraph, BytesAreAsDescribed) {
  const std::vector<uint8_t> section = three_nodes();
  // Head, 3 rows of 4 links, 2 nodes and levels up to the next 64, 3 upper rows of 2 links.
  ASSERT_EQ(section.size(), 64 + 48 + 16 + 24);
  EXPECT_EQ(load<uint32_t>(section.data()), 0x534e4851);
  EXPECT_EQ(load<uint16_t>(section.data() + 4), 1);
  EXPECT_EQ(load<uint32_t>(section.data() + 8), 3);    // nodes
  EXPECT_EQ(load<uint32_t>(section.data() + 12), 2);   // m
  EXPECT_EQ(load<uint32_t>(section.data() + 20), 2);   // entry point
  EXPECT_EQ(load<uint64_t>(section.data() + 32), 77);  // seed
  EXPECT_EQ(load<uint32_t>(section.data() + 64), 2);   // first link of node 0
  EXPECT_EQ(load<uint32_t>(section.data() + 112), 1);  // first upper node
  EXPECT_EQ(section[121], 2);                          // level of the second
  EXPECT_EQ(load<uint32_t>(section.data() + 128), 1);  // first upper link
}

TEST(HnswGraph, NeedsNoAlignment) {
  const std::vector<uint8_t> section = three_nodes();
  for (size_t shift = 1; shift < 8; ++shift) {
    std::vector<uint8_t> shifted(shift, 0);
    shifted.insert(shifted.end(), section.begin(), section.end());
    const auto graph = HnswGraph::open(Bytes(shifted).subspan(shift), 3);
    ASSERT_OK(graph);
    EXPECT_EQ((*graph)->links(0)[1], 1);
    EXPECT_TRUE(read_everything(**graph));
  }
}

TEST(HnswGraph, EveryTruncationIsRefused) {
  const std::vector<uint8_t> section = three_nodes();
  for (size_t size = 0; size < section.size(); ++size) {
    const std::vector<uint8_t> cut(section.begin(),
                                   section.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_FALSE(HnswGraph::open(cut, 3).ok());
  }
  std::vector<uint8_t> longer = section;
  longer.push_back(0);
  EXPECT_FALSE(HnswGraph::open(longer, 3).ok());
}

TEST(HnswGraph, AnotherSizeIsRefused) {
  const std::vector<uint8_t> section = three_nodes();
  EXPECT_FALSE(HnswGraph::open(section, 2).ok());
  EXPECT_FALSE(HnswGraph::open(section, 4).ok());
  EXPECT_FALSE(HnswGraph::open({}, 0).ok());
}

TEST(HnswGraph, EveryFlippedBitIsRefusedOrHarmless) {
  const std::vector<uint8_t> section = three_nodes();
  for (size_t bit = 0; bit < section.size() * 8; ++bit) {
    std::vector<uint8_t> flipped = section;
    flipped[bit / 8] = static_cast<uint8_t>(flipped[bit / 8] ^ (1U << (bit % 8)));
    EXPECT_TRUE(survives(flipped, 3));
  }
}

TEST(HnswGraph, LinksThatLeadNowhereAreRefused) {
  const std::vector<uint8_t> section = three_nodes();
  const auto with = [&section](size_t at, uint32_t value) {
    std::vector<uint8_t> changed = section;
    store(changed.data() + at, value);
    return HnswGraph::open(changed, 3).ok();
  };
  EXPECT_TRUE(with(64, 0));
  EXPECT_FALSE(with(64, 3));        // a link on layer 0 beyond the nodes
  EXPECT_FALSE(with(128, 2));       // an upper link beyond the upper nodes
  EXPECT_FALSE(with(144, 0));       // a link of level 2 to a node of level 1
  EXPECT_FALSE(with(20, 1));        // an entry point below the top level
  EXPECT_FALSE(with(20, 0));        // an entry point on layer 0
  EXPECT_FALSE(with(24, 1));        // a node above the top level
  EXPECT_FALSE(with(112, 2));       // upper nodes out of order
  EXPECT_FALSE(with(12, 1 << 30));  // links beyond the bytes
}

TEST(HnswGraph, DamagedGraphsAreRefusedOrWalkedSafely) {
  const CodedSet set(VectorSet(Shape::kClustered, 24, 5).rows(400), 24);
  const BuiltGraph whole = testing::build_graph(set.planes(), {4, 32});
  ASSERT_TRUE(whole.graph != nullptr);
  QueryCodes codes;
  codes.prepare(set.planes(), set.row(7));
  StopCheck stop(nullptr, 0);
  Random random(31);
  HnswSearcher searcher;
  for (uint32_t round = 0; round < 500; ++round) {
    std::vector<uint8_t> section = whole.section;
    testing::damage(section, random);
    const auto graph = HnswGraph::open(section, set.size());
    if (!graph.ok()) continue;
    EXPECT_TRUE(read_everything(**graph));
    HnswQuery query;
    query.planes = &set.planes();
    query.graph = graph->get();
    query.codes = &codes;
    VectorCounters counters;
    for (const HnswCandidate& candidate : searcher.search(query, stop, counters)) {
      EXPECT_LT(candidate.ordinal, set.size());
    }
  }
}

}  // namespace quarry::hnsw_graph_test
