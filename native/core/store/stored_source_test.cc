// Stored sources are restored byte for byte, also through whole blocks, and damaged bytes are
// rejected.
#include "store/stored_source.h"

#include "base/random.h"
#include "store/lz4_block.h"
#include "testing/test.h"

namespace quarry::stored_source_test {

std::string compressible(Random& random, size_t size) {
  std::string text = "{\"title\":\"";
  while (text.size() < size) text += "word" + std::to_string(random.below(50)) + " ";
  return text + "\"}";
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
    const uint64_t dice = random.below(20);
    if (dice == 0) {
      documents.push_back(noise(random, 5000 + random.below(30000)));
    } else if (dice == 1) {
      documents.push_back(compressible(random, 100000));
    } else if (dice == 2) {
      documents.emplace_back();
    } else {
      documents.push_back(compressible(random, random.below(2000)));
    }
  }
  return documents;
}

StoredSections write(const std::vector<std::string>& documents) {
  StoredSourceWriter writer;
  for (const std::string& document : documents) writer.add(document);
  return writer.finish();
}

void expect_holds(const StoredSections& sections, const std::vector<std::string>& documents) {
  const auto count = static_cast<uint32_t>(documents.size());
  const auto stored = StoredSource::open(sections.blocks, sections.index, count);
  ASSERT_OK(stored);
  StoredSource::Cursor cursor(*stored);
  for (uint32_t doc = 0; doc < count; doc++) {
    std::string out = "before";
    EXPECT_OK(stored->get(doc, out));
    EXPECT_TRUE(out == "before" + documents[doc]);
    const auto seen = cursor.get(doc);
    ASSERT_OK(seen);
    EXPECT_TRUE(*seen == documents[doc]);
  }
  std::string out;
  EXPECT_FALSE(stored->get(count, out).ok());
}

/// Reads everything; only termination is tested.
void read_all(Bytes blocks, Bytes index, uint32_t count) {
  const auto stored = StoredSource::open(blocks, index, count);
  if (!stored.ok()) return;
  StoredSource::Cursor cursor(*stored);
  for (uint32_t doc = 0; doc < count; doc++) {
    std::string out;
    static_cast<void>(stored->get(doc, out));
    static_cast<void>(cursor.get(doc));
  }
}

TEST(Lz4Block, RoundTripsAndRefusesWhatDoesNotShrink) {
  Random random(1);
  const std::string text = compressible(random, 4000);
  std::vector<uint8_t> block{9};
  ASSERT_TRUE(lz4_compress(as_bytes(text), block));
  EXPECT_EQ(block[0], 9);
  std::vector<uint8_t> raw(text.size());
  ASSERT_TRUE(lz4_decompress(Bytes(block).subspan(1), raw));
  EXPECT_TRUE(as_text(raw) == text);
  std::vector<uint8_t> longer(text.size() + 1);
  EXPECT_FALSE(lz4_decompress(Bytes(block).subspan(1), longer));
  EXPECT_FALSE(lz4_compress(as_bytes(noise(random, 1000)), block));
  EXPECT_FALSE(lz4_compress({}, block));
}

TEST(StoredSource, HoldsNothing) { expect_holds(write({}), {}); }

TEST(StoredSource, HoldsEmptyDocuments) {
  const std::vector<std::string> documents(5);
  expect_holds(write(documents), documents);
}

TEST(StoredSource, HoldsDocumentsOfAllSizes) {
  const std::vector<std::string> documents = mixed_documents(400, 3);
  expect_holds(write(documents), documents);
}

TEST(StoredSource, CompressesAdjacentDocumentsTogether) {
  std::vector<std::string> documents;
  for (int i = 0; i < 1000; i++) {
    documents.push_back("{\"user\":\"kimchy\",\"n\":" + std::to_string(i) +
                        ",\"message\":\"trying out\"}");
  }
  const StoredSections sections = write(documents);
  EXPECT_LT(sections.blocks.size() * 3, 1000 * documents[0].size());
}

TEST(StoredSource, CopiesBlocksAsTheyAre) {
  const std::vector<std::string> first = mixed_documents(100, 4);
  const std::vector<std::string> second = mixed_documents(100, 5);
  const StoredSections sections = write(second);
  const auto stored = StoredSource::open(sections.blocks, sections.index, 100);
  ASSERT_OK(stored);
  StoredSourceWriter writer;
  for (const std::string& document : first) writer.add(document);
  for (uint32_t i = 0; i < stored->block_count(); i++) writer.add_block(stored->block(i));
  for (const std::string& document : first) writer.add(document);
  std::vector<std::string> all = first;
  all.insert(all.end(), second.begin(), second.end());
  all.insert(all.end(), first.begin(), first.end());
  expect_holds(writer.finish(), all);
}

TEST(StoredSource, TheBlocksThatWentToASinkAreTheSame) {
  Random random(9);
  std::vector<std::string> documents;
  for (int i = 0; i < 30; i++) documents.push_back(noise(random, 100'000));
  const StoredSections kept = write(documents);
  std::vector<uint8_t> sunk;
  size_t calls = 0;
  StoredSourceWriter writer([&](Bytes bytes) {
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

TEST(StoredSource, RefusesEveryTruncation) {
  const StoredSections sections = write(mixed_documents(40, 6));
  for (size_t size = 0; size < sections.index.size(); size++) {
    EXPECT_FALSE(StoredSource::open(sections.blocks, Bytes(sections.index).first(size), 40).ok());
  }
  const Bytes blocks(sections.blocks);
  EXPECT_FALSE(StoredSource::open(blocks.first(blocks.size() - 1), sections.index, 40).ok());
  EXPECT_FALSE(StoredSource::open(blocks, sections.index, 41).ok());
}

TEST(StoredSource, SurvivesEveryFlippedBit) {
  Random random(8);
  std::vector<std::string> documents;
  for (int i = 0; i < 30; i++) documents.push_back(compressible(random, 20));
  const StoredSections sections = write(documents);
  for (size_t bit = 0; bit < (sections.index.size() + sections.blocks.size()) * 8; bit++) {
    StoredSections flipped = sections;
    const size_t byte = bit / 8;
    uint8_t& target = byte < flipped.index.size() ? flipped.index[byte]
                                                  : flipped.blocks[byte - flipped.index.size()];
    target = static_cast<uint8_t>(target ^ (1U << (bit % 8)));
    read_all(flipped.blocks, flipped.index, 30);
  }
}

}  // namespace quarry::stored_source_test
