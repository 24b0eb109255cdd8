// Vectors in segments: built, merged, opened again, and damaged.
#include <cmath>
#include <string>
#include <vector>

#include "base/random.h"
#include "segment/segment_builder.h"
#include "segment/segment_merger.h"
#include "testing/fault_file_system.h"
#include "testing/read_segment.h"
#include "testing/test.h"
#include "testing/vector_documents.h"

namespace quarry::vector_segment_test {

using testing::random_vector;

constexpr uint32_t kDims = 6;

/// Field 0: a dense_vector.
std::vector<Field> fields_with(VectorSimilarity similarity, VectorIndex index) {
  std::vector<Field> fields(1);
  fields[0].name = "v";
  fields[0].type = FieldType::kDenseVector;
  fields[0].vector.dims = kDims;
  fields[0].vector.similarity = similarity;
  fields[0].vector.index = index;
  return fields;
}

/// Document i has vectors[i]; none if that is empty.
struct Documents {
  std::vector<Field> fields = fields_with(VectorSimilarity::kCosine, VectorIndex::kHnsw);
  std::vector<std::vector<float>> vectors;
};

Documents random_documents(uint64_t seed, uint32_t count, uint32_t one_empty_in) {
  Random random(seed);
  Documents out;
  for (uint32_t i = 0; i < count; i++) {
    const bool none = one_empty_in > 0 && random.below(one_empty_in) == 0;
    out.vectors.push_back(none ? std::vector<float>() : random_vector(random, kDims));
  }
  return out;
}

SegmentBuilder builder_of(const Documents& documents, uint64_t first_seq_no) {
  SegmentBuilder builder;
  ParsedDocument parsed;
  for (const std::vector<float>& vector : documents.vectors) {
    parsed.clear();
    const std::string_view floats(reinterpret_cast<const char*>(vector.data()),
                                  vector.size() * sizeof(float));
    if (!vector.empty()) parsed.values.push_back({0, 0, floats});
    const uint64_t seq_no = first_seq_no + builder.size();
    EXPECT_OK(builder.add(documents.fields, parsed, std::to_string(seq_no), "{}", {1, seq_no, 1}));
  }
  return builder;
}

SegmentImage image_of(const Documents& documents, VectorEffort effort, uint64_t first_seq_no = 0) {
  const SegmentBuilder builder = builder_of(documents, first_seq_no);
  auto image = builder.build(Bitset(builder.size(), true), effort);
  EXPECT_OK(image);
  return std::move(*image);
}

using SegmentPointer = std::shared_ptr<const Segment>;

SegmentPointer opened(SegmentImage image) {
  auto segment = Segment::open(std::move(image));
  EXPECT_OK(segment);
  return segment.ok() ? *segment : nullptr;
}

Result<SegmentPointer> open_verified(const SegmentImage& image) {
  return Segment::open(make_heap_source(image.data), make_heap_source(image.sidx),
                       make_heap_source(image.ids),
                       image.vectors.empty() ? nullptr : make_heap_source(image.vectors));
}

double length_of(const std::vector<float>& vector) {
  double sum = 0;
  for (const float value : vector) sum += static_cast<double>(value) * static_cast<double>(value);
  return std::sqrt(sum);
}

void expect_row(const VectorColumn& column, uint32_t ordinal, const std::vector<float>& vector) {
  const double length = length_of(vector);
  const bool unit = column.options().similarity == VectorSimilarity::kCosine;
  EXPECT_TRUE(std::abs(static_cast<double>(column.norm(ordinal)) - length) < 1e-5);
  for (uint32_t i = 0; i < kDims; i++) {
    const double expected = static_cast<double>(vector[i]) / (unit ? length : 1);
    EXPECT_TRUE(std::abs(static_cast<double>(column.row(ordinal)[i]) - expected) < 1e-6);
  }
}

void expect_holds(const Segment& segment, const std::vector<std::vector<float>>& vectors) {
  ASSERT_EQ(segment.max_doc(), static_cast<uint32_t>(vectors.size()));
  const SegmentField* field = segment.field("v");
  ASSERT_TRUE(field != nullptr && field->vectors != nullptr);
  const VectorColumn& column = *field->vectors;
  Bitset present(segment.max_doc());
  segment.collect_present(*field, present);
  uint32_t next = 0;
  for (uint32_t doc = 0; doc < vectors.size(); doc++) {
    EXPECT_EQ(present.test(doc), !vectors[doc].empty());
    EXPECT_EQ(column.ordinal(doc), vectors[doc].empty() ? kNoVector : next);
    if (vectors[doc].empty()) continue;
    EXPECT_EQ(column.doc(next), doc);
    expect_row(column, next++, vectors[doc]);
  }
  EXPECT_EQ(column.size(), next);
  EXPECT_EQ(segment.vector_usage().count, uint64_t{next});
}

TEST(VectorSegment, HoldsWhatWasAdded) {
  for (const uint32_t one_empty_in : {0U, 3U}) {
    const Documents documents = random_documents(1, 700, one_empty_in);
    const SegmentPointer segment = opened(image_of(documents, VectorEffort::kRows));
    expect_holds(*segment, documents.vectors);
    EXPECT_FALSE(segment->wants_vectors_built());
  }
}

TEST(VectorSegment, KeepsVectorsAsTheyAreWithoutCosine) {
  for (const VectorSimilarity similarity :
       {VectorSimilarity::kDotProduct, VectorSimilarity::kL2Norm,
        VectorSimilarity::kMaxInnerProduct}) {
    Documents documents = random_documents(2, 50, 4);
    documents.fields = fields_with(similarity, VectorIndex::kFlat);
    expect_holds(*opened(image_of(documents, VectorEffort::kFull)), documents.vectors);
  }
}

TEST(VectorSegment, LeavesOutDeadSlots) {
  const Documents documents = random_documents(3, 300, 3);
  const SegmentBuilder builder = builder_of(documents, 0);
  Bitset live(builder.size(), true);
  std::vector<std::vector<float>> left;
  for (uint32_t slot = 0; slot < builder.size(); slot++) {
    if (slot % 3 == 0) live.clear(slot);
    if (slot % 3 != 0) left.push_back(documents.vectors[slot]);
  }
  auto image = builder.build(live);
  ASSERT_OK(image);
  expect_holds(*opened(std::move(*image)), left);
}

TEST(VectorSegment, AsksToBeBuiltFromAThousandOn) {
  const Documents few = random_documents(4, 1023, 0);
  EXPECT_FALSE(opened(image_of(few, VectorEffort::kRows))->wants_vectors_built());
  const Documents enough = random_documents(4, 1024, 0);
  EXPECT_TRUE(opened(image_of(enough, VectorEffort::kRows))->wants_vectors_built());
  const SegmentPointer full = opened(image_of(enough, VectorEffort::kFull));
  EXPECT_FALSE(full->wants_vectors_built());
  EXPECT_TRUE(full->field("v")->vectors->graph() != nullptr);
  EXPECT_TRUE(full->vector_usage().graph_bytes > 0 && full->vector_usage().code_bytes > 0);
  Documents stored = enough;
  stored.fields = fields_with(VectorSimilarity::kDotProduct, VectorIndex::kNone);
  EXPECT_FALSE(opened(image_of(stored, VectorEffort::kRows))->wants_vectors_built());
}

TEST(VectorSegment, MergesLiveRows) {
  const Documents first = random_documents(5, 1500, 5);
  const Documents second = random_documents(6, 400, 0);
  const SegmentPointer a = opened(image_of(first, VectorEffort::kFull));
  const SegmentPointer b = opened(image_of(second, VectorEffort::kRows, 5000));
  Bitset live(a->max_doc(), true);
  std::vector<std::vector<float>> expected;
  for (uint32_t doc = 0; doc < a->max_doc(); doc++) {
    if (doc % 4 == 1) live.clear(doc);
    if (doc % 4 != 1) expected.push_back(first.vectors[doc]);
  }
  expected.insert(expected.end(), second.vectors.begin(), second.vectors.end());
  const MergeInput inputs[] = {{a.get(), &live}, {b.get(), nullptr}};
  for (const VectorEffort effort : {VectorEffort::kRows, VectorEffort::kFull}) {
    auto merged = merge_segments(inputs, nullptr, effort);
    ASSERT_OK(merged);
    const SegmentPointer segment = opened(std::move(*merged));
    expect_holds(*segment, expected);
    const bool built = segment->field("v")->vectors->graph() != nullptr;
    EXPECT_EQ(built, effort == VectorEffort::kFull);
  }
}

TEST(VectorSegment, RebuildsAGraphThatLostManyNodes) {
  Documents documents = random_documents(5, 3000, 0);
  for (Field& field : documents.fields) field.vector.ef_construction = 200;  // above the minimum
  const SegmentPointer built = opened(image_of(documents, VectorEffort::kFull));
  const SegmentPointer rows = opened(image_of(documents, VectorEffort::kRows));
  for (const uint32_t dead_one_in : {3U, 6U}) {
    Bitset live(built->max_doc(), true);
    for (uint32_t doc = 0; doc < built->max_doc(); doc += dead_one_in) live.clear(doc);
    const MergeInput kept{built.get(), &live};
    const MergeInput plain{rows.get(), &live};
    const auto with_graph = merge_segments({&kept, 1}, nullptr, VectorEffort::kFull);
    const auto from_rows = merge_segments({&plain, 1}, nullptr, VectorEffort::kFull);
    ASSERT_OK(with_graph);
    ASSERT_OK(from_rows);
    EXPECT_EQ(with_graph->vectors == from_rows->vectors, dead_one_in == 3);
  }
}

TEST(VectorSegment, MergedToFilesItIsTheSame) {
  const SegmentPointer a = opened(image_of(random_documents(5, 1500, 5), VectorEffort::kFull));
  const SegmentPointer b = opened(image_of(random_documents(6, 400, 0), VectorEffort::kRows, 5000));
  Bitset live(a->max_doc(), true);
  for (uint32_t doc = 0; doc < a->max_doc(); doc += 3) live.clear(doc);
  const MergeInput inputs[] = {{a.get(), &live}, {b.get(), nullptr}};
  for (const VectorEffort effort : {VectorEffort::kRows, VectorEffort::kFull}) {
    testing::FaultFileSystem disk;
    const auto make = [&disk](FileKind kind) {
      return disk.create("/" + std::string(file_kind_name(kind)));
    };
    ASSERT_OK(merge_to_files(inputs, effort, nullptr, make));
    const auto memory = merge_segments(inputs, nullptr, effort);
    ASSERT_OK(memory);
    EXPECT_TRUE(*disk.read("/data") == memory->data);
    EXPECT_TRUE(*disk.read("/sidx") == memory->sidx);
    EXPECT_TRUE(*disk.read("/ids") == memory->ids);
    EXPECT_EQ(disk.exists("/vectors"), effort == VectorEffort::kFull);
    if (effort == VectorEffort::kFull) EXPECT_TRUE(*disk.read("/vectors") == memory->vectors);
  }
}

TEST(VectorSegment, MergingStopsOnRequest) {
  const SegmentPointer a = opened(image_of(random_documents(7, 1200, 0), VectorEffort::kRows));
  const std::atomic<bool> abort{true};
  AbortFlag work(abort);
  const MergeInput inputs[] = {{a.get(), nullptr}};
  EXPECT_TRUE(merge_segments(inputs, &work, VectorEffort::kFull).status().type() ==
              ErrorType::kRejected);
}

TEST(VectorSegment, ADamagedVectorsFileCostsSpeedAlone) {
  const Documents documents = random_documents(8, 1100, 6);
  const SegmentImage image = image_of(documents, VectorEffort::kFull);
  ASSERT_OK(open_verified(image));
  EXPECT_EQ((*open_verified(image))->vector_damage(), "");
  const auto expect_worked_around = [&documents](const SegmentImage& damaged) {
    const auto segment = open_verified(damaged);
    ASSERT_OK(segment);
    EXPECT_TRUE(!(*segment)->vector_damage().empty());
    EXPECT_TRUE((*segment)->wants_vectors_built());
    EXPECT_TRUE((*segment)->field("v")->vectors->graph() == nullptr);
    expect_holds(**segment, documents.vectors);
    static_cast<void>(testing::read_segment(**segment));
  };
  for (size_t at = 0; at < image.vectors.size(); at += 1 + image.vectors.size() / 40) {
    SegmentImage damaged = image;
    damaged.vectors[at] ^= 32;
    expect_worked_around(damaged);
    damaged.vectors = image.vectors;
    damaged.vectors.resize(at);
    expect_worked_around(damaged);  // at 0: the file is empty
  }
  SegmentImage foreign = image;
  foreign.vectors = image_of(random_documents(9, 1100, 6), VectorEffort::kFull).vectors;
  expect_worked_around(foreign);
}

TEST(VectorSegment, DamageToRowsIsDamageToTheSegment) {
  const SegmentImage image = image_of(random_documents(10, 1100, 6), VectorEffort::kFull);
  for (size_t at = 0; at < image.data.size(); at += 1 + image.data.size() / 60) {
    SegmentImage damaged = image;
    damaged.data[at] ^= 1;
    EXPECT_TRUE(open_verified(damaged).status().type() == ErrorType::kCorrupt);
  }
  for (size_t at = 0; at < image.sidx.size(); at += 1 + image.sidx.size() / 60) {
    SegmentImage damaged = image;
    damaged.sidx[at] ^= 1;
    EXPECT_TRUE(open_verified(damaged).status().type() == ErrorType::kCorrupt);
  }
}

}  // namespace quarry::vector_segment_test
