// Searches over the snapshots that an earlier phase of the same request used.
#include <string>
#include <vector>

#include "testing/engine_node.h"
#include "testing/test.h"
#include "testing/vector_nodes.h"

namespace quarry::engine_snapshots_test {

using testing::EngineNode;
using testing::NodeBytes;
using testing::PlanFrame;
using testing::Query;
using testing::SearchAnswer;

/// Runs the query over the snapshot of `generation` of the index's only shard.
SearchAnswer search_at(EngineNode& node, uint64_t generation, const NodeBytes& query) {
  PlanFrame frame;
  frame.legs = {query};
  frame.flags = kPlanInlineFetch;
  const ShardId shard = node.shards("i")[0];
  frame.snapshots = {{shard.index, shard.shard, generation}, {77, 3, 1}};
  return testing::decode_search(*node.engine->search({shard}, frame.bytes()));
}

TEST(EngineSnapshots, ASearchSeesTheSnapshotItNames) {
  EngineNode node;
  ASSERT_OK(node.open());
  node.create("i");
  node.put("i", "1", "{\"v\":1}");
  node.refresh("i");
  const uint64_t before = node.search("i", Query().match_all()).generations[0];
  node.put("i", "1", "{\"v\":2}");
  node.put("i", "2", "{\"v\":2}");
  node.refresh("i");
  const SearchAnswer now = node.search("i", Query().match_all());
  EXPECT_EQ(now.total, 2);
  const SearchAnswer then = search_at(node, before, Query().match_all());
  EXPECT_EQ(then.total, 1);
  EXPECT_EQ(then.generations[0], before);
  EXPECT_EQ(then.page.at(0).source, "{\"v\":1}");
  EXPECT_EQ(search_at(node, now.generations[0], Query().match_all()).total, 2);
}

TEST(EngineSnapshots, ListedDocumentsAreThoseOfTheSnapshot) {
  EngineNode node;
  ASSERT_OK(node.open());
  const uint32_t number = node.create("i");
  node.put("i", "1", "{\"v\":1}");
  node.refresh("i");
  const uint64_t before = node.search("i", Query().match_all()).generations[0];
  node.erase("i", "1");
  node.put("i", "2", "{\"v\":2}");
  node.refresh("i");
  while (node.merge("i", 1)) {
  }
  const SearchAnswer found =
      search_at(node, before, testing::doc_scores({{number, 0, {{0, 0.5F}}}}));
  EXPECT_EQ(found.page.at(0).source, "{\"v\":1}");
  EXPECT_EQ(search_at(node, before, testing::doc_scores({{number, 0, {{1, 0.5F}}}})).error,
            ErrorType::kInternal);
}

TEST(EngineSnapshots, ASnapshotThatIsGoneIsAnError) {
  EngineNode node;
  ASSERT_OK(node.open());
  node.create("i");
  node.put("i", "1", "{\"v\":1}");
  node.refresh("i");
  const uint64_t before = node.search("i", Query().match_all()).generations[0];
  node.put("i", "1", "{\"v\":2}");
  node.refresh("i");
  node.clock.advance_ms(node.options.snapshot_retention_ms + 1);
  static_cast<void>(node.engine->dirty_shards());
  EXPECT_EQ(search_at(node, before, Query().match_all()).error, ErrorType::kSnapshotGone);
  EXPECT_EQ(search_at(node, 123456, Query().match_all()).error, ErrorType::kSnapshotGone);
}

}  // namespace quarry::engine_snapshots_test
