// Packed sources are restored byte for byte, including copied blocks of others, and damaged bytes
// are rejected.
#include "store/packed_source.h"

#include "base/random.h"
#include "store/lz4_block.h"
#include "store/source_dictionary.h"
#include "testing/test.h"

namespace quarry::packed_source_test {

std::string words(Random& random, size_t size) {
  std::string text = "{\"title\":\"";
  while (text.size() < size) text += "word" + std::to_string(random.below(500)) + " ";
  return text + "\"}";
}

std::string with_vector(Random& random, size_t dims) {
  std::string text = "{\"n\":" + std::to_string(random.below(1000)) + ",\"v\":[";
  for (size_t i = 0; i < dims; i++) {
    if (i > 0) text += ",";
    text += (random.below(2) == 0 ? "-0.0" : "0.") + std::to_string(10000 + random.below(90000));
  }
  return text + "]}";
}

std::string noise(Random& random, size_t size) {
  std::string text(size, ' ');
  for (char& byte : text) byte = static_cast<char>(random.next());
  return text;
}

std::vector<std::string> mixed_documents(uint32_t count, uint64_t seed) {
  Random random(seed);
  std::vector<std::string> documents;
  for (uint32_t i = 0; i < count; i++) {
    switch (random.below(16)) {
      case 0:
        documents.push_back(noise(random, random.below(9000)));
        break;
      case 1:
        documents.push_back(words(random, 70000));
        break;
      case 2:
        documents.emplace_back();
        break;
      case 3:
        documents.push_back(with_vector(random, 3000));
        break;
      case 4:
      case 5:
      case 6:
        documents.push_back(with_vector(random, random.below(200)));
        break;
      default:
        documents.push_back(words(random, random.below(1500)));
    }
  }
  return documents;
}

std::string dictionary_of(const std::vector<std::string>& documents, size_t bytes) {
  SourceDictionary dictionary(bytes);
  for (size_t i = 0; i < documents.size() && !dictionary.full(); i += 3)
    dictionary.add(documents[i]);
  return dictionary.take();
}

StoredSections write(const std::vector<std::string>& documents, size_t dictionary = 0) {
  PackedSourceWriter writer(dictionary_of(documents, dictionary));
  for (const std::string& document : documents) writer.add(document);
  return writer.finish();
}

void expect_holds(const StoredSections& sections, const std::vector<std::string>& documents) {
  const auto count = static_cast<uint32_t>(documents.size());
  const auto stored = StoredSource::open(sections.blocks, sections.index, count);
  ASSERT_OK(stored);
  EXPECT_TRUE(stored->packed());
  StoredSource::Cursor cursor(*stored);
  for (uint32_t doc = 0; doc < count; doc++) {
    std::string out = "before";
    EXPECT_OK(stored->get(doc, out));
    EXPECT_TRUE(out == "before" + documents[doc]);
    const auto seen = cursor.get(doc);
    ASSERT_OK(seen);
    EXPECT_TRUE(*seen == documents[doc]);
  }
  for (uint32_t doc = count; doc-- > 0;) {
    const auto seen = cursor.get(doc);
    ASSERT_OK(seen);
    EXPECT_TRUE(*seen == documents[doc]);
  }
  std::string out;
  EXPECT_FALSE(stored->get(count, out).ok());
}

/// Reads everything; only termination is tested.
void read_all(const StoredSections& sections, uint32_t count) {
  const auto stored = StoredSource::open(sections.blocks, sections.index, count);
  if (!stored.ok()) return;
  StoredSource::Cursor cursor(*stored);
  for (uint32_t doc = 0; doc < count; doc++) {
    std::string out;
    static_cast<void>(stored->get(doc, out));
    static_cast<void>(cursor.get(doc));
  }
}

TEST(PackedSource, HoldsNothing) { expect_holds(write({}), {}); }

TEST(PackedSource, HoldsDocumentsOfAllSizes) {
  const std::vector<std::string> documents = mixed_documents(400, 3);
  for (const size_t dictionary : {size_t{0}, size_t{5000}, kLz4Window})
    expect_holds(write(documents, dictionary), documents);
}

TEST(PackedSource, TakesLessThanPlainBlocks) {
  Random random(4);
  std::vector<std::string> texts;
  std::vector<std::string> vectors;
  for (int i = 0; i < 1000; i++) texts.push_back(words(random, 300));
  for (int i = 0; i < 300; i++) vectors.push_back(with_vector(random, 384));
  const auto plain = [](const std::vector<std::string>& documents) {
    StoredSourceWriter writer;
    for (const std::string& document : documents) writer.add(document);
    return writer.finish().blocks.size();
  };
  EXPECT_LT(write(texts, 16384).blocks.size() * 10, plain(texts) * 9);
  EXPECT_LT(write(vectors).blocks.size() * 2, plain(vectors));
}

TEST(PackedSource, CopiesBlocksWithTheirDictionaries) {
  std::vector<std::string> all = mixed_documents(50, 20);
  PackedSourceWriter writer(dictionary_of(all, 3000));
  for (const std::string& document : all) writer.add(document);
  for (const size_t dictionary : {size_t{2000}, size_t{0}, size_t{9000}}) {
    const std::vector<std::string> others = mixed_documents(60, dictionary);
    const StoredSections sections = write(others, dictionary);
    const auto stored = StoredSource::open(sections.blocks, sections.index, 60);
    ASSERT_OK(stored);
    const uint32_t added = writer.add_dictionaries(*stored);
    for (uint32_t i = 0; i < stored->block_count(); i++) writer.add_block(stored->block(i), added);
    writer.add(others[0]);
    all.insert(all.end(), others.begin(), others.end());
    all.push_back(others[0]);
  }
  const StoredSections sections = writer.finish();
  expect_holds(sections, all);
  const auto stored =
      StoredSource::open(sections.blocks, sections.index, static_cast<uint32_t>(all.size()));
  ASSERT_OK(stored);
  EXPECT_EQ(stored->dictionary_count(), 3U);
}

TEST(PackedSource, TheBlocksThatWentToASinkAreTheSame) {
  Random random(9);
  std::vector<std::string> documents;
  for (int i = 0; i < 30; i++) documents.push_back(noise(random, 100'000));
  const StoredSections kept = write(documents, 1000);
  std::vector<uint8_t> sunk;
  size_t calls = 0;
  PackedSourceWriter writer(dictionary_of(documents, 1000), [&](Bytes bytes) {
    sunk.insert(sunk.end(), bytes.begin(), bytes.end());
    calls++;
  });
  for (const std::string& document : documents) writer.add(document);
  const StoredSections rest = writer.finish();
  EXPECT_TRUE(rest.blocks.empty());
  EXPECT_TRUE(calls > 1);
  EXPECT_TRUE(sunk == kept.blocks);
  EXPECT_TRUE(rest.index == kept.index);
}

TEST(PackedSource, IsFoundAmongOtherBytes) {
  const std::vector<std::string> documents = mixed_documents(40, 6);
  const StoredSections sections = write(documents, 2000);
  std::vector<uint8_t> more = sections.index;
  more.resize(more.size() + 100, 7);
  EXPECT_EQ(StoredSource::find_index(more).size(), sections.index.size());
  EXPECT_TRUE(StoredSource::find_index(Bytes(more).subspan(1)).empty());
  StoredSource stored = StoredSource::of_index(sections.index);
  EXPECT_EQ(stored.expected_bytes(), sections.blocks.size());
  const Bytes half = Bytes(sections.blocks).first(sections.blocks.size() / 2);
  stored.try_blocks(half);
  std::string out;
  EXPECT_OK(stored.get(0, out));
  EXPECT_TRUE(out == documents[0]);
  EXPECT_FALSE(stored.get(39, out).ok());
}

TEST(PackedSource, RefusesEveryTruncation) {
  const StoredSections sections = write(mixed_documents(40, 6), 300);
  for (size_t size = 0; size < sections.index.size(); size++) {
    EXPECT_FALSE(StoredSource::open(sections.blocks, Bytes(sections.index).first(size), 40).ok());
  }
  const Bytes blocks(sections.blocks);
  EXPECT_FALSE(StoredSource::open(blocks.first(blocks.size() - 1), sections.index, 40).ok());
  EXPECT_FALSE(StoredSource::open(blocks, sections.index, 41).ok());
}

TEST(PackedSource, SurvivesEveryFlippedBit) {
  Random random(8);
  std::vector<std::string> documents;
  for (int i = 0; i < 12; i++)
    documents.push_back(i % 2 == 0 ? words(random, 20) : with_vector(random, 10));
  const StoredSections sections = write(documents, 60);
  for (size_t bit = 0; bit < (sections.index.size() + sections.blocks.size()) * 8; bit++) {
    StoredSections flipped = sections;
    const size_t byte = bit / 8;
    uint8_t& target = byte < flipped.index.size() ? flipped.index[byte]
                                                  : flipped.blocks[byte - flipped.index.size()];
    target = static_cast<uint8_t>(target ^ (1U << (bit % 8)));
    read_all(flipped, 12);
  }
}

TEST(PackedSource, SurvivesZerosInPlaceOfWhatItOpened) {
  const std::vector<std::string> documents = mixed_documents(60, 12);
  StoredSections sections = write(documents, 2000);
  const auto stored = StoredSource::open(sections.blocks, sections.index, 60);
  ASSERT_OK(stored);
  for (std::vector<uint8_t>* part : {&sections.blocks, &sections.index}) {
    for (size_t at = part->size(); at > 0; at -= std::min(at, part->size() / 16)) {
      std::fill(part->begin() + static_cast<std::ptrdiff_t>(at) - 1, part->end(), uint8_t{0});
      StoredSource::Cursor cursor(*stored);
      for (uint32_t doc = 0; doc < 60; doc++) {
        std::string out;
        static_cast<void>(stored->get(doc, out));
        static_cast<void>(cursor.get(doc));
      }
    }
  }
}

}  // namespace quarry::packed_source_test
