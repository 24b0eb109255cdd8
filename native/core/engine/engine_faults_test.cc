// The engine when the disk fails, is full, or loses power at any operation.
#include <string>
#include <vector>

#include "testing/engine_node.h"
#include "testing/test.h"

namespace quarry::engine_faults_test {

using testing::EngineNode;
using testing::Item;
using testing::Query;

TEST(EngineFaults, APowerCutAtAnyOperationLosesNothingThatWasSynced) {
  // One fixed run, with a power cut after each of its disk operations.
  for (int64_t cut = 0; cut < 400; cut++) {
    EngineNode node;
    node.disk->fail_after(cut);
    std::vector<std::string> acknowledged;
    bool finished = node.open().ok();
    bool created = false;
    if (finished) {
      const auto made = node.engine->create_index(R"({"name":"i"})");
      created = finished = made.ok();
    }
    for (int i = 0; finished && i < 12; i++) {
      const std::string id = "d" + std::to_string(i);
      ByteWriter header;
      header.put(kBulkMagic);
      header.put(uint32_t{0});
      header.put_string("i");
      header.put(uint8_t{0});
      header.put_string("");
      header.put(uint32_t{1});
      header.put_string("i");
      header.put(uint32_t{1});
      const std::string body = "{\"index\":{\"_id\":\"" + id + "\"}}\n{\"x" +
                               std::to_string(i % 3) + "\":" + std::to_string(i) + "}\n";
      const auto answer =
          testing::decode_items(node.engine->bulk(header.view(), as_bytes(body))->bytes);
      finished = answer.items.at(0).error == ErrorType::kOk && node.engine->sync_wal().ok();
      if (finished) acknowledged.push_back(id);
      if (i == 4) finished = finished && node.engine->flush({1, 0}).ok();
      if (i == 8) finished = finished && node.engine->merge({1, 0}, 1).ok();
    }
    finished = finished && node.engine->close().ok();
    for (uint64_t seed = 0; seed < 3; seed++) {
      EngineNode after(node.disk->after_crash(static_cast<uint64_t>(cut) * 7 + seed));
      ASSERT_OK(after.open());
      if (!created) continue;
      for (const std::string& id : acknowledged) {
        const auto found = testing::decode_fetched(
            after.engine->get(1, id, "", true, testing::PlanFrame().bytes()));
        ASSERT_EQ(found.error, ErrorType::kOk);
        ASSERT_TRUE(found.documents.at(0).found);
      }
    }
    if (finished) return;
  }
  EXPECT_TRUE(false);  // the run never finished: raise the number of cuts
}

TEST(EngineFaults, AFailedSyncEndsWritesUntilARestartAndReadsGoOn) {
  EngineNode node;
  ASSERT_OK(node.open());
  node.create("i");
  node.put("i", "1", "{}");
  node.refresh("i");
  node.disk->fail_syncs(true);
  EXPECT_FALSE(node.engine->sync_wal().ok());
  const Item refused = node.put("i", "2", "{}");
  EXPECT_EQ(refused.error, ErrorType::kStore);
  EXPECT_EQ(refused.status, 503);
  EXPECT_EQ(node.engine->write_state().type(), ErrorType::kStore);
  EXPECT_EQ(node.search("i", Query().match_all()).total, 1);
  EXPECT_FALSE(node.get("i", "2").has_value());
  EXPECT_FALSE(node.close().ok());
  node.disk->fail_syncs(false);
  ASSERT_OK(node.open());
  EXPECT_TRUE(node.get("i", "1").has_value());
  EXPECT_EQ(node.put("i", "2", "{}").status, 201);
}

TEST(EngineFaults, AFullDiskRefusesWritesButNotDeletesAndClearsByItself) {
  EngineNode node;
  node.disk->set_capacity(4 << 20);
  node.options.disk_reserve_bytes = 64 << 20;
  ASSERT_OK(node.open());
  node.create("i");
  const std::string big = "{\"blob\":\"" + std::string(50000, 'x') + "\"}";
  int written = 0;
  Item last;
  while (written < 1000) {
    last = node.put("i", std::to_string(written), big);
    if (last.error != ErrorType::kOk) break;
    written++;
  }
  EXPECT_GT(written, 10);
  EXPECT_EQ(last.error, ErrorType::kClusterBlock);
  EXPECT_EQ(last.status, 429);
  EXPECT_NE(last.reason.find("disk"), std::string::npos);
  EXPECT_FALSE(node.get("i", std::to_string(written)).has_value());
  EXPECT_EQ(node.engine->flush_candidates().size(), 1);
  EXPECT_EQ(node.erase("i", "0").result, ItemResult::kDeleted);
  node.refresh("i");
  EXPECT_EQ(node.search("i", Query().match_all()).total, written - 1);
  node.disk->set_capacity(64 << 20);
  EXPECT_EQ(node.put("i", "more", big).status, 201);
}

TEST(EngineFaults, AFlushMakesRoomInTheLogOfAFullDisk) {
  EngineNode node;
  node.disk->set_capacity(3 << 20);
  node.options.disk_reserve_bytes = 64 << 20;
  ASSERT_OK(node.open());
  node.create("i");
  const std::string big = "{\"blob\":\"" + std::string(20000, 'x') + "\"}";
  int written = 0;
  while (node.put("i", std::to_string(written), big).status == 201) written++;
  EXPECT_OK(node.flush("i"));
  EXPECT_EQ(node.put("i", "next", big).status, 201);
}

TEST(EngineFaults, ADamagedManifestFailsItsShardAndNoOther) {
  EngineNode node;
  ASSERT_OK(node.open());
  node.create("good");
  const uint32_t bad = node.create("bad");
  node.put("good", "1", "{}");
  node.put("bad", "1", "{}");
  ASSERT_OK(node.close());
  node.disk->damage("/data/indices/" + std::to_string(bad) + "/0/MANIFEST", 20, 1);
  ASSERT_OK(node.open());
  EXPECT_EQ(node.all("good").size(), 1);
  EXPECT_EQ(node.search("bad", Query().match_all()).error, ErrorType::kCorrupt);
  EXPECT_EQ(node.put("bad", "2", "{}").error, ErrorType::kCorrupt);
}

TEST(EngineFaults, ADamagedSegmentIsNamed) {
  EngineNode node;
  ASSERT_OK(node.open());
  const uint32_t number = node.create("i");
  node.put("i", "1", "{\"a\":\"b\"}");
  ASSERT_OK(node.close());
  const std::string dir = "/data/indices/" + std::to_string(number) + "/0/";
  node.disk->damage(dir + "seg-1.data", 70, 4);
  ASSERT_OK(node.open());
  const auto answer = node.search("i", Query().match_all());
  EXPECT_EQ(answer.error, ErrorType::kCorrupt);
  EXPECT_NE(answer.reason.find("seg-1"), std::string::npos);
}

TEST(EngineFaults, AnAcknowledgedDocumentSurvivesAMappingThatNoLongerFitsIt) {
  EngineNode node;
  ASSERT_OK(node.open());
  const uint32_t number = node.create("i", "\"mappings\":{\"dynamic\":false}");
  node.put("i", "1", "{\"n\":\"not a number\",\"t\":\"x\"}");
  ASSERT_OK(node.engine->put_mapping(
      number, R"({"properties":{"n":{"type":"long"},"t":{"type":"keyword"}}})"));
  node.engine.reset();
  ASSERT_OK(node.open());
  EXPECT_EQ(node.all("i").at("1"), "{\"n\":\"not a number\",\"t\":\"x\"}");
  EXPECT_EQ(node.search("i", Query().term("t", "x")).total, 1);
}

TEST(EngineFaults, LeftoversOfACrashAreRemovedAtTheNextStart) {
  EngineNode node;
  ASSERT_OK(node.open());
  const uint32_t number = node.create("i");
  node.put("i", "1", "{}");
  ASSERT_OK(node.close());
  const std::string dir = "/data/indices/" + std::to_string(number);
  ASSERT_OK(node.disk->create(dir + "/0/seg-9.data"));
  ASSERT_OK(node.disk->create_dirs("/data/indices/99.new/0"));
  ASSERT_OK(node.disk->create_dirs("/data/indices/98.trash"));
  ASSERT_OK(node.open());
  EXPECT_EQ(node.all("i").size(), 1);
  EXPECT_FALSE(node.disk->exists(dir + "/0/seg-9.data"));
  EXPECT_EQ(node.disk->list("/data/indices")->size(), 1);
}

}  // namespace quarry::engine_faults_test
