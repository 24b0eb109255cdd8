// The id table compared with a map, and with damaged bytes.
#include "store/id_table.h"

#include <map>

#include "base/hash.h"
#include "base/random.h"
#include "testing/test.h"

namespace quarry::id_table_test {

struct Entry {
  std::string id;
  DocVersion version;
};

std::vector<uint8_t> write(const std::vector<Entry>& entries) {
  IdTableWriter writer;
  for (const Entry& entry : entries) writer.add(entry.id, entry.version);
  return writer.finish();
}

void expect_holds(const std::vector<Entry>& entries) {
  const std::vector<uint8_t> bytes = write(entries);
  const auto table = IdTable::open(bytes);
  ASSERT_OK(table);
  ASSERT_EQ(table->size(), entries.size());
  for (uint32_t doc = 0; doc < entries.size(); doc++) {
    const Entry& entry = entries[doc];
    IdBuffer buffer;
    EXPECT_EQ(table->id(doc, buffer), entry.id);
    EXPECT_TRUE(table->find(entry.id) == std::optional<uint32_t>(doc));
    EXPECT_TRUE(table->find(entry.id, hash64(entry.id)) == std::optional<uint32_t>(doc));
    EXPECT_FALSE(table->find(entry.id + "x").has_value());
    EXPECT_EQ(table->version(doc).version, entry.version.version);
    EXPECT_EQ(table->version(doc).seq_no, entry.version.seq_no);
    EXPECT_EQ(table->version(doc).primary_term, entry.version.primary_term);
    EXPECT_EQ(table->seq_no(doc), entry.version.seq_no);
  }
}

/// Reads everything; only termination is tested.
void read_all(Bytes bytes) {
  const auto table = IdTable::open(bytes);
  if (!table.ok()) return;
  for (uint32_t doc = 0; doc < table->size(); doc++) {
    IdBuffer buffer;
    static_cast<void>(table->find(table->id(doc, buffer)));
    static_cast<void>(table->version(doc));
  }
  static_cast<void>(table->find("absent"));
}

std::vector<Entry> mixed_entries(uint32_t count) {
  Random random(7);
  std::vector<Entry> entries;
  for (uint32_t i = 0; i < count; i++) {
    std::string id = "doc-" + std::to_string(i * 37);
    id.append(random.below(30), 'z');
    entries.push_back({std::move(id), {1 + random.below(3), 1000 + i * 2, 1}});
  }
  return entries;
}

TEST(IdTable, HoldsNothing) {
  const std::vector<uint8_t> bytes = write({});
  const auto table = IdTable::open(bytes);
  ASSERT_OK(table);
  EXPECT_EQ(table->size(), 0);
  EXPECT_FALSE(table->find("a").has_value());
}

TEST(IdTable, HoldsOneDocument) { expect_holds({{"a", {1, 0, 1}}}); }

TEST(IdTable, HoldsIdsOfDifferentLengths) { expect_holds(mixed_entries(1000)); }

std::vector<Entry> uuid_entries(uint32_t count) {
  Random random(11);
  std::vector<Entry> entries;
  for (uint32_t i = 0; i < count; i++) {
    uint8_t bytes[kUuidBytes];
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random.below(256));
    std::string id(kUuidLength, '\0');
    print_uuid(bytes, id.data());
    entries.push_back({std::move(id), {1, i, 1}});
  }
  return entries;
}

TEST(IdTable, StoresUuidsAsTheirBytes) {
  const std::vector<Entry> entries = uuid_entries(1000);
  expect_holds(entries);
  std::vector<Entry> capital = entries;
  capital[500].id[0] = 'A';
  expect_holds(capital);
  EXPECT_EQ(write(capital).size() - write(entries).size(), 1000 * (kUuidLength - kUuidBytes));
}

TEST(IdTable, HoldsUuidsAndOtherIds) {
  std::vector<Entry> entries = uuid_entries(200);
  for (uint32_t i = 0; i < 200; i += 2) entries[i].id = "doc-" + std::to_string(i);
  expect_holds(entries);
  std::vector<Entry> last = uuid_entries(65);
  last.back().id = "0190a5b2 7c1d-7e3f-8a4b-5c6d7e8f9a0b";  // as long as a UUID
  expect_holds(last);
}

TEST(IdTable, FindsNoOtherSpellingOfAUuid) {
  const std::string id = "0190a5b2-7c1d-7e3f-8a4b-5c6d7e8f9a0b";
  const std::vector<uint8_t> bytes = write({{id, {1, 0, 1}}});
  const auto table = IdTable::open(bytes);
  ASSERT_OK(table);
  EXPECT_TRUE(table->find(id) == std::optional<uint32_t>(0));
  uint8_t packed[kUuidBytes];
  ASSERT_TRUE(parse_uuid(id, packed));
  const std::string raw(reinterpret_cast<const char*>(packed), kUuidBytes);
  for (const std::string& absent :
       {std::string("0190A5B2-7C1D-7E3F-8A4B-5C6D7E8F9A0B"),
        std::string("0190a5b27c1d7e3f8a4b5c6d7e8f9a0b"),
        std::string("0190a5b2-7c1d-7e3f-8a4b-5c6d7e8f9a0c"), "{" + id + "}", raw, std::string()}) {
    // Also with the hash of the existing id, as if both had the same slot.
    EXPECT_FALSE(table->find(absent).has_value());
    EXPECT_FALSE(table->find(absent, hash64(id)).has_value());
  }
}

TEST(IdTable, TakesNothingForAUuidThatItWouldPrintOtherwise) {
  uint8_t bytes[kUuidBytes];
  EXPECT_TRUE(parse_uuid("0190a5b2-7c1d-7e3f-8a4b-5c6d7e8f9a0b", bytes));
  EXPECT_FALSE(parse_uuid("0190A5B2-7c1d-7e3f-8a4b-5c6d7e8f9a0b", bytes));
  EXPECT_FALSE(parse_uuid("0190a5b27c1d7e3f8a4b5c6d7e8f9a0b", bytes));
  EXPECT_FALSE(parse_uuid("0190a5b2-7c1d-7e3f-8a4b-5c6d7e8f9a0g", bytes));
  EXPECT_FALSE(parse_uuid("0190a5b2-7c1d-7e3f-8a4b5-c6d7e8f9a0b", bytes));
  EXPECT_FALSE(parse_uuid("", bytes));
}

TEST(IdTable, HoldsIdsOfOneLength) {
  std::vector<Entry> entries;
  for (uint32_t i = 0; i < 300; i++) entries.push_back({std::to_string(100000 + i), {1, i, 1}});
  expect_holds(entries);
}

TEST(IdTable, HoldsTheLongestIds) {
  std::vector<Entry> entries;
  for (uint32_t i = 0; i < 130; i++) {
    entries.push_back({std::to_string(i) + std::string(509, 'i'), {1, i, 1}});
  }
  expect_holds(entries);
}

TEST(IdTable, HoldsExtremeVersionsAndUnorderedSequenceNumbers) {
  expect_holds({{"a", {UINT64_MAX / 2, 9, 7}},
                {"b", {1, 0, 1}},
                {"c", {5, 0, UINT32_MAX}},
                {"d", {300, uint64_t{1} << 62, 1}}});
}

TEST(IdTable, SequenceNumbersWithoutHolesTakeNoSpace) {
  std::vector<Entry> dense;
  std::vector<Entry> holes;
  for (uint32_t i = 0; i < 256; i++) {
    const std::string id = std::to_string(1000 + i);
    dense.push_back({id, {1, 5000 + i, 1}});
    holes.push_back({id, {1, 5000 + i * 2, 1}});
  }
  EXPECT_EQ(write(holes).size() - write(dense).size(), 256);
}

TEST(IdTable, RefusesEveryTruncation) {
  for (const std::vector<uint8_t>& bytes : {write(mixed_entries(100)), write(uuid_entries(100))}) {
    for (size_t size = 0; size < bytes.size(); size++) {
      const std::vector<uint8_t> cut(bytes.begin(),
                                     bytes.begin() + static_cast<std::ptrdiff_t>(size));
      EXPECT_FALSE(IdTable::open(cut).ok());
    }
  }
}

TEST(IdTable, SurvivesEveryFlippedBit) {
  for (const std::vector<uint8_t>& bytes : {write(mixed_entries(60)), write(uuid_entries(60))}) {
    for (size_t bit = 0; bit < bytes.size() * 8; bit++) {
      std::vector<uint8_t> flipped = bytes;
      flipped[bit / 8] = static_cast<uint8_t>(flipped[bit / 8] ^ (1U << (bit % 8)));
      read_all(flipped);
    }
  }
}

}  // namespace quarry::id_table_test
