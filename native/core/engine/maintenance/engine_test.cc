// The engine end to end: indexes, bulk, get, search, refresh, flush, merge, restart.
#include "engine/engine.h"

#include <string>
#include <vector>

#include "testing/engine_node.h"
#include "testing/test.h"

namespace quarry::engine_test {

using testing::BulkAnswer;
using testing::EngineNode;
using testing::Item;
using testing::Query;

constexpr ItemResult kCreated = ItemResult::kCreated;
constexpr ItemResult kUpdated = ItemResult::kUpdated;

TEST(Engine, WrittenDocumentsAreGotAtOnceAndFoundAfterARefresh) {
  EngineNode node;
  ASSERT_OK(node.open());
  node.create("books");
  const BulkAnswer answer = node.bulk(
      "{\"index\":{\"_id\":\"1\"}}\n{\"title\":\"quick fox\",\"n\":1}\n"
      "{\"create\":{\"_id\":\"2\"}}\n{\"title\":\"lazy dog\",\"n\":2}\n"
      "{\"index\":{}}\n{\"title\":\"quick dog\"}\n",
      "books");
  ASSERT_EQ(answer.items.size(), 3);
  EXPECT_EQ(answer.items[0].result, kCreated);
  EXPECT_EQ(answer.items[0].status, 201);
  EXPECT_EQ(answer.items[0].version, 1);
  EXPECT_EQ(answer.items[0].seq_no, 0);
  EXPECT_EQ(answer.items[1].seq_no, 1);
  EXPECT_EQ(answer.items[2].id.size(), 36);
  EXPECT_EQ(answer.touched.size(), 1);
  EXPECT_EQ(node.get("books", "1")->source, "{\"title\":\"quick fox\",\"n\":1}");
  EXPECT_FALSE(node.get("books", "1", false).has_value());
  EXPECT_EQ(node.search("books", Query().match("title", "quick")).total, 0);
  node.refresh("books");
  EXPECT_EQ(node.search("books", Query().match("title", "quick")).total, 2);
  EXPECT_EQ(node.search("books", Query().range("n", 1, {"2"})).total, 1);
  EXPECT_TRUE(node.get("books", "1", false).has_value());
  EXPECT_EQ(node.all("books").size(), 3);
}

TEST(Engine, OverwritesAndDeletesShowAfterARefreshAndVersionsGoOn) {
  EngineNode node;
  ASSERT_OK(node.open());
  node.create("i");
  EXPECT_EQ(node.put("i", "a", "{\"v\":1}").result, kCreated);
  node.refresh("i");
  const Item second = node.put("i", "a", "{\"v\":2}");
  EXPECT_EQ(second.result, kUpdated);
  EXPECT_EQ(second.status, 200);
  EXPECT_EQ(second.version, 2);
  EXPECT_EQ(node.all("i").at("a"), "{\"v\":1}");
  node.refresh("i");
  EXPECT_EQ(node.all("i").at("a"), "{\"v\":2}");
  const Item deleted = node.erase("i", "a");
  EXPECT_EQ(deleted.result, ItemResult::kDeleted);
  EXPECT_EQ(deleted.version, 3);
  EXPECT_FALSE(node.get("i", "a").has_value());
  EXPECT_EQ(node.all("i").size(), 1);
  node.refresh("i");
  EXPECT_EQ(node.all("i").size(), 0);
  const Item again = node.erase("i", "a");
  EXPECT_EQ(again.result, ItemResult::kNotFound);
  EXPECT_EQ(again.status, 404);
  EXPECT_EQ(again.version, 4);
  EXPECT_EQ(node.put("i", "a", "{}").version, 5);
  node.erase("i", "a");
  node.refresh("i");
  node.clock.advance_ms(61000);
  EXPECT_EQ(node.put("i", "a", "{}").version, 1);
}

TEST(Engine, OperationsOnOneIdApplyInBodyOrder) {
  EngineNode node;
  ASSERT_OK(node.open());
  node.create("i");
  const BulkAnswer answer = node.bulk(
      "{\"index\":{\"_id\":\"1\"}}\n{\"a\":1}\n"
      "{\"update\":{\"_id\":\"1\"}}\n{\"doc\":{\"b\":2}}\n"
      "{\"delete\":{\"_id\":\"1\"}}\n"
      "{\"create\":{\"_id\":\"1\"}}\n{\"c\":3}\n"
      "{\"create\":{\"_id\":\"1\"}}\n{\"d\":4}\n",
      "i");
  ASSERT_EQ(answer.items.size(), 5);
  EXPECT_EQ(answer.items[1].result, kUpdated);
  EXPECT_EQ(answer.items[2].version, 3);
  EXPECT_EQ(answer.items[3].version, 4);
  EXPECT_EQ(answer.items[4].error, ErrorType::kVersionConflict);
  EXPECT_EQ(answer.items[4].reason,
            "[1]: version conflict, document already exists (current version [4])");
  EXPECT_EQ(node.get("i", "1")->source, "{\"c\":3}");
}

TEST(Engine, ABadLineFailsAloneAndABadBodyFailsWhole) {
  EngineNode node;
  ASSERT_OK(node.open());
  node.create("i", "\"mappings\":{\"properties\":{\"n\":{\"type\":\"long\"}}}");
  const BulkAnswer answer = node.bulk(
      "{\"index\":{\"_id\":\"1\"}}\n{\"n\":\"x\"}\n"
      "{\"index\":{\"_id\":\"2\"}}\n{\"n\":1\n"
      "{\"index\":{\"_id\":\"3\"}}\n{\"n\":1}\n",
      "i");
  ASSERT_EQ(answer.items.size(), 3);
  EXPECT_EQ(answer.items[0].error, ErrorType::kDocumentParsing);
  EXPECT_EQ(answer.items[0].status, 400);
  EXPECT_EQ(answer.items[1].error, ErrorType::kDocumentParsing);
  EXPECT_EQ(answer.items[2].result, kCreated);
  const BulkAnswer bad = node.bulk("{\"index\":{\"_id\":\"4\"}}\n{}\nnot json\n{}\n", "i");
  EXPECT_EQ(bad.error, ErrorType::kXContentParse);
  EXPECT_FALSE(node.get("i", "4").has_value());
  const BulkAnswer nameless = node.bulk("{\"delete\":{}}\n{\"index\":{\"_id\":\"5\"}}\n{}\n", "i");
  ASSERT_EQ(nameless.items.size(), 2);
  EXPECT_EQ(nameless.items[0].error, ErrorType::kActionRequestValidation);
  EXPECT_EQ(nameless.items[1].result, kCreated);
  const std::string long_id(513, 'x');
  const BulkAnswer long_one = node.bulk("{\"index\":{\"_id\":\"" + long_id + "\"}}\n{}\n", "i");
  ASSERT_EQ(long_one.items.size(), 1);
  EXPECT_EQ(long_one.items[0].error, ErrorType::kActionRequestValidation);
}

TEST(Engine, NamesThatTheTableLacksAreReportedAndNothingRuns) {
  EngineNode node;
  ASSERT_OK(node.open());
  node.create("known");
  const BulkAnswer answer = node.bulk(
      "{\"index\":{\"_index\":\"known\",\"_id\":\"1\"}}\n{}\n"
      "{\"index\":{\"_index\":\"new\",\"_id\":\"1\"}}\n{}\n"
      "{\"index\":{\"_index\":\"new\",\"_id\":\"2\"}}\n{}\n");
  EXPECT_EQ(answer.missing, std::vector<std::string>{"new"});
  EXPECT_EQ(answer.items.size(), 0);
  EXPECT_FALSE(node.get("known", "1").has_value());
  const BulkAnswer alias =
      node.bulk("{\"index\":{\"_index\":\"known\",\"_id\":\"1\",\"require_alias\":true}}\n{}\n");
  EXPECT_EQ(alias.items.at(0).error, ErrorType::kIndexNotFound);
  EXPECT_EQ(alias.items.at(0).index, kNoIndex);
  EXPECT_EQ(alias.items.at(0).name, "known");
}

TEST(Engine, ShardsHoldDisjointPartsAndInsertionOrderIsTotal) {
  EngineNode node;
  ASSERT_OK(node.open());
  node.create("i", "\"number_of_shards\":3");
  std::string body;
  for (int i = 0; i < 60; i++) {
    body +=
        "{\"index\":{\"_id\":\"" + std::to_string(i) + "\"}}\n{\"i\":" + std::to_string(i) + "}\n";
  }
  const BulkAnswer answer = node.bulk(body, "i");
  EXPECT_EQ(answer.touched.size(), 3);
  for (size_t i = 0; i < 60; i++) EXPECT_EQ(answer.items[i].seq_no, i);
  node.refresh("i");
  EXPECT_EQ(node.all("i").size(), 60);
  EXPECT_EQ(node.get("i", "17")->source, "{\"i\":17}");
}

TEST(Engine, RoutingDecidesTheShardAndComesBack) {
  EngineNode node;
  ASSERT_OK(node.open());
  node.create("i", "\"number_of_shards\":5");
  const BulkAnswer answer = node.bulk(
      "{\"index\":{\"_id\":\"1\",\"routing\":\"r\"}}\n{}\n"
      "{\"index\":{\"_id\":\"2\",\"routing\":\"r\"}}\n{}\n",
      "i");
  EXPECT_EQ(answer.items[0].shard, answer.items[1].shard);
  EXPECT_EQ(node.get("i", "1", true, "r")->routing, "r");
  node.refresh("i");
  EXPECT_EQ(node.get("i", "1", true, "r")->routing, "r");
  EXPECT_OK(node.flush("i"));
  EXPECT_EQ(node.get("i", "1", false, "r")->routing, "r");
  node.create("must", "\"mappings\":{\"_routing\":{\"required\":true}}");
  EXPECT_EQ(node.put("must", "1", "{}").error, ErrorType::kRoutingMissing);
}

TEST(Engine, ARestartBringsBackWhatWasFlushedAndWhatWasOnlyLogged) {
  EngineNode node;
  ASSERT_OK(node.open());
  const uint32_t number = node.create("i", "\"number_of_shards\":2");
  for (int i = 0; i < 10; i++) node.put("i", std::to_string(i), "{\"a\":\"flushed\"}");
  EXPECT_OK(node.flush("i"));
  for (int i = 5; i < 15; i++) node.put("i", std::to_string(i), "{\"b\":\"logged\"}");
  node.erase("i", "0");
  ASSERT_OK(node.engine->sync_wal());
  node.engine.reset();
  ASSERT_OK(node.open());
  EXPECT_EQ(node.number_of("i"), number);
  EXPECT_EQ(node.all("i").size(), 14);
  EXPECT_EQ(node.search("i", Query().match("b", "logged")).total, 10);
  EXPECT_EQ(node.search("i", Query().match("a", "flushed")).total, 4);
  EXPECT_EQ(node.get("i", "7")->version, 2);
  EXPECT_EQ(node.put("i", "0", "{}").version, 3);
  ASSERT_OK(node.close());
  EXPECT_EQ(node.disk->list("/data/wal")->size(), 0);
  ASSERT_OK(node.open());
  EXPECT_EQ(node.engine->needs_recovery().size(), 0);
  EXPECT_EQ(node.all("i").size(), 15);
  EXPECT_EQ(node.put("i", "x", "{}").seq_no, 22);
}

TEST(Engine, SaysHowFarTheReplayIs) {
  EngineNode node;
  ASSERT_OK(node.open());
  node.create("i", "\"number_of_shards\":2");
  for (int i = 0; i < 30; i++) node.put("i", std::to_string(i), "{\"a\":\"logged\"}");
  ASSERT_OK(node.engine->sync_wal());
  node.engine.reset();
  Result<std::unique_ptr<Engine>> opened = Engine::open(node.options);
  ASSERT_OK(opened.status());
  node.engine = std::move(*opened);
  EXPECT_EQ(node.engine->replay_progress().done, 0);
  EXPECT_EQ(node.engine->replay_progress().total, 30);
  const std::vector<ShardId> shards = node.engine->needs_recovery();
  ASSERT_EQ(shards.size(), 2);
  ASSERT_OK(node.engine->recover(shards[0]));
  const uint64_t half = node.engine->replay_progress().done;
  EXPECT_TRUE(half > 0 && half < 30);
  ASSERT_OK(node.engine->recover(shards[1]));
  EXPECT_EQ(node.engine->replay_progress().done, 30);
}

TEST(Engine, MergesKeepOrderAndDropTheDead) {
  EngineNode node;
  ASSERT_OK(node.open());
  node.create("i");
  for (int round = 0; round < 12; round++) {
    for (int i = 0; i < 5; i++) {
      node.put("i", std::to_string(round * 4 + i), "{\"r\":" + std::to_string(round) + "}");
    }
    node.refresh("i");
  }
  EXPECT_EQ(node.engine->merge_candidates().size(), 1);
  while (node.merge("i", 0)) {
  }
  const auto before = node.all("i");
  EXPECT_EQ(before.size(), 49);
  static_cast<void>(node.merge("i", 1));
  EXPECT_FALSE(node.merge("i", 1));
  EXPECT_EQ(node.all("i"), before);
  const auto hits = node.search("i", Query().match_all()).hits;
  for (size_t i = 1; i < hits.size(); i++) EXPECT_LT(hits[i - 1].seq_no, hits[i].seq_no);
  node.engine.reset();
  ASSERT_OK(node.open());
  EXPECT_EQ(node.all("i"), before);
}

TEST(Engine, AFetchSeesTheSnapshotThatWasSearchedUntilItsTimeIsOver) {
  EngineNode node;
  ASSERT_OK(node.open());
  node.create("i");
  node.put("i", "1", "{\"v\":1}");
  node.refresh("i");
  const auto found = node.search("i", Query().match_all());
  const ShardId shard = node.shards("i")[0];
  node.put("i", "1", "{\"v\":2}");
  node.refresh("i");
  EXPECT_EQ(node.fetch(shard, found.generations[0], {0}).documents.at(0).source, "{\"v\":1}");
  node.clock.advance_ms(node.options.snapshot_retention_ms + 1);
  static_cast<void>(node.engine->dirty_shards());
  EXPECT_EQ(node.fetch(shard, found.generations[0], {0}).error, ErrorType::kSnapshotGone);
}

TEST(Engine, DroppedIndexesLeaveNothingAndNumbersAreNotUsedAgain) {
  EngineNode node;
  ASSERT_OK(node.open());
  const uint32_t first = node.create("a");
  node.put("a", "1", "{}");
  ASSERT_OK(node.engine->drop_index(first));
  EXPECT_EQ(node.engine->drop_index(first).type(), ErrorType::kIndexNotFound);
  EXPECT_EQ(node.disk->list("/data/indices")->size(), 0);
  EXPECT_GT(node.create("a"), first);
  node.engine.reset();
  ASSERT_OK(node.open());
  EXPECT_GT(node.create("b"), first + 1);
}

TEST(Engine, ASecondProcessIsRefused) {
  EngineNode node;
  ASSERT_OK(node.open());
  const auto second = Engine::open(node.options);
  EXPECT_EQ(second.status().type(), ErrorType::kStore);
  EXPECT_NE(second.status().reason().find("in use by another process"), std::string::npos);
}

}  // namespace quarry::engine_test
