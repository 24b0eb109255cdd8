// Sources of merged segments: equal to the original documents, for any packing, with blocks copied
// where they are large.
#include "segment/source_merger.h"

#include "segment/segment_merger.h"
#include "testing/test.h"
#include "testing/test_documents.h"

namespace quarry::source_merger_test {

/// One document in three has numbers that are packed separately from its text.
std::string source_of(uint64_t number, size_t size) {
  Random random(number);
  std::string out = "{\"n\":" + std::to_string(number) + ",\"text\":\"";
  while (out.size() < size) out += "word" + std::to_string(random.below(3000)) + " ";
  out += "\",\"v\":[";
  for (uint64_t i = number % 3 == 0 ? 40 : 2; i > 0; i--)
    out += "0." + std::to_string(random.below(1000000)) + ",";
  return out + "1]}";
}

struct Part {
  std::shared_ptr<const Segment> segment;
  Bitset live;
  std::vector<std::string> sources;  // of all documents
};

Part build(uint64_t first, uint32_t count, size_t size, uint32_t delete_one_in = 0) {
  const testing::TestMapping mapping;
  SegmentBuilder builder;
  Part part;
  part.live = Bitset(count, true);
  for (uint32_t doc = 0; doc < count; doc++) {
    part.sources.push_back(source_of(first + doc, size));
    const std::string id = "id" + std::to_string(first + doc);
    EXPECT_OK(builder.add(mapping.fields(), ParsedDocument(), id, part.sources.back(),
                          {1, first + doc, 1}));
    if (delete_one_in > 0 && doc % delete_one_in == 1) part.live.clear(doc);
  }
  auto image = builder.build(Bitset(count, true));
  EXPECT_OK(image);
  part.segment = *Segment::open(std::move(*image));
  return part;
}

Part merge(const std::vector<Part>& parts, VectorEffort effort) {
  std::vector<MergeInput> inputs;
  Part merged;
  for (const Part& part : parts) {
    inputs.push_back({part.segment.get(), &part.live});
    for (uint32_t doc = 0; doc < part.live.size(); doc++) {
      if (part.live.test(doc)) merged.sources.push_back(part.sources[doc]);
    }
  }
  auto image = merge_segments(inputs, nullptr, effort);
  EXPECT_OK(image);
  merged.segment = *Segment::open(std::move(*image));
  merged.live = Bitset(merged.segment->max_doc(), true);
  return merged;
}

void expect_sources(const Part& part) {
  ASSERT_EQ(size_t{part.segment->max_doc()}, part.sources.size());
  for (uint32_t doc = 0; doc < part.sources.size(); doc++) {
    std::string out;
    ASSERT_OK(part.segment->stored().get(doc, out));
    EXPECT_TRUE(out == part.sources[doc]);
  }
}

TEST(SourceMerger, MergesOnDiskPackAndMergesInMemoryDoNot) {
  const std::vector<Part> parts = {build(0, 300, 200), build(300, 1, 0), build(301, 200, 400, 3)};
  const Part plain = merge(parts, VectorEffort::kRows);
  const Part packed = merge(parts, VectorEffort::kFull);
  EXPECT_FALSE(plain.segment->stored().packed());
  EXPECT_TRUE(packed.segment->stored().packed());
  EXPECT_EQ(packed.segment->stored().dictionary_count(), 1U);
  EXPECT_LT(packed.segment->stored().stored_bytes() * 5,
            plain.segment->stored().stored_bytes() * 4);
  expect_sources(plain);
  expect_sources(packed);
}

TEST(SourceMerger, EveryKindMergesWithEveryOther) {
  Part all = build(0, 150, 300, 4);
  for (uint64_t round = 0; round < 6; round++) {
    const VectorEffort effort = round % 3 == 1 ? VectorEffort::kRows : VectorEffort::kFull;
    std::vector<Part> parts;
    parts.push_back(std::move(all));
    parts.push_back(build(1000 * (round + 1), 60, 100 * round, 5));
    all = merge(parts, effort);
    expect_sources(all);
    all.live.clear(static_cast<uint32_t>(round));
  }
}

TEST(SourceMerger, LargePackedSourcesKeepTheirBlocks) {
  // Each has a block of its own.
  Part large = merge({build(0, 6000, 7000)}, VectorEffort::kFull);
  ASSERT_TRUE(large.segment->stored().stored_bytes() >= uint64_t{8} << 20);
  const StoredBlock before = large.segment->stored().block(1000);
  large.live.clear(0);
  std::vector<Part> parts;
  parts.push_back(std::move(large));
  parts.push_back(build(20000, 400, 300));
  const Part merged = merge(parts, VectorEffort::kFull);
  expect_sources(merged);
  EXPECT_EQ(merged.segment->stored().dictionary_count(), 2U);
  const StoredBlock after = merged.segment->stored().block(999);
  EXPECT_EQ(after.dictionary, 2U);
  EXPECT_TRUE(as_text(after.bytes) == as_text(before.bytes));
  EXPECT_EQ(after.first_doc, before.first_doc - 1);
}

}  // namespace quarry::source_merger_test
