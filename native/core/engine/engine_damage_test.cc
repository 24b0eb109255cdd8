// Damaged, missing and unreadable files: the index concerned is out of service with a reason, all
// others are served.
#include <string>

#include "engine/maintenance/checked_json.h"
#include "testing/engine_node.h"
#include "testing/test.h"
#include "testing/unreadable_files.h"

namespace quarry::engine_damage_test {

using testing::EngineNode;
using testing::Query;
using testing::UnreadableFiles;

std::string shard_dir(uint32_t index) { return "/data/indices/" + std::to_string(index) + "/0"; }
std::string meta_path(uint32_t index) { return "/data/indices/" + std::to_string(index) + "/META"; }

/// Two indexes with a document each, flushed, and closed.
struct TwoIndexes {
  TwoIndexes() {
    EXPECT_OK(node.open());
    node.create("good");
    bad = node.create("bad");
    node.put("good", "1", R"({"a":"good"})");
    node.put("bad", "1", R"({"a":"bad"})");
    EXPECT_OK(node.close());
  }
  void expect_out_of_service(std::string_view named) {
    EXPECT_EQ(node.all("good").size(), 1);
    const auto answer = node.search("bad", Query().match_all());
    EXPECT_EQ(answer.error, ErrorType::kCorrupt);
    EXPECT_NE(answer.reason.find(named), std::string::npos);
    EXPECT_EQ(node.put("bad", "2", "{}").error, ErrorType::kCorrupt);
    EXPECT_NE(node.engine->damages().find("\"index\":" + std::to_string(bad)), std::string::npos);
    EXPECT_NE(node.engine->damages().find(named), std::string::npos);
    EXPECT_EQ(node.engine->take_warnings().size(), 1);
    EXPECT_EQ(node.engine->take_warnings().size(), 0);
  }

  EngineNode node;
  uint32_t bad = 0;
};

TEST(EngineDamage, AMissingManifestIsNoEmptyShard) {
  TwoIndexes two;
  ASSERT_OK(two.node.disk->remove(shard_dir(two.bad) + "/MANIFEST"));
  ASSERT_OK(two.node.open());
  two.expect_out_of_service("MANIFEST] is missing");
}

TEST(EngineDamage, AnIndexPutOutOfServiceKeepsItsDocumentsForTheNextStart) {
  TwoIndexes two;
  ASSERT_OK(two.node.open());
  EXPECT_EQ(two.node.put("bad", "2", R"({"a":"log"})").error, ErrorType::kOk);
  ASSERT_OK(two.node.engine->put_out_of_service(two.bad, "its description cannot be read"));
  two.expect_out_of_service("its description cannot be read");
  // Writes to the other index release the log files that the damaged one does not need.
  two.node.put("good", "2", R"({"a":"good"})");
  ASSERT_OK(two.node.close());
  ASSERT_OK(two.node.open());
  EXPECT_EQ(two.node.all("bad").size(), 2);
  ASSERT_OK(two.node.engine->put_out_of_service(two.bad, "again"));
  ASSERT_OK(two.node.engine->drop_index(two.bad));
  EXPECT_EQ(two.node.engine->damages(), "[]");
  ASSERT_OK(two.node.close());
  ASSERT_OK(two.node.open());
  EXPECT_EQ(two.node.engine->describe(two.bad).status().type(), ErrorType::kIndexNotFound);
}

TEST(EngineDamage, EachFileOfASegmentIsMissed) {
  for (const std::string name : {"seg-1.data", "seg-1.sidx", "seg-1.ids"}) {
    TwoIndexes two;
    ASSERT_OK(two.node.disk->remove(shard_dir(two.bad) + "/" + name));
    ASSERT_OK(two.node.open());
    two.expect_out_of_service(name + "] is missing");
  }
}

TEST(EngineDamage, MetadataThatIsLostTwiceTakesItsIndexOutOfService) {
  TwoIndexes two;
  two.node.disk->damage(meta_path(two.bad), 3, 1);
  two.node.disk->damage(copy_path(meta_path(two.bad)), 5, 4);
  ASSERT_OK(two.node.open());
  EXPECT_NE(two.node.engine->describe_all()->find(R"("name":"bad","number_of_shards":1)"),
            std::string::npos);
  two.expect_out_of_service("META");
}

TEST(EngineDamage, AnIndexWithoutItsNameIsListedByNumber) {
  TwoIndexes two;
  ASSERT_OK(two.node.disk->remove(meta_path(two.bad)));
  ASSERT_OK(two.node.disk->remove(copy_path(meta_path(two.bad))));
  ASSERT_OK(two.node.open());
  const std::string name = R"("name":"damaged-)" + std::to_string(two.bad);
  EXPECT_NE(two.node.engine->describe_all()->find(name), std::string::npos);
  two.expect_out_of_service("META] is missing");
}

TEST(EngineDamage, MetadataIsMendedFromItsCopy) {
  for (const bool removed : {false, true}) {
    TwoIndexes two;
    if (removed) {
      ASSERT_OK(two.node.disk->remove(meta_path(two.bad)));
    } else {
      two.node.disk->damage(meta_path(two.bad), 30, 1);
    }
    ASSERT_OK(two.node.open());
    EXPECT_EQ(two.node.all("bad").at("1"), R"({"a":"bad"})");
    EXPECT_EQ(two.node.engine->take_warnings().size(), 1);
    EXPECT_EQ(two.node.engine->damages(), "[]");
    ASSERT_OK(two.node.close());
    ASSERT_OK(read_checked_json(*two.node.disk, meta_path(two.bad)).status());
  }
}

TEST(EngineDamage, TheNodesIdentityIsMendedFromItsCopy) {
  TwoIndexes two;
  two.node.disk->damage("/data/NODE", 12, 1);
  ASSERT_OK(two.node.open());
  EXPECT_EQ(two.node.all("bad").size(), 1);
  EXPECT_GT(two.node.create("another"), two.bad);
}

TEST(EngineDamage, AFolderWithDataAndNoIdentityIsRefused) {
  TwoIndexes two;
  ASSERT_OK(two.node.disk->remove("/data/NODE"));
  ASSERT_OK(two.node.disk->remove("/data/NODE.copy"));
  const Status status = two.node.open();
  EXPECT_EQ(status.type(), ErrorType::kCorrupt);
  EXPECT_NE(status.reason().find("NODE] is missing"), std::string::npos);
}

TEST(EngineDamage, AnIndexOutOfServiceCanBeDropped) {
  TwoIndexes two;
  two.node.disk->damage(meta_path(two.bad), 3, 1);
  two.node.disk->damage(copy_path(meta_path(two.bad)), 3, 1);
  ASSERT_OK(two.node.open());
  ASSERT_OK(two.node.engine->drop_index(two.bad));
  EXPECT_EQ(two.node.engine->damages(), "[]");
  EXPECT_EQ(two.node.engine->drop_index(two.bad).type(), ErrorType::kIndexNotFound);
  EXPECT_FALSE(two.node.disk->exists("/data/indices/" + std::to_string(two.bad)));
}

TEST(EngineDamage, TheFolderOfAnotherIndexIsNotTakenForIt) {
  TwoIndexes two;
  const std::string dir = "/data/indices/" + std::to_string(two.bad);
  ASSERT_OK(two.node.disk->rename(dir, "/data/indices/77"));
  ASSERT_OK(two.node.open());
  EXPECT_EQ(two.node.all("good").size(), 1);
  EXPECT_NE(two.node.engine->damages().find("\"index\":77"), std::string::npos);
}

TEST(EngineDamage, TheLogKeepsWhatADamagedIndexHasInIt) {
  EngineNode node;
  node.options.wal_file_bytes = 4096;
  ASSERT_OK(node.open());
  node.create("good");
  const uint32_t bad = node.create("bad");
  node.put("bad", "flushed", R"({"a":1})");
  ASSERT_OK(node.flush("bad"));
  node.put("bad", "logged", R"({"a":2})");
  ASSERT_OK(node.engine->sync_wal().status());
  node.engine.reset();
  for (const std::string& path : {meta_path(bad), copy_path(meta_path(bad))}) {
    node.disk->damage(path, 3, 1);
  }
  ASSERT_OK(node.open());
  const std::string big = "{\"x\":\"" + std::string(3000, 'x') + "\"}";
  for (int i = 0; i < 20; i++) {
    node.put("good", std::to_string(i), big);
    ASSERT_OK(node.flush("good"));
  }
  ASSERT_OK(node.close());
  // A repair: restores the original file.
  for (const std::string& path : {meta_path(bad), copy_path(meta_path(bad))}) {
    node.disk->damage(path, 3, 1);
  }
  ASSERT_OK(node.open());
  EXPECT_EQ(node.all("bad").size(), 2);
  EXPECT_EQ(node.all("good").size(), 20);
}

TEST(EngineDamage, ADamagedShardWithLogRecordsFailsNeitherStartNorEnd) {
  EngineNode node;
  ASSERT_OK(node.open());
  node.create("good");
  const uint32_t bad = node.create("bad");
  node.put("bad", "1", R"({"a":1})");
  ASSERT_OK(node.flush("bad"));
  node.put("bad", "2", R"({"a":2})");
  ASSERT_OK(node.engine->sync_wal().status());
  node.engine.reset();
  node.disk->damage(shard_dir(bad) + "/seg-1.data", 70, 1);
  EXPECT_EQ(node.open().type(), ErrorType::kCorrupt);  // of the recovery; the engine is open
  EXPECT_EQ(node.put("good", "1", "{}").status, 201);
  EXPECT_EQ(node.search("bad", Query().match_all()).error, ErrorType::kCorrupt);
  EXPECT_EQ(node.engine->needs_recovery().size(), 0);
  EXPECT_EQ(node.engine->unflushed_shards().size(), 1);
  ASSERT_OK(node.close());
  node.disk->damage(shard_dir(bad) + "/seg-1.data", 70, 1);
  ASSERT_OK(node.open());
  EXPECT_EQ(node.all("bad").size(), 2);
}

TEST(EngineDamage, WhatCannotBeReadForAWhileIsServedLater) {
  TwoIndexes two;
  EngineNode& node = two.node;
  UnreadableFiles files(*node.disk);
  node.options.file_system = &files;
  ASSERT_OK(node.open());
  for (const std::string path : {"seg-1", "MANIFEST", "META"}) {
    files.unreadable = shard_dir(two.bad).substr(0, 15) + "/" + (path == "META" ? "" : "0/") + path;
    node.clock.advance_ms(60000);
    while (node.engine->close_idle() > 0) {
    }
    const auto answer = node.search("bad", Query().match_all());
    EXPECT_EQ(answer.error, ErrorType::kStore);
    EXPECT_NE(answer.reason.find("Too many open files"), std::string::npos);
    EXPECT_EQ(node.all("good").size(), 1);
    EXPECT_EQ(node.engine->damages(), "[]");
    files.unreadable.clear();
    EXPECT_EQ(node.all("bad").size(), 1);
  }
  ASSERT_OK(node.close());
}

TEST(EngineDamage, WhatCannotBeReadAtStartIsReplayedWhenItCan) {
  EngineNode node;
  UnreadableFiles files(*node.disk);
  node.options.file_system = &files;
  ASSERT_OK(node.open());
  const uint32_t number = node.create("i");
  node.put("i", "1", R"({"a":1})");
  ASSERT_OK(node.flush("i"));
  node.put("i", "2", R"({"a":2})");
  ASSERT_OK(node.engine->sync_wal().status());
  node.engine.reset();
  files.unreadable = "seg-1";
  EXPECT_EQ(node.open().type(), ErrorType::kStore);
  ASSERT_EQ(node.engine->needs_recovery().size(), 1);
  EXPECT_EQ(node.search("i", Query().match_all()).error, ErrorType::kNotReady);
  files.unreadable.clear();
  EXPECT_EQ(node.search("i", Query().match_all()).error, ErrorType::kNotReady);
  ASSERT_OK(node.engine->recover({number, 0}));
  EXPECT_EQ(node.all("i").size(), 2);
}

}  // namespace quarry::engine_damage_test
