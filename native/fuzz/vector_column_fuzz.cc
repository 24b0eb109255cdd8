// Reads the sections of a vector field: valid ones with random damage, or with one of them replaced
// by arbitrary bytes. The first byte selects which; the rest of the input is the bytes, or the seed
// of the damage.
#include <cstdint>
#include <cstdlib>

#include "testing/damage.h"
#include "testing/vector_segment.h"

namespace {

using namespace quarry;

using Part = std::vector<uint8_t> VectorSections::*;
constexpr Part kParts[] = {&VectorSections::head, &VectorSections::docs,   &VectorSections::rows,
                           &VectorSections::full, &VectorSections::sketch, &VectorSections::bounds,
                           &VectorSections::graph};
constexpr uint32_t kMaxDoc = 1300;

/// With gaps, codes and a graph.
const testing::TestVectorSegment& valid_segment() {
  static const testing::TestVectorSegment segment = [] {
    VectorOptions options;
    options.dims = 20;
    options.m = 4;
    options.ef_construction = 20;
    testing::VectorSet set(testing::Shape::kClustered, options.dims, 1);
    return testing::TestVectorSegment(options, set, kMaxDoc, 9);
  }();
  return segment;
}

/// With codes and up to three rows per document.
const VectorSections& repeating_sections() {
  static const VectorSections sections = [] {
    VectorOptions options;
    options.dims = 20;
    testing::VectorSet set(testing::Shape::kClustered, options.dims, 2);
    VectorWriter writer(options);
    for (uint32_t row = 0; row < kMaxDoc; row++) writer.add(row / 4 + row % 4 / 3, set.next());
    return *writer.finish(kMaxDoc, VectorEffort::kFull, nullptr, nullptr);
  }();
  return sections;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  uint64_t seed = size;
  for (size_t i = 0; i < size; i++) seed = seed * 0x100000001b3 + data[i];
  Random random(seed);
  VectorSections sections =
      random.below(2) == 0 ? valid_segment().sections() : repeating_sections();
  std::vector<uint8_t>& part = sections.*kParts[random.below(7)];
  if (size > 0 && data[0] % 2 == 0) {
    part.assign(data + 1, data + size);
  } else {
    testing::damage(part, random);
  }
  const VectorSections exact = sections;
  const Result<VectorColumn> column = VectorColumn::open(testing::views_of(exact), kMaxDoc);
  if (!column.ok()) return 0;
  const std::vector<float> query(kMaxVectorDims, 0.5F);
  if (!testing::search_everything(*column, query)) std::abort();
  for (uint32_t doc = 0; doc < kMaxDoc; doc++) {
    if (column->rows_of(doc).end > column->size()) std::abort();
  }
  return 0;
}
