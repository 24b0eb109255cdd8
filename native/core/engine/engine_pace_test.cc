// A merge that pauses must not block anything. The engine is used during the pauses of a merge, on
// the same thread, so that a lock held during a pause would cause a deadlock.
#include <functional>
#include <string>

#include "testing/engine_node.h"
#include "testing/test.h"

namespace quarry::engine_pace_test {

using testing::EngineNode;
using testing::Query;

std::string documents(int from, int count) {
  std::string body;
  for (int i = from; i < from + count; i++) {
    // A long unique word: enough bytes for several writes of a merge.
    const std::string own(120, static_cast<char>('a' + i % 26));
    body += "{\"index\":{\"_id\":\"" + std::to_string(i) + "\"}}\n{\"text\":\"word" +
            std::to_string(i % 50) + " of " + std::to_string(i) + own +
            "\",\"n\":" + std::to_string(i) + "}\n";
  }
  return body;
}

/// Two segments on disk with 2000 documents each.
void load(EngineNode& node) {
  for (int part = 0; part < 2; part++) {
    EXPECT_EQ(node.bulk(documents(part * 2000, 2000), "i").items.size(), size_t{2000});
    EXPECT_OK(node.flush("i"));
  }
}

TEST(EnginePace, NothingWaitsForAMergeThatWaits) {
  EngineNode node;
  node.options.merge_bytes_per_sec = 1024;
  int pauses = 0;
  std::function<void()> during = [] {};
  node.options.pause = [&](int64_t nanos) {
    node.clock.advance_ms(nanos / 1000000 + 1000);
    if (++pauses == 1) during();
  };
  ASSERT_OK(node.open());
  node.create("i");
  load(node);
  const ShardId shard{node.number_of("i"), 0};
  during = [&] {
    EXPECT_EQ(node.search("i", Query().match_all()).total, 4000u);
    EXPECT_EQ(node.bulk(documents(3990, 20), "i").items.size(), size_t{20});
    EXPECT_TRUE(node.get("i", "4009").has_value());
    node.refresh("i");
    EXPECT_EQ(node.search("i", Query().match_all()).total, 4010u);
    const Result<uint64_t> held = node.engine->acquire_snapshot(shard);
    ASSERT_OK(held.status());
    node.engine->release_snapshot(shard, *held);
    EXPECT_OK(node.flush("i"));
    const Result<std::string> pinned = node.engine->pin_index(shard.index);
    EXPECT_OK(pinned.status());
    EXPECT_OK(node.engine->sync_wal().status());
    EXPECT_TRUE(!node.engine->node_stats().empty());
    EXPECT_OK(node.engine->index_stats(shard.index).status());
  };
  EXPECT_TRUE(node.merge("i", 1));
  EXPECT_TRUE(pauses > 1);
  // Ten documents were replaced while the merge ran.
  EXPECT_EQ(node.search("i", Query().match_all()).total, 4010u);
  EXPECT_EQ(node.all("i").size(), size_t{4010});
}

TEST(EnginePace, AMergeThatWaitsEndsWithItsIndex) {
  EngineNode node;
  node.options.merge_bytes_per_sec = 1;
  int pauses = 0;
  node.options.pause = [&](int64_t) {
    if (++pauses == 3) node.engine->abort_merges();
  };
  ASSERT_OK(node.open());
  node.create("i");
  load(node);
  const auto merged = node.engine->merge({node.number_of("i"), 0}, 1);
  EXPECT_EQ(merged.status().type(), ErrorType::kRejected);
  EXPECT_EQ(pauses, 3);
  EXPECT_EQ(node.search("i", Query().match_all()).total, 4000u);
}

TEST(EnginePace, TheLimitIsLiftedWhileAMergeRuns) {
  EngineNode node;
  node.options.merge_bytes_per_sec = 1;
  int pauses = 0;
  node.options.pause = [&](int64_t) {
    if (++pauses == 2) node.engine->set_merge_limit(0);
  };
  ASSERT_OK(node.open());
  node.create("i");
  load(node);
  EXPECT_TRUE(node.merge("i", 1));
  EXPECT_EQ(pauses, 2);
  EXPECT_EQ(node.search("i", Query().match_all()).total, 4000u);
}

}  // namespace quarry::engine_pace_test
