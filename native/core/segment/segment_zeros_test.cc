// Reads of a segment after one of its mapped files has become unreadable (base/map_faults.h): zeros
// from some position on, in a segment that was verified and opened before. The results are wrong,
// but no read may leave the bounds.
#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "segment/segment_merger.h"
#include "testing/read_segment.h"
#include "testing/test.h"
#include "testing/test_documents.h"
#include "testing/vector_documents.h"

namespace quarry::segment_zeros_test {

constexpr uint32_t kDocuments = 1100;  // enough for a graph
constexpr uint32_t kWordy = 300;

SegmentImage build_sample() {
  const testing::TestMapping mapping;
  SegmentBuilder builder;
  Random random(2);
  uint32_t left = kDocuments;
  for (auto& document : testing::random_documents(1, kDocuments)) {
    const std::vector<float> vector = testing::random_vector(random, 4);
    const char* bytes = reinterpret_cast<const char*>(vector.data());
    if (left-- > kWordy) document.values.clear();
    document.values.push_back({testing::kEmbedding, {bytes, vector.size() * sizeof(float)}, 0});
    EXPECT_OK(testing::add_document(builder, mapping, document));
  }
  return *builder.build(Bitset(builder.size(), true), VectorEffort::kFull);
}

/// A file whose bytes the test may change under its reader. It has exactly their length, so that a
/// read past the end is detected.
class ChangingSource final : public ByteSource {
 public:
  explicit ChangingSource(std::vector<uint8_t> bytes)
      : size_(bytes.size()), bytes_(std::make_unique<uint8_t[]>(bytes.size())) {
    std::copy(bytes.begin(), bytes.end(), bytes_.get());
  }
  Bytes bytes() const override { return {bytes_.get(), size_}; }
  bool mapped() const override { return false; }
  void put_zeros(size_t from) { std::memset(bytes_.get() + from, 0, size_ - from); }

 private:
  size_t size_;
  std::unique_ptr<uint8_t[]> bytes_;
};

struct OpenSegment {
  std::vector<std::shared_ptr<ChangingSource>> files;
  std::shared_ptr<const Segment> segment;
};

OpenSegment open(const SegmentImage& image) {
  OpenSegment opened;
  for (const auto& bytes : {image.data, image.sidx, image.ids, image.vectors}) {
    opened.files.push_back(std::make_shared<ChangingSource>(bytes));
  }
  opened.segment =
      *Segment::open(opened.files[0], opened.files[1], opened.files[2], opened.files[3]);
  return opened;
}

void read_all(const Segment& segment) {
  static_cast<void>(testing::read_segment(segment));
  Bitset live(segment.max_doc(), true);
  live.clear(0);
  const MergeInput inputs[] = {{&segment, nullptr}, {&segment, &live}};
  static_cast<void>(merge_segments(inputs, nullptr, VectorEffort::kFull));
}

TEST(SegmentZeros, AFileThatIsCutWhileItIsOpenIsReadInBounds) {
  const SegmentImage image = build_sample();
  Random random(7);
  for (uint32_t file = 0; file < 4; file++) {
    for (int round = 0; round < 8; round++) {
      OpenSegment opened = open(image);
      const size_t size = opened.files[file]->bytes().size();
      // As after a truncation: at any position, usually a page boundary.
      size_t from = random.below(size);
      if (round % 4 != 0) from -= from % 64;
      opened.files[file]->put_zeros(round == 0 ? 0 : from);
      read_all(*opened.segment);
    }
  }
}

}  // namespace quarry::segment_zeros_test
