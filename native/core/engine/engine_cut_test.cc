// Segment files that are truncated while the engine has them mapped: on a real disk, where reading
// them is a SIGBUS. The index is then out of service and names the file; no wrong result is
// returned, acknowledged or stored, and all other indexes are served.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/map_faults.h"
#include "base/random.h"
#include "testing/engine_node.h"
#include "testing/query_builder.h"
#include "testing/temp_dir.h"
#include "testing/test.h"

namespace quarry::engine_cut_test {

using testing::EngineNode;
using testing::NodeBytes;
using testing::Query;

std::string documents(int from, int count) {
  std::string body;
  for (int i = from; i < from + count; i++) {
    body += "{\"index\":{\"_id\":\"" + std::to_string(i) + "\"}}\n{\"text\":\"word" +
            std::to_string(i % 50) + " of document " + std::to_string(i * 7919) +
            "\",\"n\":" + std::to_string(i) + ",\"tag\":\"t" + std::to_string(i % 300) +
            "\",\"v\":[" + std::to_string(i % 17) + ".5,1," + std::to_string(i % 5) + ",0.25]}\n";
  }
  return body;
}

constexpr int kDocuments = 1200;  // enough for a graph
constexpr int kOthers = 5;

/// Two indexes with a segment on disk each, opened again.
struct CutNode {
  explicit CutNode() {
    EXPECT_OK(catch_map_faults());
    node.options.data_dir = dir.file("data");
    node.options.file_system = files.get();
    EXPECT_OK(node.open());
    node.create("good");
    node.bulk(documents(0, kOthers), "good");
    EXPECT_OK(node.flush("good"));
    node.create("bad", R"("mappings":{"properties":{"v":{"type":"dense_vector","dims":4}}})");
    node.bulk(documents(0, kDocuments), "bad");
    EXPECT_OK(node.flush("bad"));
    EXPECT_TRUE(node.merge("bad", 1));  // for the vectors' file
    EXPECT_OK(node.close());
    EXPECT_OK(node.open());
    // Opens and verifies both.
    for (const char* name : {"good", "bad"}) {
      EXPECT_EQ(node.search(name, Query().match_none()).error, ErrorType::kOk);
    }
  }
  std::vector<std::string> segment_files() const {
    std::vector<std::string> paths;
    const std::string shard =
        node.options.data_dir + "/indices/" + std::to_string(node.number_of("bad")) + "/0";
    for (const auto& entry : std::filesystem::directory_iterator(shard)) {
      const std::string path = entry.path().string();
      if (path.find("/seg-") != std::string::npos) paths.push_back(path);
    }
    std::sort(paths.begin(), paths.end());
    return paths;
  }
  void cut(const std::string& ending, uint64_t to) {
    for (const std::string& path : segment_files()) {
      if (path.ends_with(ending)) ASSERT_EQ(truncate(path.c_str(), static_cast<off_t>(to)), 0);
    }
  }
  void expect_out_of_service(const std::string& ending) {
    const auto answer = node.search("bad", Query().match_all());
    EXPECT_EQ(answer.error, ErrorType::kCorrupt);
    EXPECT_NE(answer.reason.find(ending + "], offset "), std::string::npos);
    EXPECT_EQ(node.put("bad", "new", "{}").error, ErrorType::kCorrupt);
    EXPECT_EQ(node.engine->flush({node.number_of("bad"), 0}).type(), ErrorType::kCorrupt);
    EXPECT_NE(node.engine->damages().find(ending), std::string::npos);
    EXPECT_EQ(node.engine->take_warnings().size(), 1);
    EXPECT_EQ(node.search("good", Query().match_all()).total, uint64_t{kOthers});
  }

  testing::TempDir dir;
  std::unique_ptr<FileSystem> files = make_posix_file_system();
  EngineNode node;
};

TEST(EngineCut, ASearchOverACutFileAnswersNothingWrong) {
  CutNode cut;
  cut.cut(".data", 4096);
  const auto answer = cut.node.search("bad", Query().term("text", "word7"));
  EXPECT_EQ(answer.error, ErrorType::kCorrupt);
  EXPECT_NE(answer.reason.find("the file was cut from "), std::string::npos);
  cut.expect_out_of_service(".data");
}

TEST(EngineCut, AnIdThatCannotBeReadIsNotAbsent) {
  CutNode cut;
  cut.cut(".ids", 0);
  const auto reply =
      cut.node.engine->get(cut.node.number_of("bad"), "17", "", true, testing::PlanFrame().bytes());
  EXPECT_EQ(testing::decode_fetched(reply).error, ErrorType::kCorrupt);
  cut.expect_out_of_service(".ids");
}

TEST(EngineCut, AWriteThatCannotReadIdsIsRefusedAndTakenBack) {
  CutNode cut;
  cut.cut(".ids", 0);
  const uint64_t position = cut.node.engine->sync_wal()->position;
  for (const auto& item : cut.node.bulk(documents(0, 20), "bad").items) {
    EXPECT_EQ(item.error, ErrorType::kCorrupt);
  }
  EXPECT_EQ(cut.node.engine->sync_wal()->position, position);
  cut.expect_out_of_service(".ids");
}

TEST(EngineCut, AMergeOfACutFileIsGivenUp) {
  CutNode cut;
  cut.node.bulk(documents(kDocuments, 100), "bad");
  ASSERT_OK(cut.node.flush("bad"));
  const auto before = cut.segment_files();
  const std::string old = before.front().substr(0, before.front().find("seg-")) + "seg-2";
  ASSERT_EQ(truncate((old + ".data").c_str(), 4096), 0);
  const ShardId shard{cut.node.number_of("bad"), 0};
  EXPECT_EQ(cut.node.engine->merge(shard, 1).status().type(), ErrorType::kCorrupt);
  EXPECT_TRUE(cut.segment_files() == before);
  cut.expect_out_of_service("seg-2.data");
}

TEST(EngineCut, APinnedFileThatWasCutIsNotCopied) {
  CutNode cut;
  ASSERT_OK(cut.node.engine->pin_index(cut.node.number_of("bad")).status());
  cut.cut(".data", 4096);
  const auto read = cut.node.engine->read_pinned(1, 0, 0, 1 << 20);
  EXPECT_EQ(read.status().type(), ErrorType::kCorrupt);
}

TEST(EngineCut, WhatIsWrittenBeforeStaysInTheLog) {
  CutNode cut;
  EXPECT_EQ(cut.node.put("bad", "late", R"({"a":1})").error, ErrorType::kOk);
  cut.cut(".data", 4096);
  EXPECT_EQ(cut.node.search("bad", Query().term("text", "word7")).error, ErrorType::kCorrupt);
  ASSERT_OK(cut.node.close());
  EXPECT_EQ(cut.node.open().type(), ErrorType::kCorrupt);  // only the recovery of that shard fails
  EXPECT_EQ(cut.node.search("bad", Query().match_all()).error, ErrorType::kCorrupt);
  EXPECT_EQ(cut.node.search("good", Query().match_all()).total, uint64_t{kOthers});
}

std::vector<NodeBytes> queries() {
  return {Query().match_all(),
          Query().term("text", "word7"),
          Query().terms("tag.keyword", {"t1", "t250", "t299"}),
          Query().prefix("text", "word1"),
          Query().wildcard("tag.keyword", "t*9"),
          Query().exists("v"),
          Query().fuzzy("text", "wird7"),
          Query().ids({"1", "77", "1199"})};
}

/// For any truncation, a result is either unchanged or an error: parts that are not read from the
/// lost bytes may still be correct.
TEST(EngineCut, AnyFileCutAnywhereNeverEndsTheProcessOrLies) {
  CutNode intact;
  std::vector<uint64_t> totals;
  for (const NodeBytes& query : queries()) totals.push_back(intact.node.search("bad", query).total);
  Random random(11);
  int refused = 0;
  for (int round = 0; round < 8; round++) {
    CutNode cut;
    const auto files = cut.segment_files();
    const std::string& path = files[static_cast<size_t>(round) % files.size()];
    const uint64_t pages = std::filesystem::file_size(path) / 4096;
    ASSERT_EQ(truncate(path.c_str(), static_cast<off_t>(random.below(pages + 1) * 4096)), 0);
    for (size_t i = 0; i < totals.size(); i++) {
      const auto answer = cut.node.search("bad", queries()[i]);
      if (answer.error == ErrorType::kOk) {
        EXPECT_EQ(answer.total, totals[i]);
      } else {
        EXPECT_EQ(answer.error, ErrorType::kCorrupt);
        refused++;
      }
    }
    static_cast<void>(cut.node.engine->get(cut.node.number_of("bad"), "1100", "", true,
                                           testing::PlanFrame().bytes()));
    EXPECT_EQ(cut.node.search("good", Query().match_all()).total, uint64_t{kOthers});
  }
  EXPECT_TRUE(refused > 0);
}

}  // namespace quarry::engine_cut_test
