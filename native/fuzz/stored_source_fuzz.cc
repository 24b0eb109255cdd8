// Stored sources: damaged sections of either version, and arbitrary ones, must be rejected or be
// readable to their end; and packing must reproduce any text byte for byte. The first byte selects
// the case; the rest of the input is the text, is both sections (the first preceded by its u16
// length), or is the seed of the damage.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "store/packed_source.h"
#include "testing/damage.h"

namespace {

using namespace quarry;

constexpr uint32_t kDocuments = 60;

template <typename Writer>
StoredSections write(Writer& writer) {
  for (uint32_t i = 0; i < kDocuments; i++) {
    std::string source =
        "{\"n\":" + std::to_string(i) + ",\"text\":\"" + std::string(i * 7, 'x') + "\",\"v\":[";
    for (uint32_t k = 0; k < i; k++) source += "0." + std::to_string(i * 7919 + k) + ",";
    writer.add(source + (i % 2 == 0 ? "0.30000001192092896,0.10000000149011612,1]}" : "1]}"));
  }
  return writer.finish();
}

StoredSections sample(bool packed) {
  if (packed) {
    PackedSourceWriter writer(R"({"n":1,"text":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx","v":[)");
    return write(writer);
  }
  StoredSourceWriter writer;
  return write(writer);
}

/// LZ4 gives a match at distance 0 no meaning and no error: what it copies depends on how much is
/// decompressed at once. A lone literal run may end a block.
bool matches_have_distances(Bytes block) {
  ByteReader reader(block);
  const auto length_of = [&](size_t length) {
    if (length < 15) return length;
    while (reader.remaining() > 0) {
      const auto more = reader.get<uint8_t>();
      length += more;
      if (more != 255) break;
    }
    return length;
  };
  while (reader.remaining() > 0) {
    const auto token = reader.get<uint8_t>();
    reader.get_bytes(std::min<size_t>(length_of(token >> 4), reader.remaining()));
    if (reader.remaining() < sizeof(uint16_t)) return true;
    if (reader.get<uint16_t>() == 0) return false;
    length_of(token & 15);
  }
  return true;
}

Bytes block_of(const StoredSource& stored, uint32_t doc) {
  for (uint32_t i = 0; i < stored.block_count(); i++) {
    const StoredBlock block = stored.block(i);
    if (doc - block.first_doc < block.doc_count) return block.bytes;
  }
  return {};
}

void read_all(const StoredSections& sections, uint32_t count) {
  const auto stored = StoredSource::open(sections.blocks, sections.index, count);
  if (!stored.ok()) return;
  StoredSource::Cursor cursor(*stored);
  for (uint32_t doc = 0; doc < std::min(stored->max_doc(), kDocuments); doc++) {
    std::string out;
    const bool read = stored->get(doc, out).ok();
    // The cursor reads all of a block, get() up to the end of the document: behind it may be
    // damage.
    const auto seen = cursor.get(doc);
    if (!seen.ok()) continue;
    if (!read || seen->size() != out.size()) std::abort();
    if (*seen != out && matches_have_distances(block_of(*stored, doc))) std::abort();
  }
}

void round_trip(std::string_view text) {
  PackedSourceWriter writer({});
  writer.add(text);
  writer.add(text);
  const StoredSections sections = writer.finish();
  const auto stored = StoredSource::open(sections.blocks, sections.index, 2);
  std::string out;
  if (!stored.ok() || !stored->get(1, out).ok() || out != text) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const Bytes input(data + 1, size - 1);
  if (data[0] % 4 == 0) {
    round_trip(as_text(input));
  } else if (data[0] % 4 == 1) {
    ByteReader reader(input);
    const Bytes index =
        reader.get_bytes(std::min<size_t>(reader.get<uint16_t>(), reader.remaining()));
    const Bytes blocks = reader.get_bytes(reader.remaining());
    StoredSections sections;
    sections.index.assign(index.begin(), index.end());
    sections.blocks.assign(blocks.begin(), blocks.end());
    read_all(sections, index.size() < 12 ? 0 : load<uint32_t>(index.data() + 8));
  } else {
    uint64_t seed = size;
    for (size_t i = 0; i < size; i++) seed = seed * 0x100000001b3 + data[i];
    Random random(seed);
    StoredSections sections = sample(data[0] % 4 == 2);
    testing::damage(random.below(2) == 0 ? sections.index : sections.blocks, random);
    read_all(sections, kDocuments);
  }
  return 0;
}
