// The offline check: no finding for an intact folder, a finding for every changed byte; and what
// salvage can still read.
#include "engine/check/check.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/random.h"
#include "engine/change_record.h"
#include "engine/maintenance/checked_json.h"
#include "json/value.h"
#include "testing/engine_node.h"
#include "testing/test.h"

namespace quarry::check_test {

using testing::EngineNode;
using testing::FaultFileSystem;

constexpr const char* kMappings =
    R"("number_of_shards":2,"mappings":{"properties":{"t":{"type":"text"},"k":{"type":"keyword"},)"
    R"("n":{"type":"long"},"w":{"type":"wildcard"},"v":{"type":"dense_vector","dims":3}}})";

std::string source_of(int i) {
  return R"({"t":"some words of )" + std::to_string(i) + R"(","k":"k)" + std::to_string(i % 3) +
         R"(","n":)" + std::to_string(i * 7) + R"(,"w":"part )" + std::to_string(i) +
         R"(","v":[1,)" + std::to_string(i) + ",2]}";
}

/// Indexes [things] and [others]: two segments with deletions, and later log records.
struct Folder {
  Folder() {
    node.options.wal_file_bytes = 16384;
    EXPECT_OK(node.open());
    things = node.create("things", kMappings);
    node.create("others");
    for (int i = 0; i < 40; i++) node.put("things", std::to_string(i), source_of(i));
    EXPECT_OK(node.flush("things"));
    for (int i = 30; i < 60; i++) node.put("things", std::to_string(i), source_of(i + 1));
    node.erase("things", "3");
    node.put("others", "one", R"({"a": "b",  "c": [1, 2]})");
    EXPECT_OK(node.flush("things"));
    EXPECT_OK(node.flush("others"));
    node.put("things", "5", source_of(500));
    node.put("things", "late", R"({"late":true})");
    node.erase("things", "6");
    EXPECT_OK(node.engine->sync_wal().status());
    node.engine.reset();
  }

  EngineNode node;
  uint32_t things = 0;
};

std::vector<std::string> files_below(FaultFileSystem& disk, const std::string& dir) {
  std::vector<std::string> files;
  const auto names = disk.list(dir);
  for (const std::string& name : *names) {
    const std::string path = dir + "/" + name;
    if (name == "node.lock") continue;
    if (disk.read(path).ok()) {
      files.push_back(path);
    } else {
      const std::vector<std::string> below = files_below(disk, path);
      files.insert(files.end(), below.begin(), below.end());
    }
  }
  return files;
}

JsonValue check(FaultFileSystem& disk, const std::string& salvage_dir = "") {
  CheckOptions options;
  options.data_dir = "/data";
  options.file_system = &disk;
  options.salvage_dir = salvage_dir;
  const Result<std::string> report = check_data_folder(options);
  EXPECT_OK(report.status());
  return report.ok() ? *JsonValue::parse(*report) : JsonValue();
}

bool is_sound(const JsonValue& report) { return report.find("sound")->as_bool(); }

std::vector<std::string> lines_of(FaultFileSystem& disk, const std::string& path) {
  const auto bytes = disk.read(path);
  EXPECT_OK(bytes.status());
  std::vector<std::string> lines;
  std::string_view text = as_text(*bytes);
  for (size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  return lines;
}

TEST(Check, ASoundFolderIsSound) {
  Folder folder;
  const JsonValue report = check(*folder.node.disk);
  EXPECT_TRUE(is_sound(report));
  EXPECT_EQ(report.find("findings")->to_json(), "[]");
  const JsonValue& checked = *report.find("checked");
  EXPECT_EQ(checked.find("indexes")->as_int(), 2);
  EXPECT_EQ(checked.find("shards")->as_int(), 3);
  EXPECT_EQ(checked.find("documents")->as_int(), 71);
  EXPECT_EQ(checked.find("vectors")->as_int(), 70);
  EXPECT_GE(checked.find("log_records")->as_int().value_or(0), 3);
  EXPECT_GE(checked.find("postings")->as_int().value_or(0), 71 * 4);
}

TEST(Check, FilesOfTheServiceAreKnown) {
  Folder folder;
  FaultFileSystem& disk = *folder.node.disk;
  for (const std::string name : {"templates.json", "search-templates.json", "keys.json",
                                 "cluster-settings.json", "snapshot-policies.json"}) {
    EXPECT_OK(disk.write_atomically("/data/" + name, as_bytes("{}")));
  }
  EXPECT_EQ(check(disk).find("findings")->to_json(), "[]");
  EXPECT_OK(disk.write_atomically("/data/notes.txt", as_bytes("mine")));
  const JsonValue report = check(disk);
  EXPECT_TRUE(is_sound(report));
  EXPECT_EQ(report.find("findings")->items().size(), 1);
}

TEST(Check, EveryChangedByteIsFound) {
  Folder folder;
  Random random(20);
  for (const std::string& path : files_below(*folder.node.disk, "/data")) {
    const bool is_log = path.ends_with(".log");
    const size_t size = folder.node.disk->read(path)->size();
    for (int i = 0; i < 40; i++) {
      const size_t at = random.below(is_log ? 64 : size);
      const auto flip = static_cast<uint8_t>(1U << random.below(8));
      folder.node.disk->damage(path, at, flip);
      const JsonValue report = check(*folder.node.disk);
      EXPECT_FALSE(is_sound(report));
      if (is_sound(report)) std::printf("  %s at %zu\n", path.c_str(), at);
      const JsonValue& first = report.find("findings")->items().front();
      EXPECT_TRUE(first.find("file")->text().starts_with(path.substr(0, path.rfind('.'))));
      folder.node.disk->damage(path, at, flip);
    }
  }
}

TEST(Check, EveryMissingFileIsFound) {
  const Folder folder;
  for (const std::string& path : files_below(*folder.node.disk, "/data")) {
    // A missing copy or missing log bounds are normal for an older version; without the only log
    // file there is no gap.
    if (path.ends_with(".copy") || path.ends_with(".log") || path.ends_with(".files")) continue;
    const std::unique_ptr<FaultFileSystem> disk = folder.node.disk->after_crash(1);
    ASSERT_OK(disk->remove(path));
    const JsonValue report = check(*disk);
    if (is_sound(report)) std::printf("  %s\n", path.c_str());
    ASSERT_FALSE(is_sound(report));
    EXPECT_EQ(report.find("findings")->items().front().find("file")->text(), path);
  }
}

TEST(Check, OrphansAreWarnings) {
  Folder folder;
  FaultFileSystem& disk = *folder.node.disk;
  ASSERT_OK(disk.create("/data/indices/1/0/seg-99.data").status());
  ASSERT_OK(disk.create_dirs("/data/indices/9.new"));
  ASSERT_OK(disk.create("/data/notes.txt").status());
  const JsonValue report = check(disk);
  EXPECT_TRUE(is_sound(report));
  EXPECT_EQ(report.find("findings")->items().size(), 3);
  for (const JsonValue& finding : report.find("findings")->items()) {
    EXPECT_EQ(finding.find("severity")->text(), "warning");
  }
}

TEST(Check, AnInterruptedChangeIsAWarningAndADamagedRecordOfItADamage) {
  Folder folder;
  FaultFileSystem& disk = *folder.node.disk;
  const ChangeRecord record{{9}, {{folder.things, R"({"state":"close"})", ""}}, {}};
  ASSERT_OK(record.write(disk, "/data/CHANGES"));
  const JsonValue report = check(disk);
  EXPECT_TRUE(is_sound(report));
  ASSERT_EQ(report.find("findings")->items().size(), 1);
  EXPECT_EQ(report.find("findings")->items().front().find("file")->text(), "/data/CHANGES");
  disk.damage("/data/CHANGES", 10, 1);
  EXPECT_FALSE(is_sound(check(disk)));
}

TEST(Check, AFolderInUseOrOfSomethingElseIsRefused) {
  EngineNode node;
  CheckOptions options;
  options.data_dir = "/data";
  options.file_system = node.disk.get();
  EXPECT_EQ(check_data_folder(options).status().type(), ErrorType::kIllegalArgument);
  ASSERT_OK(node.open());
  const Status status = check_data_folder(options).status();
  EXPECT_EQ(status.type(), ErrorType::kIllegalArgument);
  EXPECT_NE(status.reason().find("in use"), std::string::npos);
  ASSERT_OK(node.close());
  options.salvage_dir = "/data";
  EXPECT_EQ(check_data_folder(options).status().type(), ErrorType::kIllegalArgument);
}

/// `_id` to document of a salvaged bulk body.
std::map<std::string, std::string> salvaged(FaultFileSystem& disk, const std::string& index) {
  std::map<std::string, std::string> documents;
  const std::vector<std::string> lines = lines_of(disk, "/out/" + index + ".ndjson");
  for (size_t i = 0; i + 1 < lines.size(); i += 2) {
    const Result<JsonValue> action = JsonValue::parse(lines[i]);
    EXPECT_OK(action.status());
    documents[std::string(action->find("index")->find("_id")->text())] = lines[i + 1];
  }
  EXPECT_EQ(documents.size() * 2, lines.size());
  return documents;
}

TEST(Salvage, ASoundFolderIsSavedWhole) {
  Folder folder;
  FaultFileSystem& disk = *folder.node.disk;
  EXPECT_TRUE(is_sound(check(disk, "/out")));
  const auto things = salvaged(disk, "things");
  EXPECT_EQ(things.size(), 59);  // 0 to 59 without 3 and 6, and late
  EXPECT_EQ(things.at("4"), source_of(4));
  EXPECT_EQ(things.at("30"), source_of(31));
  EXPECT_EQ(things.at("5"), source_of(500));
  EXPECT_EQ(things.at("late"), R"({"late":true})");
  EXPECT_FALSE(things.contains("3"));
  EXPECT_FALSE(things.contains("6"));
  EXPECT_EQ(JsonValue::parse(salvaged(disk, "others").at("one"))->to_json(),
            R"({"a":"b","c":[1,2]})");
  const Result<JsonValue> body = JsonValue::parse(lines_of(disk, "/out/things.json").front());
  ASSERT_OK(body.status());
  EXPECT_EQ(body->find("mappings")->find("properties")->find("late")->find("type")->text(),
            "boolean");
}

TEST(Salvage, ADamagedSectionCostsWhatIsInItAlone) {
  Folder folder;
  FaultFileSystem& disk = *folder.node.disk;
  for (const std::string& path : files_below(disk, "/data/indices/1")) {
    if (path.ends_with(".sidx")) disk.damage(path, 64 + 60, 1);
  }
  const JsonValue report = check(disk, "/out");
  EXPECT_FALSE(is_sound(report));
  const auto things = salvaged(disk, "things");
  EXPECT_EQ(things.size(), 59);
  EXPECT_EQ(things.at("4"), source_of(4));
  const JsonValue& first = report.find("salvage")->items().front();
  EXPECT_EQ(first.find("documents")->as_int(), 59);
  EXPECT_GT(first.find("doubtful")->as_int().value_or(0), 50);
}

TEST(Salvage, LostIdsAndLostMetadataLeaveTheDocuments) {
  Folder folder;
  FaultFileSystem& disk = *folder.node.disk;
  const std::string meta = "/data/indices/1/META";
  ASSERT_OK(disk.remove(meta));
  ASSERT_OK(disk.remove(copy_path(meta)));
  size_t lost = 0;
  for (const std::string& path : files_below(disk, "/data/indices/1/0")) {
    if (!path.ends_with(".ids")) continue;
    ASSERT_OK(disk.remove(path));
    lost++;
  }
  EXPECT_GT(lost, 0);
  const JsonValue report = check(disk, "/out");
  EXPECT_FALSE(is_sound(report));
  const JsonValue& first = report.find("salvage")->items().front();
  EXPECT_EQ(first.find("index")->text(), "damaged-1");
  const auto nameless = first.find("without_ids")->as_int().value_or(0);
  EXPECT_GT(nameless, 0);
  EXPECT_EQ(lines_of(disk, "/out/damaged-1.without-ids.ndjson").size(), nameless);
  EXPECT_GE(first.find("lost")->items().size(), lost);
}

TEST(Salvage, NoFlippedByteBringsItDown) {
  const Folder folder;
  Random random(21);
  for (const std::string& path : files_below(*folder.node.disk, "/data")) {
    const size_t size = folder.node.disk->read(path)->size();
    for (int i = 0; i < 12; i++) {
      const std::unique_ptr<FaultFileSystem> disk = folder.node.disk->after_crash(1);
      disk->damage(path, random.below(std::min<size_t>(size, 1 << 16)),
                   static_cast<uint8_t>(1 + random.below(255)));
      const JsonValue report = check(*disk, "/out");
      EXPECT_EQ(report.find("salvage")->items().size(), 2);
      EXPECT_GT(salvaged(*disk, "others").size() + salvaged(*disk, "things").size() +
                    report.find("salvage")->items().size(),
                2);
    }
  }
}

}  // namespace quarry::check_test
