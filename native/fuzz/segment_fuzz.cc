// Opens segments from damaged or arbitrary bytes: open() must reject them, or everything in them
// can be read and merged.
//
// Bit 0 of the first byte: whether checksums are verified. Bit 1 clear: the rest are edits of a
// valid segment, seven bytes each (file, u32 offset, how, value), and bit 2 selects a segment whose
// ids are UUIDs. Bit 1 set: the rest are the four files, each except the last preceded by its u32
// length.
#include <cstdint>
#include <string>
#include <vector>

#include "segment/segment_merger.h"
#include "testing/read_segment.h"
#include "testing/test_documents.h"
#include "testing/vector_documents.h"

namespace {

using quarry::ByteReader;
using quarry::Bytes;
using quarry::Segment;
using quarry::SegmentImage;

constexpr uint32_t kDocuments = 1100;  // enough for a graph
constexpr uint32_t kWordy = 200;

std::string uuid_of(uint32_t number) {
  const std::string digits = std::to_string(number);
  return "0190a5b2-7c1d-7e3f-8a4b-" + std::string(12 - digits.size(), '0') + digits;
}

SegmentImage build_sample(bool uuids) {
  const quarry::testing::TestMapping mapping;
  quarry::SegmentBuilder builder;
  quarry::Random random(2);
  uint32_t left = kDocuments;
  for (auto& document : quarry::testing::random_documents(1, kDocuments)) {
    const std::vector<float> vector = quarry::testing::random_vector(random, 4);
    const char* bytes = reinterpret_cast<const char*>(vector.data());
    // Only the last few documents have text fields; more would only make the sample slow to read.
    if (left-- > kWordy) document.values.clear();
    if (uuids) document.id = uuid_of(left);
    document.values.push_back(
        {quarry::testing::kEmbedding, {bytes, vector.size() * sizeof(float)}, 0});
    if (!quarry::testing::add_document(builder, mapping, document).ok()) __builtin_trap();
  }
  auto image = builder.build(quarry::Bitset(builder.size(), true), quarry::VectorEffort::kFull);
  if (!image.ok()) __builtin_trap();
  return std::move(*image);
}

std::vector<uint8_t>& file_of(SegmentImage& image, uint8_t number) {
  if (number % 4 == 0) return image.data;
  if (number % 4 == 3) return image.vectors;
  return number % 4 == 1 ? image.sidx : image.ids;
}

SegmentImage edited(ByteReader input, bool uuids) {
  static const SegmentImage samples[] = {build_sample(false), build_sample(true)};
  SegmentImage image = samples[uuids ? 1 : 0];
  while (input.remaining() >= 7) {
    std::vector<uint8_t>& file = file_of(image, input.get<uint8_t>());
    const size_t at = input.get<uint32_t>() % (file.size() + 1);
    const auto how = input.get<uint8_t>();
    const auto value = input.get<uint8_t>();
    if (how == 0xff) file.resize(at);
    if (at >= file.size()) continue;
    file[at] = static_cast<uint8_t>(how % 2 == 0 ? value : file[at] ^ value);
  }
  return image;
}

std::vector<uint8_t> take(ByteReader& input, size_t length) {
  const Bytes bytes = input.get_bytes(std::min(length, input.remaining()));
  return {bytes.begin(), bytes.end()};
}

SegmentImage arbitrary(ByteReader input) {
  SegmentImage image;
  image.data = take(input, input.get<uint32_t>());
  image.sidx = take(input, input.get<uint32_t>());
  image.ids = take(input, input.get<uint32_t>());
  image.vectors = take(input, input.remaining());
  return image;
}

quarry::Result<std::shared_ptr<const Segment>> open(SegmentImage image, bool verify) {
  if (!verify) return Segment::open(std::move(image));
  return Segment::open(quarry::make_heap_source(std::move(image.data)),
                       quarry::make_heap_source(std::move(image.sidx)),
                       quarry::make_heap_source(std::move(image.ids)),
                       quarry::make_heap_source(std::move(image.vectors)));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  ByteReader input(Bytes(data, size));
  const auto mode = input.get<uint8_t>();
  const auto segment =
      open((mode & 2) != 0 ? arbitrary(input) : edited(input, (mode & 4) != 0), (mode & 1) != 0);
  if (!segment.ok()) return 0;
  static_cast<void>(quarry::testing::read_segment(**segment));
  quarry::Bitset live((*segment)->max_doc(), true);
  live.clear(0);
  const quarry::MergeInput inputs[] = {{segment->get(), nullptr}, {segment->get(), &live}};
  static_cast<void>(quarry::merge_segments(inputs, nullptr));
  return 0;
}
