// The files of a segment with vectors: written completely or not at all, removed together.
#include "shard/segment_files.h"

#include <string>
#include <vector>

#include "segment/segment_builder.h"
#include "segment/segment_merger.h"
#include "testing/fault_file_system.h"
#include "testing/test.h"
#include "testing/vector_documents.h"

namespace quarry::segment_files_test {

using testing::FaultFileSystem;

constexpr uint32_t kDims = 4;
constexpr uint32_t kDocuments = 1100;  // enough for a graph

std::shared_ptr<const Segment> segment_in_memory() {
  std::vector<Field> fields(1);
  fields[0].name = "v";
  fields[0].type = FieldType::kDenseVector;
  fields[0].vector.dims = kDims;
  SegmentBuilder builder;
  Random random(1);
  for (uint64_t i = 0; i < kDocuments; i++) {
    const std::vector<float> vector = testing::random_vector(random, kDims);
    ParsedDocument parsed;
    parsed.values.push_back(
        {0, 0, {reinterpret_cast<const char*>(vector.data()), kDims * sizeof(float)}});
    EXPECT_OK(builder.add(fields, parsed, std::to_string(i), "{}", {1, i, 1}));
  }
  auto image = builder.build(Bitset(kDocuments, true));
  EXPECT_OK(image);
  auto segment = Segment::open(std::move(*image));
  EXPECT_OK(segment);
  return *segment;
}

/// Writes it again, with codes and graph.
std::function<Status(const FileMaker&)> built(const Segment& segment) {
  return [&segment](const FileMaker& make) {
    const MergeInput input{&segment, nullptr};
    return merge_to_files({&input, 1}, VectorEffort::kFull, nullptr, make);
  };
}

std::vector<std::string> names_in(FaultFileSystem& disk) {
  const auto names = disk.list("/shard");
  return names.ok() ? *names : std::vector<std::string>();
}

TEST(SegmentFiles, CodedVectorsAreAFourthFile) {
  FaultFileSystem disk;
  ASSERT_OK(disk.create_dirs("/shard"));
  SegmentFiles files(disk, "/shard");
  const auto memory = segment_in_memory();
  const auto plain = files.write(1, *memory);
  ASSERT_OK(plain);
  EXPECT_EQ(names_in(disk).size(), size_t{3});
  EXPECT_TRUE((*plain)->wants_vectors_built());
  const auto full = files.write(2, built(**plain));
  ASSERT_OK(full);
  EXPECT_EQ(names_in(disk).size(), size_t{7});
  EXPECT_FALSE((*full)->wants_vectors_built());
  EXPECT_TRUE((*full)->field("v")->vectors->graph() != nullptr);
  EXPECT_EQ((*full)->bytes() > (*plain)->bytes(), true);
  ASSERT_OK(files.remove_others({2}));
  EXPECT_EQ(names_in(disk).size(), size_t{4});
  ASSERT_OK(files.open(2));
  ASSERT_OK(files.remove(2));
  EXPECT_EQ(names_in(disk).size(), size_t{0});
}

TEST(SegmentFiles, AFailedWriteIsNoSegment) {
  const auto memory = segment_in_memory();
  bool written = false;
  for (int64_t operations = 0; operations < 200 && !written; operations++) {
    FaultFileSystem disk;
    ASSERT_OK(disk.create_dirs("/shard"));
    ASSERT_OK(disk.sync_dir("/"));
    disk.fail_after(operations);
    SegmentFiles files(disk, "/shard");
    written = files.write(1, built(*memory)).ok();
    // Files that could not be removed are removed when the shard is opened again.
    const auto after = disk.after_crash(1);
    SegmentFiles again(*after, "/shard");
    ASSERT_OK(again.remove_others(written ? std::vector<uint64_t>{1} : std::vector<uint64_t>()));
    EXPECT_EQ(names_in(*after).size(), written ? size_t{4} : size_t{0});
    if (written) EXPECT_EQ((*again.open(1))->vector_damage(), "");
  }
  EXPECT_TRUE(written);
}

}  // namespace quarry::segment_files_test
