// Exact searches compared with a naive scan: every similarity, path, instruction set, filter and
// deletion.
#include "vector/exact/exact_scan.h"

#include <string>

#include "testing/test.h"
#include "testing/vector_segment.h"

namespace quarry::exact_scan_test {

using testing::Shape;
using testing::TestVectorSegment;
using testing::VectorSet;

constexpr VectorSimilarity kAllSimilarities[] = {
    VectorSimilarity::kCosine, VectorSimilarity::kDotProduct, VectorSimilarity::kL2Norm,
    VectorSimilarity::kMaxInnerProduct, VectorSimilarity::kByteDotProduct};
constexpr simd::Isa kAllIsas[] = {simd::Isa::kScalar, simd::Isa::kAvx2, simd::Isa::kAvxVnni,
                                  simd::Isa::kAvx512, simd::Isa::kNeon};

VectorOptions options_of(VectorSimilarity similarity, uint32_t dims) {
  VectorOptions options;
  options.dims = dims;
  options.similarity = similarity;
  options.index = VectorIndex::kFlat;
  return options;
}

Bitset some(uint32_t size, uint32_t percent, uint64_t seed) {
  Random random(seed);
  Bitset bits(size);
  for (uint32_t i = 0; i < size; i++) {
    if (random.below(1000) < uint64_t{percent} * 10) bits.set(i);
  }
  return bits;
}

std::string show(const std::vector<VectorHit>& hits) {
  std::string out;
  for (const VectorHit& hit : hits) {
    out += std::to_string(hit.doc) + ":" + std::to_string(hit.score) + " ";
  }
  return out;
}

std::vector<VectorHit> found(VectorSearcher& searcher, const VectorSegment& segment,
                             const PreparedVector& query, uint32_t k, VectorPath path) {
  TopVectors top(k, {});
  StopCheck stop(nullptr, 0);
  VectorCounters counters;
  searcher.search(segment, query, 100, top, stop, counters, path);
  return top.take();
}

/// Both exact paths with all instruction sets.
void expect_exact(const TestVectorSegment& set, const PreparedVector& query, const Bitset* live,
                  const Bitset* filter, uint32_t k) {
  std::vector<VectorHit> expected = testing::reference_hits(set, query, live, filter);
  expected.resize(std::min<size_t>(expected.size(), k));
  for (const simd::Isa isa : kAllIsas) {
    const simd::Kernels* kernels = simd::kernels_of(isa);
    if (kernels == nullptr) continue;
    VectorSearcher searcher;
    searcher.set_kernels(*kernels);
    for (const VectorPath path : {VectorPath::kRows, VectorPath::kCascade, VectorPath::kAuto}) {
      const VectorSegment segment = {&set.column(), 0, live, filter};
      EXPECT_EQ(show(found(searcher, segment, query, k, path)), show(expected));
    }
  }
}

void expect_exact_everywhere(VectorSimilarity similarity, Shape shape, uint32_t dims,
                             uint32_t max_doc, uint32_t gaps) {
  VectorSet set(shape, dims, 11);
  const VectorOptions options = options_of(similarity, dims);
  const TestVectorSegment segment(options, set, max_doc, gaps);
  const Bitset most = some(max_doc, 90, 1), half = some(max_doc, 50, 2), few = some(max_doc, 3, 3);
  for (const uint32_t k : {1U, 10U, 60U}) {
    const PreparedVector query(options, set.next());
    expect_exact(segment, query, nullptr, nullptr, k);
    expect_exact(segment, query, &most, nullptr, k);
    expect_exact(segment, query, nullptr, &half, k);
    expect_exact(segment, query, &most, &few, k);
    const PreparedVector known(options, segment.some_vector());
    expect_exact(segment, known, nullptr, &few, k);
    expect_exact(segment, known, &most, nullptr, k);
  }
}

TEST(ExactScan, FindsWhatAPlainScanFinds) {
  for (const VectorSimilarity similarity : kAllSimilarities) {
    expect_exact_everywhere(similarity, Shape::kClustered, 70, 300, 0);
    expect_exact_everywhere(similarity, Shape::kIsotropic, 70, 700, 3);
    expect_exact_everywhere(similarity, Shape::kRagged, 33, 900, 5);
    expect_exact_everywhere(similarity, Shape::kConstant, 65, 400, 4);
    expect_exact_everywhere(similarity, Shape::kAnisotropic, 5, 50, 2);
  }
}

TEST(ExactScan, FindsTheSameThroughASketch) {
  for (const VectorSimilarity similarity : kAllSimilarities) {
    expect_exact_everywhere(similarity, Shape::kAnisotropic, 200, 3300, 0);
    expect_exact_everywhere(similarity, Shape::kAnisotropic, 130, 3900, 6);
  }
}

TEST(ExactScan, TheSketchIsInUseAndSparesMostRows) {
  VectorSet set(Shape::kAnisotropic, 200, 11);
  const VectorOptions options = options_of(VectorSimilarity::kCosine, 200);
  const TestVectorSegment segment(options, set, 8000, 0);
  ASSERT_TRUE(segment.column().planes() != nullptr);
  ASSERT_TRUE(segment.column().planes()->sketch_dims > 0);
  const PreparedVector query(options, set.next());
  VectorSearcher searcher;
  TopVectors top(10, {});
  StopCheck stop(nullptr, 0);
  VectorCounters first, second;
  searcher.search({&segment.column(), 0, nullptr, nullptr}, query, 100, top, stop, first);
  EXPECT_EQ(first.sketch_distances, 8000U);
  EXPECT_LT(first.full_distances, 4000U);
  EXPECT_LT(first.exact_distances, 800U);
  TopVectors again(10, {});
  searcher.search({&segment.column(), 0, nullptr, nullptr}, query, 100, again, stop, second);
  EXPECT_EQ(first.full_distances, second.full_distances);
  EXPECT_EQ(first.exact_distances, second.exact_distances);
  EXPECT_EQ(first.bytes_read, second.bytes_read);
}

TEST(ExactScan, HugeAndTinyNumbersAreScoredAsTheyAre) {
  for (const VectorSimilarity similarity : kAllSimilarities) {
    for (const float scale : {1e-30F, 1e-12F, 1e16F, 1e30F}) {
      VectorSet set(Shape::kIsotropic, 20, 3);
      const VectorOptions options = options_of(similarity, 20);
      VectorWriter writer(options);
      for (uint32_t doc = 0; doc < 400; doc++) {
        std::vector<float> row = set.next();
        for (float& value : row) value *= scale;
        writer.add(doc, row);
      }
      const VectorSections sections = *writer.finish(400, VectorEffort::kFull, nullptr, nullptr);
      const VectorColumn column = *VectorColumn::open(testing::views_of(sections), 400);
      std::vector<float> query_vector = set.next();
      for (float& value : query_vector) value *= scale;
      const PreparedVector query(options, query_vector);
      VectorSearcher searcher;
      const VectorSegment segment = {&column, 0, nullptr, nullptr};
      EXPECT_EQ(show(found(searcher, segment, query, 10, VectorPath::kCascade)),
                show(found(searcher, segment, query, 10, VectorPath::kRows)));
      EXPECT_EQ(found(searcher, segment, query, 10, VectorPath::kRows).size(), 10U);
    }
  }
}

TEST(ExactScan, SegmentsShareOneTop) {
  VectorSet set(Shape::kClustered, 70, 5);
  for (const VectorSimilarity similarity : kAllSimilarities) {
    const VectorOptions options = options_of(similarity, 70);
    const TestVectorSegment first(options, set, 600, 0), second(options, set, 400, 3),
        third(options, set, 90, 0, VectorEffort::kRows);
    const PreparedVector query(options, set.next());
    std::vector<VectorHit> expected = testing::reference_hits(first, query, nullptr, nullptr);
    for (const VectorHit& hit : testing::reference_hits(second, query, nullptr, nullptr, 600)) {
      expected.push_back(hit);
    }
    for (const VectorHit& hit : testing::reference_hits(third, query, nullptr, nullptr, 1000)) {
      expected.push_back(hit);
    }
    std::sort(expected.begin(), expected.end(), [](const VectorHit& a, const VectorHit& b) {
      return a.score != b.score ? a.score > b.score : a.doc < b.doc;
    });
    expected.resize(25);
    VectorSearcher searcher;
    TopVectors top(25, {});
    StopCheck stop(nullptr, 0);
    VectorCounters counters;
    searcher.search({&third.column(), 1000, nullptr, nullptr}, query, 100, top, stop, counters);
    searcher.search({&first.column(), 0, nullptr, nullptr}, query, 100, top, stop, counters);
    searcher.search({&second.column(), 600, nullptr, nullptr}, query, 100, top, stop, counters);
    EXPECT_EQ(show(top.take()), show(expected));
  }
}

TEST(ExactScan, StopsWhenItsTimeIsUp) {
  class Ticking : public Clock {
   public:
    int64_t wall_ms() const override { return 0; }
    int64_t steady_ns() const override { return now_ += 1'000'000; }

   private:
    mutable int64_t now_ = 0;
  };
  VectorSet set(Shape::kAnisotropic, 70, 5);
  const VectorOptions options = options_of(VectorSimilarity::kCosine, 70);
  const TestVectorSegment segment(options, set, 5000, 0);
  const PreparedVector query(options, set.next());
  const Ticking clock;
  StopCheck stop(&clock, 2500);
  TopVectors top(10, {});
  VectorCounters counters;
  VectorSearcher searcher;
  searcher.search({&segment.column(), 0, nullptr, nullptr}, query, 100, top, stop, counters,
                  VectorPath::kRows);
  EXPECT_TRUE(stop.timed_out());
  EXPECT_LT(counters.exact_distances, 1000U);
  EXPECT_EQ(top.take().size(), 10U);
}

}  // namespace quarry::exact_scan_test
