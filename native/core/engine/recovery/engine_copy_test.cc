// Copies of whole indexes: a pin is a state that existed, a folder created from its files is the
// same index, and after an error in a file nothing remains.
#include <atomic>
#include <string>
#include <thread>

#include "json/value.h"
#include "testing/engine_node.h"
#include "testing/test.h"

namespace quarry::engine_copy_test {

using testing::EngineNode;

struct CopiedFile {
  std::string shard;
  std::string name;
  std::string key;
  std::string content;
};

/// The data of a pin that a repository stores.
struct Copy {
  JsonValue description;
  uint64_t documents = 0;
  std::vector<CopiedFile> files;
};

/// Reads a whole pin in small pieces, and releases it.
Copy copy_index(EngineNode& node, const std::string& index) {
  Copy copy;
  const auto pinned = node.engine->pin_index(node.number_of(index));
  EXPECT_OK(pinned);
  if (!pinned.ok()) return copy;
  const auto json = JsonValue::parse(*pinned, kMaxJsonDepth * 4);
  EXPECT_OK(json);
  copy.description = *json->find("description");
  copy.documents = static_cast<uint64_t>(*json->find("documents")->as_int());
  const auto pin = static_cast<uint32_t>(*json->find("pin")->as_int());
  uint32_t at = 0;
  for (const JsonValue& file : json->find("files")->items()) {
    CopiedFile copied{std::string(file.find("shard")->text()),
                      std::string(file.find("name")->text()), std::string(file.find("key")->text()),
                      ""};
    while (true) {
      const auto part = node.engine->read_pinned(pin, at, copied.content.size(), 1000);
      EXPECT_OK(part);
      if (!part.ok() || part->empty()) break;
      copied.content.append(as_text(*part));
    }
    EXPECT_EQ(std::to_string(copied.content.size()), file.find("bytes")->text());
    copy.files.push_back(std::move(copied));
    at++;
  }
  EXPECT_OK(node.engine->unpin(pin));
  EXPECT_EQ(node.engine->read_pinned(pin, 0, 0, 1).status().type(), ErrorType::kIllegalArgument);
  return copy;
}

std::string shards_of(const Copy& copy) {
  return std::string(copy.description.find("number_of_shards")->text());
}

/// Restores the copy as index `name`; returns the engine's result.
Result<std::string> restore(EngineNode& node, const Copy& copy, const std::string& name) {
  const std::string shards = shards_of(copy);
  const auto prepared =
      node.engine->prepare_restore(R"({"number_of_shards":)" + shards + R"(,"bytes":1})");
  EXPECT_OK(prepared);
  const auto json = JsonValue::parse(*prepared);
  const std::string folder(json->find("folder")->text());
  std::string files;
  for (const CopiedFile& file : copy.files) {
    EXPECT_OK(node.disk->write_atomically(folder + "/" + file.shard + "/" + file.name,
                                          as_bytes(file.content)));
    if (file.key.empty()) continue;
    files += std::string(files.empty() ? "" : ",") + R"({"shard":)" + file.shard + R"(,"name":")" +
             file.name + R"(","key":")" + file.key + "\"}";
  }
  const auto number = static_cast<uint32_t>(*json->find("number")->as_int());
  const Status checked = node.engine->check_restore(
      number, R"({"number_of_shards":)" + shards + R"(,"files":[)" + files + "]}");
  JsonValue spec = copy.description;
  spec.set("name", JsonValue::string(name));
  const Result<std::string> finished = node.engine->finish_restore(number, spec.to_json());
  if (checked.ok()) return finished;
  EXPECT_EQ(finished.status().type(), ErrorType::kIllegalArgument);
  EXPECT_OK(node.engine->abort_restore(number));
  return checked;
}

void fill(EngineNode& node, int from, int to) {
  for (int i = from; i < to; i++) {
    node.put("a", std::to_string(i),
             R"({"n":)" + std::to_string(i) + R"(,"t":"word )" + std::to_string(i % 7) + "\"}");
  }
}

TEST(EngineCopy, ARestoredIndexIsTheSameWithAUuidOfItsOwn) {
  EngineNode node;
  ASSERT_OK(node.open());
  node.create("a", R"("number_of_shards":3)");
  fill(node, 0, 60);
  ASSERT_OK(node.flush("a"));
  fill(node, 40, 90);  // overwrites some documents that are on disk
  node.erase("a", "3");
  node.erase("a", "89");
  const Copy copy = copy_index(node, "a");
  EXPECT_EQ(copy.documents, 88);
  const auto expected = node.all("a");
  ASSERT_EQ(expected.size(), 88);
  const auto restored = restore(node, copy, "b");
  ASSERT_OK(restored);
  node.adopt("b", *restored);
  EXPECT_EQ(node.all("b"), expected);
  for (const char* id : {"1", "41", "88", "3"}) {
    const auto before = node.get("a", id);
    const auto after = node.get("b", id);
    ASSERT_EQ(before.has_value(), after.has_value());
    if (!before) continue;
    EXPECT_EQ(after->version, before->version);
    EXPECT_EQ(after->seq_no, before->seq_no);
  }
  const JsonValue described = *JsonValue::parse(*restored);
  EXPECT_EQ(described.find("name")->text(), "b");
  EXPECT_TRUE(described.find("uuid")->text() != copy.description.find("uuid")->text());
  EXPECT_TRUE(*described.find("mappings") == *copy.description.find("mappings"));
  // Writes continue from there, also after a restart.
  const uint64_t next = node.put("a", "next", R"({"n":1})").seq_no;
  EXPECT_EQ(node.put("b", "next", R"({"n":1})").seq_no, next);
  ASSERT_OK(node.close());
  ASSERT_OK(node.open());
  EXPECT_EQ(node.all("b").size(), 89);
}

TEST(EngineCopy, APinIsUntouchedByWhatComesLater) {
  EngineNode node;
  ASSERT_OK(node.open());
  node.create("a");
  fill(node, 0, 50);
  ASSERT_OK(node.flush("a"));
  const auto expected = node.all("a");
  const auto pinned = node.engine->pin_index(node.number_of("a"));
  ASSERT_OK(pinned);
  // Rewrites every file and drops the index; the pin can still be read.
  fill(node, 0, 50);
  ASSERT_OK(node.flush("a"));
  node.merge("a", 1);
  const Copy later = copy_index(node, "a");
  ASSERT_OK(node.engine->drop_index(node.number_of("a")));
  const auto json = JsonValue::parse(*pinned, kMaxJsonDepth * 4);
  Copy copy{*json->find("description"), 0, {}};
  uint32_t at = 0;
  for (const JsonValue& file : json->find("files")->items()) {
    const auto content = node.engine->read_pinned(1, at++, 0, UINT32_MAX);
    ASSERT_OK(content);
    copy.files.push_back({std::string(file.find("shard")->text()),
                          std::string(file.find("name")->text()),
                          std::string(file.find("key")->text()), std::string(as_text(*content))});
  }
  EXPECT_TRUE(later.files.front().key != copy.files.front().key);
  const auto restored = restore(node, copy, "b");
  ASSERT_OK(restored);
  node.adopt("b", *restored);
  EXPECT_EQ(node.all("b"), expected);
}

TEST(EngineCopy, UnchangedSegmentsKeepTheirKeys) {
  EngineNode node;
  ASSERT_OK(node.open());
  node.create("a");
  fill(node, 0, 20);
  ASSERT_OK(node.flush("a"));
  const Copy first = copy_index(node, "a");
  fill(node, 20, 30);
  ASSERT_OK(node.flush("a"));
  const Copy second = copy_index(node, "a");
  ASSERT_EQ(first.files.size(), 4);
  ASSERT_EQ(second.files.size(), 7);
  for (size_t i = 0; i < 3; i++) {
    EXPECT_EQ(second.files[i].key, first.files[i].key);
    EXPECT_EQ(second.files[i].content, first.files[i].content);
    EXPECT_TRUE(second.files[3 + i].key != first.files[i].key);
  }
}

TEST(EngineCopy, EveryDamagedByteIsFoundAndLeavesNothing) {
  EngineNode node;
  ASSERT_OK(node.open());
  node.create("a");
  fill(node, 0, 10);
  ASSERT_OK(node.flush("a"));
  const Copy copy = copy_index(node, "a");
  for (size_t file = 0; file < copy.files.size(); file++) {
    for (size_t at = 0; at < copy.files[file].content.size(); at += 37) {
      Copy damaged = copy;
      damaged.files[file].content[at] ^= 0x20;
      const auto refused = restore(node, damaged, "b");
      ASSERT_EQ(refused.status().type(), ErrorType::kCorrupt);
      EXPECT_TRUE(refused.status().reason().find("[0/" + copy.files[file].name + "]") == 0);
    }
  }
  EXPECT_EQ(node.disk->list("/data/indices")->size(), 1);
}

TEST(EngineCopy, FilesThatAreMissingSwappedOrTooManyAreRefused) {
  EngineNode node;
  ASSERT_OK(node.open());
  node.create("a");
  fill(node, 0, 10);
  ASSERT_OK(node.flush("a"));
  fill(node, 10, 12);
  ASSERT_OK(node.flush("a"));
  const Copy copy = copy_index(node, "a");
  ASSERT_EQ(copy.files.size(), 7);
  const auto refusal = [&](auto change) {
    Copy changed = copy;
    change(changed.files);
    const Status status = restore(node, changed, "b").status();
    EXPECT_EQ(status.type(), ErrorType::kCorrupt);
    return status.reason();
  };
  const std::string data = copy.files[0].name;
  const std::string other = copy.files[3].name;
  EXPECT_EQ(refusal([](auto& files) { files.erase(files.begin()); }),
            "[0/" + data + "] is named by the manifest and not part of the copy");
  EXPECT_EQ(refusal([](auto& files) { std::swap(files[0].content, files[3].content); }),
            "[0/" + data + "] is another file than the one that was copied");
  EXPECT_EQ(
      refusal([](auto& files) { files.push_back(files[0]), files.back().name = "seg-9.data"; }),
      "[0/seg-9.data] belongs to no segment of the manifest");
  EXPECT_EQ(refusal([](auto& files) { files.pop_back(); }),
            "[0/MANIFEST] is missing or cannot be read");
  EXPECT_TRUE(other != data);
  EXPECT_EQ(node.disk->list("/data/indices")->size(), 1);
}

TEST(EngineCopy, ARestoreThatWasCutShortLeavesNothing) {
  EngineNode node;
  ASSERT_OK(node.open());
  const auto first = node.engine->prepare_restore(R"({"number_of_shards":2,"bytes":10})");
  ASSERT_OK(first);
  const auto second = node.engine->prepare_restore(R"({"number_of_shards":1})");
  ASSERT_OK(second);
  const auto number = static_cast<uint32_t>(*JsonValue::parse(*first)->find("number")->as_int());
  EXPECT_EQ(node.disk->list("/data/indices")->size(), 2);
  ASSERT_OK(node.engine->abort_restore(number));
  ASSERT_OK(node.engine->abort_restore(number));
  EXPECT_EQ(node.disk->list("/data/indices")->size(), 1);
  EXPECT_EQ(node.engine->finish_restore(number, "{}").status().type(), ErrorType::kIllegalArgument);
  node.engine.reset();
  ASSERT_OK(node.open());
  EXPECT_EQ(node.disk->list("/data/indices")->size(), 0);
}

TEST(EngineCopy, ARestoredIndexSurvivesAPowerCut) {
  for (uint64_t seed = 1; seed <= 20; seed++) {
    EngineNode node;
    ASSERT_OK(node.open());
    node.create("a", R"("number_of_shards":2)");
    fill(node, 0, 30);
    const Copy copy = copy_index(node, "a");
    const auto expected = node.all("a");
    const auto restored = restore(node, copy, "b");
    ASSERT_OK(restored);
    node.adopt("b", *restored);
    const auto after = node.crash(seed);
    ASSERT_OK(after->open());
    EXPECT_EQ(after->all("b"), expected);
  }
}

TEST(EngineCopy, ThereMustBeRoomForACopy) {
  EngineNode node;
  ASSERT_OK(node.open());
  const auto refused = node.engine->prepare_restore(R"({"bytes":9000000000000000})");
  EXPECT_EQ(refused.status().type(), ErrorType::kClusterBlock);
  EXPECT_EQ(node.engine->prepare_restore(R"({"number_of_shards":0})").status().type(),
            ErrorType::kIllegalArgument);
}

// One writer uses ids in order, over all shards: a state that existed contains a run of them
// without a gap.
TEST(EngineCopy, APinUnderWritesIsAStateThatExisted) {
  EngineNode node;
  ASSERT_OK(node.open());
  node.create("a", R"("number_of_shards":4)");
  std::atomic<bool> stop{false};
  std::thread writer([&] {
    for (int i = 0; !stop.load(); i++) {
      std::string body;
      for (int j = 0; j < 5; j++) {
        body += R"({"index":{"_id":")" + std::to_string(i * 5 + j) + "\"}}\n{\"n\":1}\n";
      }
      // The id before the last is overwritten, so that every state has deletions.
      body += R"({"index":{"_id":")" + std::to_string(i * 5) + "\"}}\n{\"n\":2}\n";
      node.bulk(body, "a");
    }
  });
  std::vector<Copy> copies;
  for (int round = 0; round < 8; round++) {
    if (round == 4) EXPECT_OK(node.flush("a"));
    copies.push_back(copy_index(node, "a"));
  }
  stop.store(true);
  writer.join();
  for (size_t i = 0; i < copies.size(); i++) {
    const std::string name = "copy" + std::to_string(i);
    const auto restored = restore(node, copies[i], name);
    ASSERT_OK(restored);
    node.adopt(name, *restored);
    const auto found = node.all(name);
    EXPECT_EQ(found.size(), copies[i].documents);
    for (size_t id = 0; id < found.size(); id++) {
      const auto at = found.find(std::to_string(id));
      ASSERT_TRUE(at != found.end());
      EXPECT_EQ(at->second, id % 5 == 0 ? "{\"n\":2}" : "{\"n\":1}");
    }
    EXPECT_EQ(found.size() % 5, 0);
  }
}

}  // namespace quarry::engine_copy_test
