// Pinned snapshots: they outlive their retention, keep their index open, and their memory is
// bounded.
#include <string>
#include <vector>

#include "testing/engine_node.h"
#include "testing/test.h"

namespace quarry::engine_holds_test {

using testing::EngineNode;
using testing::NodeBytes;
using testing::PlanFrame;
using testing::Query;
using testing::SearchAnswer;

SearchAnswer search_at(EngineNode& node, uint64_t generation, PlanFrame frame = {}) {
  const ShardId shard = node.shards("i")[0];
  if (frame.legs.empty()) frame.legs = {Query().match_all()};
  frame.flags = kPlanInlineFetch;
  frame.snapshots = {{shard.index, shard.shard, generation}};
  return testing::decode_search(*node.engine->search({shard}, frame.bytes()));
}

void outlive_retention(EngineNode& node) {
  node.clock.advance_ms(node.options.snapshot_retention_ms + 1);
  static_cast<void>(node.engine->dirty_shards());
}

void put_numbered(EngineNode& node, int from, int to) {
  for (int i = from; i < to; i++) node.put("i", std::to_string(i), R"({"v":1})");
  node.refresh("i");
}

TEST(EngineHolds, AHeldSnapshotOutlivesItsRetentionAndMerges) {
  EngineNode node;
  ASSERT_OK(node.open());
  node.create("i");
  put_numbered(node, 0, 3);
  const ShardId shard = node.shards("i")[0];
  const uint64_t held = *node.engine->acquire_snapshot(shard);
  EXPECT_EQ(*node.engine->acquire_snapshot(shard), held);
  node.erase("i", "0");
  put_numbered(node, 3, 9);
  ASSERT_OK(node.flush("i"));
  while (node.merge("i", 1)) {
  }
  outlive_retention(node);
  EXPECT_EQ(search_at(node, held).total, 3U);
  EXPECT_EQ(node.fetch(shard, held, {0}).documents.at(0).id, "0");
  node.engine->release_snapshot(shard, held);
  EXPECT_EQ(search_at(node, held).total, 3U);
  node.engine->release_snapshot(shard, held);
  EXPECT_EQ(search_at(node, held).error, ErrorType::kSnapshotGone);
  EXPECT_EQ(node.search("i", Query().match_all()).total, 8U);
}

TEST(EngineHolds, LettingGoOfWhatIsNotHeldDoesNothing) {
  EngineNode node;
  ASSERT_OK(node.open());
  node.create("i");
  const ShardId shard = node.shards("i")[0];
  node.engine->release_snapshot(shard, 1);
  node.engine->release_snapshot({shard.index, 7}, 1);
  node.engine->release_snapshot({shard.index + 5, 0}, 1);
  EXPECT_FALSE(node.engine->acquire_snapshot({shard.index, 7}).ok());
  EXPECT_EQ(node.engine->acquire_snapshot({shard.index + 5, 0}).status().type(),
            ErrorType::kIndexNotFound);
}

TEST(EngineHolds, AnIndexWithHoldsIsNotClosedWhenIdle) {
  EngineNode node;
  ASSERT_OK(node.open());
  node.create("i");
  put_numbered(node, 0, 3);
  ASSERT_OK(node.flush("i"));
  const ShardId shard = node.shards("i")[0];
  const uint64_t held = *node.engine->acquire_snapshot(shard);
  node.clock.advance_ms(node.options.idle_close_ms * 2);
  EXPECT_EQ(node.engine->close_idle(), 0U);
  EXPECT_EQ(search_at(node, held).total, 3U);
  node.engine->release_snapshot(shard, held);
  node.clock.advance_ms(node.options.idle_close_ms * 2);
  EXPECT_EQ(node.engine->close_idle(), 1U);
}

TEST(EngineHolds, MemoryOfHoldsIsBoundedAndAFlushMakesRoom) {
  EngineNode node;
  node.options.held_bytes = 64;
  ASSERT_OK(node.open());
  node.create("i");
  put_numbered(node, 0, 100);
  const ShardId shard = node.shards("i")[0];
  EXPECT_EQ(node.engine->acquire_snapshot(shard).status().type(), ErrorType::kCircuitBreaking);
  ASSERT_OK(node.flush("i"));
  const uint64_t held = *node.engine->acquire_snapshot(shard);
  EXPECT_EQ(*node.engine->acquire_snapshot(shard), held);
  put_numbered(node, 100, 200);
  EXPECT_EQ(node.engine->acquire_snapshot(shard).status().type(), ErrorType::kCircuitBreaking);
  EXPECT_EQ(search_at(node, held).total, 100U);
}

TEST(EngineHolds, ShardDocIsInsertionOrderOverSegmentsAndIndexes) {
  EngineNode node;
  ASSERT_OK(node.open());
  const uint32_t first = node.create("a");
  node.create("i");
  put_numbered(node, 0, 2);
  put_numbered(node, 2, 5);
  const ShardId shard = node.shards("i")[0];
  const uint64_t held = *node.engine->acquire_snapshot(shard);
  PlanFrame frame;
  frame.legs = {Query().match_all()};
  frame.flags = kPlanInlineFetch;
  frame.snapshots = {{first, 0, *node.engine->acquire_snapshot({first, 0})},
                     {shard.index, 0, held}};
  SortKey key;
  key.field = "_shard_doc";
  frame.sort = {key};
  const std::string second_place = std::to_string((uint64_t{1} << 44) + 1);
  for (const uint32_t total : {kExactTotal, 0U}) {
    frame.track_total_hits = total;
    frame.search_after = {{Scalar::Kind::kNumber, second_place}};
    const auto after = testing::decode_search(*node.engine->search({shard}, frame.bytes()));
    ASSERT_EQ(after.page.size(), 3U);
    EXPECT_EQ(after.page[0].id, "2");
    EXPECT_EQ(after.page[2].id, "4");
  }
  frame.search_after = {{Scalar::Kind::kNumber, "900"}};
  EXPECT_EQ(testing::decode_search(*node.engine->search({shard}, frame.bytes())).page.size(), 5U);
  frame.search_after = {{Scalar::Kind::kString, "x"}};
  EXPECT_EQ(testing::decode_search(*node.engine->search({shard}, frame.bytes())).error,
            ErrorType::kIllegalArgument);
}

NodeBytes slice(uint32_t id, uint32_t max) {
  ByteWriter out;
  out.put(1.0F);
  out.put_string("");
  out.put(id);
  out.put(max);
  return testing::raw_node(PlanOp::kSlice, out);
}

TEST(EngineHolds, SlicesAreDisjointAndWhole) {
  EngineNode node;
  ASSERT_OK(node.open());
  node.create("i");
  put_numbered(node, 0, 50);
  put_numbered(node, 50, 100);
  uint64_t total = 0;
  for (uint32_t id = 0; id < 3; id++) {
    const uint64_t part = node.search("i", slice(id, 3)).total;
    EXPECT_TRUE(part > 10 && part < 60);
    total += part;
  }
  EXPECT_EQ(total, 100U);
  EXPECT_EQ(node.search("i", slice(3, 3)).error, ErrorType::kParsing);
}

}  // namespace quarry::engine_holds_test
