// Concurrent operations for the thread sanitizer: writers, refreshes, flushes, merges, searches,
// gets, statistics.
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "testing/engine_node.h"
#include "testing/test.h"

namespace quarry::engine_threads_test {

using testing::EngineNode;
using testing::Query;

TEST(EngineThreads, WritersReadersAndMaintenanceRunTogether) {
  EngineNode node;
  node.options.wal_file_bytes = 16384;
  node.options.memtable_flush_bytes = 1 << 16;
  node.options.idle_close_ms = 0;
  ASSERT_OK(node.open());
  node.create("i", "\"number_of_shards\":2");
  const std::vector<ShardId> shards = node.shards("i");
  constexpr int kWriters = 3;
  constexpr int kRounds = 60;
  std::atomic<int> writing{kWriters};
  std::atomic<int> failures{0};
  std::vector<std::thread> threads;
  for (int w = 0; w < kWriters; w++) {
    threads.emplace_back([&, w] {
      for (int i = 0; i < kRounds; i++) {
        std::string body;
        for (int k = 0; k < 4; k++) {
          body += "{\"index\":{\"_id\":\"w" + std::to_string(w) + "-" + std::to_string(k) +
                  "\"}}\n{\"i\":" + std::to_string(i) + ",\"f" + std::to_string(i % 7) +
                  "\":\"text " + std::to_string(w) + "\"}\n";
        }
        const auto answer = node.bulk(body, "i");
        for (const auto& item : answer.items) failures += item.error != ErrorType::kOk;
        failures += !node.engine->sync_wal().ok();
        const auto got = node.get("i", "w" + std::to_string(w) + "-0");
        failures += !got || got->version != static_cast<uint64_t>(i) + 1;
      }
      writing--;
    });
  }
  const auto until_written = [&](auto work) {
    threads.emplace_back([&, work] {
      while (writing.load() > 0) work();
    });
  };
  until_written([&] {
    for (const ShardId shard : node.engine->dirty_shards())
      failures += !node.engine->refresh(shard).ok();
    node.clock.advance_ms(5);
  });
  until_written([&] {
    for (const ShardId shard : shards) failures += !node.engine->flush(shard).ok();
    static_cast<void>(node.engine->flush_candidates());
  });
  until_written([&] {
    for (const ShardId shard : shards) failures += !node.engine->merge(shard, 0).ok();
  });
  until_written([&] { static_cast<void>(node.engine->close_idle()); });
  until_written([&] {
    const auto answer = node.search("i", Query().match_all());
    failures += answer.error != ErrorType::kOk || answer.total > kWriters * 4;
    static_cast<void>(node.engine->node_stats());
    static_cast<void>(node.engine->describe_all());
  });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failures.load(), 0);
  node.refresh("i");
  EXPECT_EQ(node.all("i").size(), kWriters * 4);
  ASSERT_OK(node.close());
  ASSERT_OK(node.open());
  EXPECT_EQ(node.get("i", "w1-2")->version, kRounds);
}

TEST(EngineThreads, AnIndexIsDroppedUnderItsUsers) {
  EngineNode node;
  ASSERT_OK(node.open());
  for (int round = 0; round < 10; round++) {
    const std::string name = "i" + std::to_string(round);
    const uint32_t number = node.create(name);
    std::atomic<bool> dropped{false};
    std::thread writer([&] {
      for (int i = 0; !dropped.load(); i++) node.put(name, std::to_string(i), "{\"a\":1}");
    });
    std::thread keeper([&] {
      while (!dropped.load()) {
        static_cast<void>(node.engine->refresh({number, 0}));
        static_cast<void>(node.engine->flush({number, 0}));
        static_cast<void>(node.engine->search({{number, 0}}, testing::PlanFrame().bytes()));
      }
    });
    EXPECT_OK(node.engine->drop_index(number));
    dropped = true;
    writer.join();
    keeper.join();
  }
  EXPECT_EQ(*node.engine->describe_all(), "");
  EXPECT_EQ(node.disk->list("/data/indices")->size(), 0);
}

}  // namespace quarry::engine_threads_test
