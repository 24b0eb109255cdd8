// Documents of segments whose table of sections is damaged, or lost with the end of the file.
#include "engine/check/lost_sections.h"

#include <map>
#include <string>
#include <vector>

#include "engine/check/check.h"
#include "json/value.h"
#include "testing/engine_node.h"
#include "testing/test.h"

namespace quarry::lost_sections_test {

using testing::EngineNode;
using testing::FaultFileSystem;

constexpr int kDocuments = 600;
const std::string kDir = "/data/indices/1/0/";

/// Long enough, and different enough, for many blocks.
std::string source_of(int i) {
  std::string words;
  for (int k = 0; k < 12; k++)
    words +=
        std::to_string(uint64_t{104729} * static_cast<uint64_t>((i + 1) * (k + 7919)) % 1000003) +
        " ";
  return R"({"n":)" + std::to_string(i) + R"(,"words":")" + words + "\"}";
}

/// One index with one segment, merged or just flushed, and an empty log.
struct OneSegment {
  /// `prefix`: the start of the ids, followed by ten digits.
  explicit OneSegment(bool merged = false, std::string prefix = "id") : prefix_(std::move(prefix)) {
    EXPECT_OK(node.open());
    node.create("i");
    for (int i = 0; i < kDocuments; i++) node.put("i", id_of(i), source_of(i));
    EXPECT_OK(node.flush("i"));
    if (merged) EXPECT_TRUE(node.merge("i", 1));
    EXPECT_OK(node.close());
    const auto names = node.disk->list(kDir);
    for (const std::string& name : *names) {
      if (name.starts_with("seg-") && name.ends_with(".data"))
        base = kDir + name.substr(0, name.find('.'));
    }
  }
  std::vector<uint8_t> read(const std::string& ending) { return *node.disk->read(base + ending); }
  void write(const std::string& ending, Bytes bytes) {
    auto file = *node.disk->create(base + ending);
    EXPECT_OK(file->append(bytes));
    EXPECT_OK(file->sync());
    EXPECT_OK(file->close());
  }
  void cut(const std::string& ending, size_t to) {
    std::vector<uint8_t> bytes = read(ending);
    bytes.resize(to);
    write(ending, bytes);
  }
  /// `_id` to document.
  std::map<std::string, std::string> salvage() {
    CheckOptions options;
    options.data_dir = "/data";
    options.file_system = node.disk.get();
    options.salvage_dir = "/out";
    EXPECT_OK(check_data_folder(options).status());
    std::map<std::string, std::string> documents;
    const auto bytes = node.disk->read("/out/i.ndjson");
    std::string_view text = as_text(*bytes);
    while (!text.empty()) {
      const size_t middle = text.find('\n');
      const size_t end = text.find('\n', middle + 1);
      const auto action = JsonValue::parse(text.substr(0, middle));
      EXPECT_OK(action.status());
      const auto id = std::string(action->find("index")->find("_id")->text());
      documents[id] = text.substr(middle + 1, end - middle - 1);
      text.remove_prefix(end + 1);
    }
    return documents;
  }
  void expect_all() {
    const auto documents = salvage();
    EXPECT_EQ(documents.size(), size_t{kDocuments});
    for (int i = 0; i < kDocuments; i++) EXPECT_EQ(documents.at(id_of(i)), source_of(i));
  }

  std::string id_of(int i) const {
    const std::string digits = std::to_string(i);
    return prefix_ + std::string(10 - digits.size(), '0') + digits;
  }

  EngineNode node;
  std::string base;

 private:
  std::string prefix_;
};

TEST(LostSections, ADamagedTailCostsNoIdThatIsAUuid) {
  OneSegment one(false, "0190a5b2-7c1d-7e3f-8a4b-5c");
  std::vector<uint8_t> bytes = one.read(".ids");
  bytes[bytes.size() - 20] ^= 1;
  one.write(".ids", bytes);
  one.expect_all();
}

TEST(LostSections, ADamagedTailCostsNoDocument) {
  for (const bool merged : {false, true}) {
    for (const char* ending : {".data", ".sidx", ".ids"}) {
      OneSegment one(merged);
      std::vector<uint8_t> bytes = one.read(ending);
      for (size_t i = bytes.size() - 40; i < bytes.size(); i++)
        bytes[i] = static_cast<uint8_t>(~bytes[i]);
      one.write(ending, bytes);
      one.expect_all();
    }
  }
}

TEST(LostSections, ALostTailOfEachFileCostsNoDocument) {
  for (const bool merged : {false, true}) {
    OneSegment one(merged);
    for (const char* ending : {".data", ".sidx", ".ids"})
      one.cut(ending, one.read(ending).size() - 20);
    one.expect_all();
  }
}

TEST(LostSections, AFileThatWasCutKeepsWhatIsBeforeTheCut) {
  for (const bool merged : {false, true}) {
    OneSegment one(merged);
    // The documents are at the end, so half of the file contains at least some of them.
    const size_t size = one.read(".data").size();
    one.cut(".data", size - 20000);
    const auto documents = one.salvage();
    EXPECT_TRUE(documents.size() > 50 && documents.size() < size_t{kDocuments});
    for (const auto& [id, source] : documents)
      EXPECT_EQ(source, source_of(std::stoi(id.substr(2))));
  }
}

TEST(LostSections, WithoutTheDocumentsNothingIsMadeUp) {
  OneSegment one;
  one.cut(".data", 64);
  EXPECT_EQ(one.salvage().size(), size_t{0});
}

TEST(LostSections, AnyBytesAreSearchedInBounds) {
  OneSegment one(true);
  const std::vector<uint8_t> sidx = one.read(".sidx");
  const Bytes index = find_source_index(sidx);
  ASSERT_FALSE(index.empty());
  const std::vector<uint8_t> data = one.read(".data");
  std::vector<uint8_t> room;
  for (size_t length = 0; length < sidx.size(); length += 67) {
    static_cast<void>(find_source_index(
        std::vector<uint8_t>(sidx.begin(), sidx.begin() + static_cast<ptrdiff_t>(length))));
    static_cast<void>(find_id_table(
        std::vector<uint8_t>(sidx.begin(), sidx.begin() + static_cast<ptrdiff_t>(length))));
  }
  for (size_t length = 0; length < index.size(); length += 7) {
    const std::vector<uint8_t> part(index.begin(), index.begin() + static_cast<ptrdiff_t>(length));
    static_cast<void>(find_stored(data, part, room));
  }
}

}  // namespace quarry::lost_sections_test
