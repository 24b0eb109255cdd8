// Idle indexes: they are flushed and closed, and opened again on demand without a visible change.
#include <string>

#include "json/value.h"
#include "testing/engine_node.h"
#include "testing/test.h"

namespace quarry::idle_indexes_test {

using testing::EngineNode;
using testing::Query;

std::string stat(EngineNode& node, const char* name) {
  const auto stats = JsonValue::parse(node.engine->node_stats(), kMaxJsonDepth);
  const JsonValue* value = stats.ok() ? stats->find(name) : nullptr;
  return value == nullptr ? "absent" : value->to_json();
}

/// Advances the clock without requests and runs the due work. Returns the number of closed indexes.
uint32_t rest(EngineNode& node) {
  node.clock.advance_ms(node.options.idle_close_ms);
  for (const ShardId shard : node.engine->flush_candidates()) EXPECT_OK(node.engine->flush(shard));
  node.clock.advance_ms(node.options.idle_close_ms);
  uint32_t closed = 0;
  while (const uint32_t more = node.engine->close_idle()) closed += more;
  return closed;
}

TEST(IdleIndexes, AreClosedAndOpenedByTheirNextUse) {
  EngineNode node;
  ASSERT_OK(node.open());
  node.create("a", "\"number_of_shards\":2");
  node.create("b");
  for (int i = 0; i < 20; i++) node.put("a", std::to_string(i), R"({"t":"word","n":1})");
  node.erase("a", "7");
  const std::string mapped = *node.engine->describe(node.number_of("a"));
  EXPECT_EQ(rest(node), 2U);
  EXPECT_EQ(stat(node, "indices"), "2");
  EXPECT_EQ(stat(node, "indices_open"), "0");
  EXPECT_EQ(stat(node, "shards"), "3");
  EXPECT_EQ(stat(node, "docs"), "19");
  EXPECT_EQ(stat(node, "index_total"), "20");
  EXPECT_EQ(node.engine->needs_recovery().size(), 0U);
  EXPECT_TRUE(node.engine->describe_all()->find(R"("name":"b")") != std::string::npos);
  const std::string closed = *node.engine->describe(node.number_of("b"));
  EXPECT_TRUE(node.engine->describe_all()->find(closed) != std::string::npos);
  EXPECT_TRUE(node.engine->describe(node.number_of("a"))->find(R"("t":{"type":"text")") !=
              std::string::npos);
  EXPECT_EQ(stat(node, "indices_open"), "0");

  EXPECT_EQ(node.search("a", Query().match("t", "word")).total, 19U);
  EXPECT_EQ(stat(node, "indices_open"), "1");
  EXPECT_TRUE(node.get("a", "3").has_value());
  EXPECT_FALSE(node.get("a", "7").has_value());
  EXPECT_TRUE(node.engine->describe(node.number_of("a"))->find(R"("t":{"type":"text")") !=
              std::string::npos);
  EXPECT_EQ(mapped.find(R"("t":{"type":"text")") == std::string::npos, false);
}

TEST(IdleIndexes, VersionsAndSequenceNumbersGoOn) {
  EngineNode node;
  ASSERT_OK(node.open());
  node.create("a");
  node.put("a", "1", "{}");
  const uint64_t last = node.put("a", "1", "{}").seq_no;
  EXPECT_EQ(rest(node), 1U);
  const auto item = node.put("a", "1", "{}");
  EXPECT_EQ(item.version, 3U);
  EXPECT_EQ(item.seq_no, last + 1);
  EXPECT_EQ(rest(node), 1U);
  EXPECT_EQ(stat(node, "index_total"), "3");
  const auto stats =
      JsonValue::parse(*node.engine->index_stats(node.number_of("a")), kMaxJsonDepth);
  EXPECT_EQ(stats->find("index_total")->to_json(), "3");
  ASSERT_OK(node.close());
  ASSERT_OK(node.open());
  EXPECT_EQ(node.get("a", "1")->version, 3U);
}

TEST(IdleIndexes, StayOpenWhileTheyAreUsedOrOweSomething) {
  EngineNode node;
  ASSERT_OK(node.open());
  node.create("used");
  node.create("dirty");
  node.put("dirty", "1", "{}");
  node.clock.advance_ms(node.options.idle_close_ms);
  static_cast<void>(node.search("used", Query().match_all()));
  EXPECT_EQ(node.engine->close_idle(), 0U);
  const auto due = node.engine->flush_candidates();
  ASSERT_EQ(due.size(), 1U);
  EXPECT_EQ(due[0].index, node.number_of("dirty"));
  EXPECT_EQ(stat(node, "indices_open"), "2");
}

TEST(IdleIndexes, AreDroppedWhileTheyAreClosed) {
  EngineNode node;
  ASSERT_OK(node.open());
  const uint32_t number = node.create("a");
  node.put("a", "1", "{}");
  EXPECT_EQ(rest(node), 1U);
  EXPECT_OK(node.engine->drop_index(number));
  EXPECT_EQ(node.engine->describe(number).status().type(), ErrorType::kIndexNotFound);
  EXPECT_EQ(node.disk->list("/data/indices")->size(), 0U);
}

TEST(IdleIndexes, AStartOpensOnlyWhatTheLogNames) {
  EngineNode node;
  ASSERT_OK(node.open());
  for (int i = 0; i < 50; i++) {
    node.create("i" + std::to_string(i));
    node.put("i" + std::to_string(i), "1", "{}");
  }
  EXPECT_EQ(rest(node), 50U);
  node.put("i7", "2", "{}");
  ASSERT_OK(node.engine->sync_wal());
  node.engine.reset();
  ASSERT_OK(node.open());
  EXPECT_EQ(stat(node, "indices_open"), "1");
  EXPECT_EQ(stat(node, "indices"), "50");
  EXPECT_EQ(node.all("i7").size(), 2U);
  EXPECT_EQ(node.all("i8").size(), 1U);
}

TEST(IdleIndexes, WrittenOutLeaveNothingInTheLog) {
  EngineNode node;
  ASSERT_OK(node.open());
  node.create("a");
  node.put("a", "1", R"({"t":"a secret"})");
  ASSERT_OK(node.engine->sync_wal());
  EXPECT_EQ(node.disk->list("/data/wal")->size(), 1U);
  ASSERT_OK(node.flush("a"));
  EXPECT_EQ(node.disk->list("/data/wal")->size(), 0U);
  node.put("a", "2", "{}");
  ASSERT_OK(node.engine->sync_wal());
  node.engine.reset();
  ASSERT_OK(node.open());
  EXPECT_EQ(node.all("a").size(), 2U);
}

TEST(IdleIndexes, WhatTheLastCheckpointDoesNotReachStaysInTheLog) {
  EngineNode node;
  ASSERT_OK(node.open());
  node.create("a");
  node.put("a", "1", "{}");
  EXPECT_EQ(node.engine->unflushed_shards().size(), 1U);
  ASSERT_OK(node.engine->close(0));
  node.engine.reset();
  EXPECT_FALSE(node.disk->exists("/data/indices/1/0/seg-1.data"));
  ASSERT_OK(node.open());
  EXPECT_EQ(node.all("a").size(), 1U);
}

}  // namespace quarry::idle_indexes_test
