// Attempts at a search or fetch through the engine: an answer, or none and no trace of the attempt.
#include <atomic>
#include <string>
#include <vector>

#include "json/value.h"
#include "testing/engine_node.h"
#include "testing/test.h"

namespace quarry::engine_budget_test {

using testing::EngineNode;
using testing::PlanFrame;
using testing::Query;

/// Each reading takes a microsecond of work.
class BusyClock final : public Clock {
 public:
  int64_t wall_ms() const override { return 1700000000000; }
  int64_t steady_ns() const override { return now_us_.fetch_add(1) * 1000; }

 private:
  mutable std::atomic<int64_t> now_us_{1};
};

constexpr uint64_t kWide = 1'000'000;

CallLimits budget(uint64_t us) { return {0, 0, us}; }

std::string stat(EngineNode& node, const char* name) {
  const auto stats = JsonValue::parse(node.engine->node_stats(), kMaxJsonDepth);
  const JsonValue* value = stats.ok() ? stats->find(name) : nullptr;
  return value == nullptr ? "absent" : value->to_json();
}

void fill(EngineNode& node) {
  node.create("a", R"("number_of_shards":2)");
  for (int i = 0; i < 60; i++) node.put("a", std::to_string(i), R"({"t":"some text"})");
  node.refresh("a");
}

std::vector<uint8_t> text_plan() {
  PlanFrame frame;
  frame.legs.push_back(Query().match("t", "text"));
  frame.window = 100;
  return frame.bytes();
}

struct Busy {
  Busy() {
    node.options.clock = &clock;
    EXPECT_OK(node.open());
    fill(node);
  }
  BusyClock clock;
  EngineNode node;
};

TEST(EngineBudget, AnAttemptAnswersAsACallWithoutABudgetOrNotAtAll) {
  Busy busy;
  Engine& engine = *busy.node.engine;
  const std::vector<ShardId> shards = busy.node.shards("a");
  const std::vector<uint8_t> plan = text_plan();
  // What repeated searches find in caches changes the counters of work in a reply.
  for (int i = 0; i < 3; i++) static_cast<void>(engine.search(shards, plan));
  const auto whole = engine.search(shards, plan);
  ASSERT_TRUE(whole.has_value());
  uint64_t ended = 0;
  uint64_t us = 1;
  for (; us < kWide; us++) {
    const auto attempt = engine.search(shards, plan, budget(us));
    if (!attempt) {
      ended++;
      continue;
    }
    EXPECT_TRUE(*attempt == *whole);
    break;
  }
  EXPECT_GT(ended, 1);
  EXPECT_LT(us, kWide);
  // The budget is that of both shards together.
  EXPECT_TRUE(engine.search({shards[0]}, plan, budget(us - 1)).has_value());
}

TEST(EngineBudget, AFetchAnswersInFullOrNotAtAll) {
  Busy busy;
  Engine& engine = *busy.node.engine;
  const std::vector<uint8_t> plan = text_plan();
  const ShardId shard = busy.node.shards("a")[0];
  const auto hits = testing::decode_search(*engine.search({shard}, plan));
  std::vector<uint32_t> docs;
  for (const testing::Hit& hit : hits.hits) docs.push_back(hit.doc);
  const auto whole = engine.fetch(shard, hits.generations[0], docs, plan);
  ASSERT_TRUE(whole.has_value());
  EXPECT_FALSE(engine.fetch(shard, hits.generations[0], docs, plan, budget(2)).has_value());
  const auto wide = engine.fetch(shard, hits.generations[0], docs, plan, budget(kWide));
  ASSERT_TRUE(wide.has_value());
  EXPECT_TRUE(*wide == *whole);
}

TEST(EngineBudget, OnlyCallsThatAnswerAreCounted) {
  Busy busy;
  Engine& engine = *busy.node.engine;
  const std::vector<ShardId> shards = busy.node.shards("a");
  const std::vector<uint8_t> plan = text_plan();
  const auto hits = testing::decode_search(*engine.search(shards, plan));
  const std::vector<uint32_t> some{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  const std::string before = stat(busy.node, "search_query_total");
  EXPECT_FALSE(engine.search(shards, plan, budget(1)).has_value());
  EXPECT_FALSE(engine.fetch(shards[0], hits.generations[0], some, plan, budget(1)).has_value());
  EXPECT_EQ(stat(busy.node, "search_query_total"), before);
  EXPECT_TRUE(engine.search(shards, plan, budget(kWide)).has_value());
  EXPECT_NE(stat(busy.node, "search_query_total"), before);
}

TEST(EngineBudget, AnAttemptThatEndsIsNoFirstRequestOfAFilter) {
  Busy busy;
  Engine& engine = *busy.node.engine;
  std::string lines;
  for (int i = 0; i < 12000; i++) {
    lines += "{\"index\":{\"_id\":\"n" + std::to_string(i) +
             "\"}}\n{\"n\":" + std::to_string(i * 7 % 900) + "}\n";
  }
  busy.node.bulk(lines, "a");
  busy.node.refresh("a");
  PlanFrame frame;
  frame.legs.push_back(Query().boolean({}, {Query().exists("t"), Query().range("n", 1, {"5"})}));
  const std::vector<uint8_t> plan = frame.bytes();
  const std::vector<ShardId> shards = busy.node.shards("a");
  const std::string before = stat(busy.node, "filter_cache_bytes");
  EXPECT_NE(before, "absent");
  for (const uint64_t us : {2, 5, 9, 14}) {
    if (engine.search(shards, plan, budget(us))) continue;
    EXPECT_EQ(stat(busy.node, "filter_cache_bytes"), before);
  }
  EXPECT_TRUE(engine.search(shards, plan).has_value());
  EXPECT_NE(stat(busy.node, "filter_cache_bytes"), before);
}

TEST(EngineBudget, AClosedIndexIsNotOpenedByAnAttempt) {
  EngineNode node;
  ASSERT_OK(node.open());
  fill(node);
  const std::vector<ShardId> shards = node.shards("a");
  const std::vector<uint8_t> plan = text_plan();
  node.clock.advance_ms(node.options.idle_close_ms);
  for (const ShardId shard : node.engine->flush_candidates()) EXPECT_OK(node.engine->flush(shard));
  node.clock.advance_ms(node.options.idle_close_ms);
  while (node.engine->close_idle() > 0) {
  }
  EXPECT_EQ(stat(node, "indices_open"), "0");
  EXPECT_FALSE(node.engine->search(shards, plan, budget(kWide)).has_value());
  EXPECT_FALSE(node.engine->fetch(shards[0], 1, {0}, plan, budget(kWide)).has_value());
  EXPECT_EQ(stat(node, "indices_open"), "0");
  const auto whole = node.engine->search(shards, plan);
  EXPECT_TRUE(node.engine->search(shards, plan, budget(kWide)) == whole);
}

TEST(EngineBudget, ErrorsOfTheCallerAreAnswered) {
  EngineNode node;
  ASSERT_OK(node.open());
  const auto none = node.engine->search({{77, 0}}, text_plan(), budget(kWide));
  ASSERT_TRUE(none.has_value());
  EXPECT_EQ(testing::decode_search(*none).error, ErrorType::kIndexNotFound);
}

}  // namespace quarry::engine_budget_test
