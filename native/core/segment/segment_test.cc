// A segment through real files, with every kind of damage to them.
#include "segment/segment.h"

#include "segment/section_file.h"
#include "testing/read_segment.h"
#include "testing/segment_oracle.h"
#include "testing/temp_dir.h"
#include "testing/test.h"

namespace quarry::segment_test {

using testing::build_segment;
using testing::expect_segment_holds;
using testing::random_documents;
using testing::read_segment;

std::vector<uint8_t> copy(Bytes bytes) { return {bytes.begin(), bytes.end()}; }

SegmentImage image_of(const Segment& segment) {
  return {copy(segment.data_bytes()), copy(segment.sidx_bytes()), copy(segment.ids_bytes()), {}};
}

Result<std::shared_ptr<const Segment>> open_verified(const SegmentImage& image) {
  return Segment::open(make_heap_source(image.data), make_heap_source(image.sidx),
                       make_heap_source(image.ids));
}

std::vector<uint8_t>& file_of(SegmentImage& image, int file) {
  if (file == 0) return image.data;
  return file == 1 ? image.sidx : image.ids;
}

TEST(Segment, ReadsMappedFiles) {
  const auto documents = random_documents(1, 200);
  const auto built = build_segment(documents);
  ASSERT_TRUE(built != nullptr);
  EXPECT_FALSE(built->mapped());
  const testing::TempDir dir;
  const auto files = make_posix_file_system();
  ASSERT_OK(files->write_atomically(dir.file("data"), built->data_bytes()));
  ASSERT_OK(files->write_atomically(dir.file("sidx"), built->sidx_bytes()));
  ASSERT_OK(files->write_atomically(dir.file("ids"), built->ids_bytes()));
  const auto data = files->map(dir.file("data"));
  const auto sidx = files->map(dir.file("sidx"));
  const auto ids = files->map(dir.file("ids"));
  ASSERT_TRUE(data.ok() && sidx.ok() && ids.ok());
  const auto segment = Segment::open(*data, *sidx, *ids);
  ASSERT_OK(segment);
  EXPECT_TRUE((*segment)->mapped());
  EXPECT_EQ((*segment)->bytes(), built->bytes());
  expect_segment_holds(**segment, documents);
}

TEST(Segment, RefusesFilesOfDifferentSegments) {
  const auto a = build_segment(random_documents(2, 5));
  const auto b = build_segment(random_documents(3, 5));
  ASSERT_TRUE(a != nullptr && b != nullptr);
  SegmentImage mixed = image_of(*a);
  mixed.ids = copy(b->ids_bytes());
  const auto segment = open_verified(mixed);
  ASSERT_FALSE(segment.ok());
  EXPECT_EQ(segment.status().reason(), "segment: its files do not belong together");
}

TEST(Segment, RefusesEveryTruncation) {
  const auto built = build_segment(random_documents(4, 6));
  ASSERT_TRUE(built != nullptr);
  for (int file = 0; file < 3; file++) {
    SegmentImage cut = image_of(*built);
    while (!file_of(cut, file).empty()) {
      file_of(cut, file).pop_back();
      EXPECT_FALSE(open_verified(cut).ok());
    }
  }
}

TEST(Segment, SeesEveryDamagedByte) {
  const auto built = build_segment(random_documents(5, 6));
  ASSERT_TRUE(built != nullptr);
  SegmentImage image = image_of(*built);
  EXPECT_OK(open_verified(image));
  for (int file = 0; file < 3; file++) {
    for (size_t at = 0; at < file_of(image, file).size(); at++) {
      uint8_t& byte = file_of(image, file)[at];
      const auto before = byte;
      byte = static_cast<uint8_t>(byte ^ (1U << (at % 8)));
      EXPECT_FALSE(open_verified(image).ok());
      byte = before;
    }
  }
}

TEST(Segment, SurvivesDamageThatNoChecksumLookedAt) {
  const auto built = build_segment(random_documents(6, 12));
  ASSERT_TRUE(built != nullptr);
  const SegmentImage image = image_of(*built);
  Random random(7);
  for (int round = 0; round < 3000; round++) {
    SegmentImage damaged = image;
    for (uint64_t edits = 1 + random.below(3); edits > 0; edits--) {
      std::vector<uint8_t>& bytes = file_of(damaged, static_cast<int>(random.below(3)));
      bytes[random.below(bytes.size())] = static_cast<uint8_t>(random.next());
    }
    const auto segment = Segment::open(std::move(damaged));
    if (segment.ok()) static_cast<void>(read_segment(**segment));
  }
}

}  // namespace quarry::segment_test
