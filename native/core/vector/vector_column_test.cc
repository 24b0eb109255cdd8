// The values that a column returns, and its behaviour with damaged bytes. Under ASan the copies of
// exact size detect any read beyond a section.
#include "vector/vector_column.h"

#include <cmath>

#include "testing/damage.h"
#include "testing/test.h"
#include "testing/vector_segment.h"

namespace quarry::vector_column_test {

using testing::Shape;
using testing::TestVectorSegment;
using testing::VectorSet;

constexpr uint32_t kMaxDoc = 320;

VectorOptions options_of(VectorSimilarity similarity, uint32_t dims,
                         VectorIndex index = VectorIndex::kFlat) {
  VectorOptions options;
  options.dims = dims;
  options.similarity = similarity;
  options.index = index;
  return options;
}

/// Opens copies of exact size. True: rejected as corrupt, or searched within bounds.
bool survives(const VectorSections& sections, uint32_t max_doc) {
  const VectorSections copy = sections;
  const Result<VectorColumn> column = VectorColumn::open(testing::views_of(copy), max_doc);
  if (!column.ok()) return column.status().type() == ErrorType::kCorrupt;
  return testing::search_everything(*column, std::vector<float>(kMaxVectorDims, 0.5F));
}

using Part = std::vector<uint8_t> VectorSections::*;
constexpr Part kNeeded[] = {&VectorSections::head, &VectorSections::docs, &VectorSections::rows};
constexpr Part kDerived[] = {&VectorSections::full, &VectorSections::sketch,
                             &VectorSections::bounds, &VectorSections::graph};

TEST(VectorColumn, ReadsBackWhatWasWritten) {
  for (const VectorSimilarity similarity : {VectorSimilarity::kCosine, VectorSimilarity::kL2Norm}) {
    VectorSet set(Shape::kClustered, 9, 4);
    const TestVectorSegment segment(options_of(similarity, 9), set, kMaxDoc, 5);
    const VectorColumn& column = segment.column();
    EXPECT_TRUE(column.options() == options_of(similarity, 9));
    EXPECT_FALSE(column.dense());
    EXPECT_EQ(column.size(), kMaxDoc - kMaxDoc / 5);
    EXPECT_EQ(column.derived_damage(), "");
    uint32_t ordinal = 0;
    for (uint32_t doc = 0; doc < kMaxDoc; doc++) {
      const std::vector<float>& vector = segment.vector(doc);
      if (vector.empty()) {
        EXPECT_EQ(column.ordinal(doc), kNoVector);
        continue;
      }
      EXPECT_EQ(column.ordinal(doc), ordinal);
      EXPECT_EQ(column.doc(ordinal), doc);
      double squares = 0;
      for (const float value : vector)
        squares += static_cast<double>(value) * static_cast<double>(value);
      const double norm = std::sqrt(squares);
      EXPECT_NEAR(static_cast<double>(column.norm(ordinal)), norm, norm * 1e-6);
      const double scale = similarity == VectorSimilarity::kCosine ? 1 / norm : 1;
      for (size_t i = 0; i < vector.size(); i++) {
        EXPECT_NEAR(static_cast<double>(column.row(ordinal)[i]),
                    static_cast<double>(vector[i]) * scale, 1e-6);
      }
      ordinal++;
    }
    EXPECT_EQ(column.ordinal(kMaxDoc), kNoVector);
  }
}

TEST(VectorColumn, RowsThatAreAsScoredComeThroughUnchanged) {
  VectorSet set(Shape::kClustered, 9, 4);
  const VectorOptions options = options_of(VectorSimilarity::kCosine, 9);
  const TestVectorSegment segment(options, set, 50, 3);
  VectorWriter writer(options);
  const VectorColumn& from = segment.column();
  writer.reserve(from.size());
  for (uint32_t i = 0; i < from.size(); i++) writer.add_row(from.doc(i), from.row(i), from.norm(i));
  const VectorSections merged = *writer.finish(50, VectorEffort::kFull, nullptr, nullptr);
  EXPECT_TRUE(merged.rows == segment.sections().rows);
  EXPECT_TRUE(merged.docs == segment.sections().docs);
  EXPECT_TRUE(merged.head == segment.sections().head);
}

TEST(VectorColumn, CodesAreMadeWhereTheyAreWorthIt) {
  VectorSet set(Shape::kClustered, 9, 4);
  const VectorOptions flat = options_of(VectorSimilarity::kCosine, 9);
  EXPECT_TRUE(TestVectorSegment(flat, set, 256, 0).column().planes() == nullptr);
  EXPECT_TRUE(TestVectorSegment(flat, set, 257, 0).column().planes() != nullptr);
  EXPECT_TRUE(TestVectorSegment(flat, set, 257, 0, VectorEffort::kRows).column().planes() ==
              nullptr);
  const VectorOptions none = options_of(VectorSimilarity::kCosine, 9, VectorIndex::kNone);
  EXPECT_TRUE(TestVectorSegment(none, set, 257, 0).column().planes() == nullptr);
}

TEST(VectorColumn, AGraphIsMadeWhereTheFieldWantsOne) {
  VectorSet set(Shape::kClustered, 9, 4);
  const auto graph = [&](VectorSimilarity similarity, VectorIndex index, uint32_t size) {
    return TestVectorSegment(options_of(similarity, 9, index), set, size, 0).column().graph() !=
           nullptr;
  };
  EXPECT_TRUE(graph(VectorSimilarity::kCosine, VectorIndex::kHnsw, kMinVectorsForGraph));
  EXPECT_FALSE(graph(VectorSimilarity::kCosine, VectorIndex::kHnsw, kMinVectorsForGraph - 1));
  EXPECT_FALSE(graph(VectorSimilarity::kCosine, VectorIndex::kInt8Hnsw, kMinVectorsForGraph));
  EXPECT_FALSE(graph(VectorSimilarity::kL2Norm, VectorIndex::kHnsw, kMinVectorsForGraph));
}

TEST(VectorColumn, ItsMakingIsCalledOff) {
  VectorSet set(Shape::kClustered, 9, 4);
  VectorWriter writer(options_of(VectorSimilarity::kCosine, 9));
  for (uint32_t doc = 0; doc < 300; doc++) writer.add(doc, set.next());
  const std::atomic<bool> abort = true;
  AbortFlag work(abort);
  const Result<VectorSections> sections = writer.finish(300, VectorEffort::kFull, nullptr, &work);
  ASSERT_FALSE(sections.ok());
  EXPECT_EQ(sections.status().type(), ErrorType::kRejected);
}

TEST(VectorColumn, NeededSectionsMustBeWhole) {
  VectorSet set(Shape::kClustered, 5, 4);
  const TestVectorSegment segment(options_of(VectorSimilarity::kCosine, 5), set, kMaxDoc, 5);
  for (const Part part : kNeeded) {
    const std::vector<uint8_t>& whole = segment.sections().*part;
    for (size_t size = 0; size < whole.size(); size++) {
      VectorSections cut = segment.sections();
      (cut.*part).resize(size);
      const Result<VectorColumn> column = VectorColumn::open(testing::views_of(cut), kMaxDoc);
      EXPECT_TRUE(!column.ok() && column.status().type() == ErrorType::kCorrupt);
    }
  }
  EXPECT_FALSE(VectorColumn::open(testing::views_of(segment.sections()), kMaxDoc + 1).ok());
}

TEST(VectorColumn, DamagedCodesAreLeftOut) {
  VectorSet set(Shape::kAnisotropic, 130, 4);
  const VectorOptions options = options_of(VectorSimilarity::kCosine, 130, VectorIndex::kHnsw);
  const TestVectorSegment segment(options, set, 4000, 5);
  ASSERT_TRUE(segment.column().graph() != nullptr);
  ASSERT_FALSE(segment.sections().sketch.empty());
  Random random(1);
  for (const Part part : kDerived) {
    const size_t whole = (segment.sections().*part).size();
    for (int round = 0; round < 12; round++) {
      VectorSections cut = segment.sections();
      (cut.*part).resize(round == 0 ? 0 : round == 1 ? whole - 1 : random.below(whole));
      const Result<VectorColumn> column = VectorColumn::open(testing::views_of(cut), 4000);
      ASSERT_OK(column);
      EXPECT_NE(column->derived_damage(), "");
      EXPECT_TRUE(column->graph() == nullptr);
      EXPECT_EQ(column->planes() == nullptr, part != &VectorSections::graph);
      EXPECT_TRUE(testing::search_everything(*column, segment.some_vector()));
    }
  }
}

TEST(VectorColumn, BoundsThatAreNoNumbersAreDamage) {
  VectorSet set(Shape::kClustered, 5, 4);
  const TestVectorSegment segment(options_of(VectorSimilarity::kCosine, 5), set, kMaxDoc, 0);
  for (const float value : {-1.0F, std::nanf(""), HUGE_VALF}) {
    VectorSections damaged = segment.sections();
    store(damaged.bounds.data() + 40, value);
    const Result<VectorColumn> column = VectorColumn::open(testing::views_of(damaged), kMaxDoc);
    ASSERT_OK(column);
    EXPECT_TRUE(column->planes() == nullptr);
  }
}

TEST(VectorColumn, FlippedBytesAreSurvived) {
  VectorSet set(Shape::kClustered, 5, 4);
  const TestVectorSegment segment(options_of(VectorSimilarity::kL2Norm, 5), set, kMaxDoc, 5);
  VectorSections flipped = segment.sections();
  for (const Part part : {&VectorSections::head, &VectorSections::docs}) {
    for (uint8_t& byte : flipped.*part) {
      const uint8_t before = byte;
      for (const uint32_t mask : {0x01U, 0x80U, 0xffU}) {
        byte = static_cast<uint8_t>(before ^ mask);
        EXPECT_TRUE(survives(flipped, kMaxDoc));
      }
      byte = before;
    }
  }
}

TEST(VectorColumn, RandomDamageIsSurvived) {
  VectorSet set(Shape::kAnisotropic, 130, 4);
  const VectorOptions options = options_of(VectorSimilarity::kCosine, 130, VectorIndex::kHnsw);
  const TestVectorSegment segment(options, set, 4000, 5);
  Random random(2);
  for (int round = 0; round < 60; round++) {
    VectorSections damaged = segment.sections();
    testing::damage(
        damaged.*(round % 2 == 0 ? kNeeded[random.below(3)] : kDerived[random.below(4)]), random);
    EXPECT_TRUE(survives(damaged, 4000));
  }
}

}  // namespace quarry::vector_column_test
