#include "vector/vector_column.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "vector/sq8/plane_encoder.h"
#include "vector/vector_format.h"
#include "vector/vector_space.h"

namespace quarry {
namespace {

Status corrupt_vectors(const std::string& what) {
  return {ErrorType::kCorrupt, "vector section: " + what};
}

bool aligned(Bytes bytes) { return reinterpret_cast<uintptr_t>(bytes.data()) % sizeof(float) == 0; }

/// False for NaN.
bool is_sound(float value) { return value >= 0 && value <= std::numeric_limits<float>::max(); }

bool all_finite(std::span<const float> values) {
  constexpr float kMost = std::numeric_limits<float>::max();
  return std::all_of(values.begin(), values.end(),
                     [](float value) { return value >= -kMost && value <= kMost; });
}

bool all_sound(std::span<const float> values) {
  return std::all_of(values.begin(), values.end(), is_sound);
}

/// The fixed part of the head.
struct Head {
  VectorOptions options;
  uint32_t size = 0, max_doc = 0, flags = 0;
  VectorSpace space;
  float max_full_error = 0, max_norm = 0;

  bool coded() const { return (flags & vector_format::kCoded) != 0; }
  bool dense() const { return (flags & vector_format::kDense) != 0; }
  bool repeats() const { return (flags & vector_format::kRepeats) != 0; }
  /// Whether the numbers of rows and documents are consistent with the flags.
  bool counts_valid() const {
    if (repeats()) return !dense() && size >= 2 && max_doc > 0;
    return size <= max_doc && (size == max_doc) == dense();
  }
};

Status read_fixed(ByteReader& reader, Head& head) {
  const auto magic = reader.get<uint32_t>();
  const auto version = reader.get<uint16_t>();
  const auto similarity = reader.get<uint8_t>();
  const auto index = reader.get<uint8_t>();
  VectorOptions& options = head.options;
  options.dims = reader.get<uint32_t>();
  options.m = reader.get<uint32_t>();
  options.ef_construction = reader.get<uint32_t>();
  head.size = reader.get<uint32_t>();
  head.max_doc = reader.get<uint32_t>();
  head.flags = reader.get<uint32_t>();
  head.space.sketch_dims = reader.get<uint32_t>();
  head.space.full_step = reader.get<float>();
  head.space.sketch_step = reader.get<float>();
  head.max_full_error = reader.get<float>();
  head.max_norm = reader.get<float>();
  head.space.basis_defect = reader.get<float>();
  head.space.sketch_survivors = reader.get<float>();
  const auto zero = reader.get<uint32_t>();
  if (reader.failed()) return corrupt_vectors("the head is shorter than its fixed part");
  if (magic != vector_format::kMagic) return corrupt_vectors("bad magic number");
  if (version != vector_format::kVersion && version != vector_format::kRepeatsVersion)
    return corrupt_vectors("unknown version " + std::to_string(version));
  if (similarity > static_cast<uint8_t>(VectorSimilarity::kByteDotProduct) ||
      index > static_cast<uint8_t>(VectorIndex::kInt8Hnsw) || zero != 0 ||
      (head.flags & ~(vector_format::kDense | vector_format::kCoded | vector_format::kGraph |
                      vector_format::kRepeats)) != 0 ||
      head.repeats() != (version == vector_format::kRepeatsVersion)) {
    return corrupt_vectors("unknown options");
  }
  options.similarity = static_cast<VectorSimilarity>(similarity);
  options.index = static_cast<VectorIndex>(index);
  head.space.dims = options.dims;
  if (options.dims == 0 || options.dims > kMaxVectorDims) {
    return corrupt_vectors("bad number of dimensions " + std::to_string(options.dims));
  }
  return {};
}

bool training_valid(const Head& head) {
  const VectorSpace& space = head.space;
  if (!head.coded()) return space.sketch_dims == 0 && (head.flags & vector_format::kGraph) == 0;
  const bool sketch = space.sketch_dims != 0;
  return space.sketch_dims % 64 == 0 && space.sketch_dims <= 256 && is_sound(space.full_step) &&
         space.full_step > 0 && is_sound(space.sketch_step) && (space.sketch_step > 0) == sketch &&
         is_sound(head.max_full_error) && is_sound(head.max_norm) && is_sound(space.basis_defect) &&
         is_sound(space.sketch_survivors);
}

Result<Head> read_head(Bytes section, uint32_t max_doc) {
  ByteReader reader(section);
  Head head;
  QUARRY_RETURN_IF_ERROR(read_fixed(reader, head));
  if (head.max_doc != max_doc) {
    return corrupt_vectors("made for " + std::to_string(head.max_doc) + " documents, not " +
                           std::to_string(max_doc));
  }
  if (!head.counts_valid() || !training_valid(head)) {
    return corrupt_vectors("the head contradicts itself");
  }
  return head;
}

/// Reads mean and basis, one after the other.
Result<std::vector<float>> read_training(Bytes section, const Head& head) {
  const size_t count = head.coded() ? size_t{head.options.dims} * (1 + head.space.sketch_dims) : 0;
  if (section.size() != vector_format::kHeadBytes + count * sizeof(float)) {
    return corrupt_vectors("the head has " + std::to_string(section.size()) + " bytes");
  }
  std::vector<float> trained(count);
  if (count != 0)
    std::memcpy(trained.data(), section.data() + vector_format::kHeadBytes, count * sizeof(float));
  if (!all_finite(trained)) return corrupt_vectors("mean or basis are not finite");
  return trained;
}

Status check_docs(Bytes section, const Head& head) {
  if (section.size() != (head.dense() ? 0 : size_t{head.size} * sizeof(uint32_t)) ||
      !aligned(section)) {
    return corrupt_vectors("documents have " + std::to_string(section.size()) + " bytes");
  }
  const auto* docs = reinterpret_cast<const uint32_t*>(section.data());
  const size_t count = section.size() / sizeof(uint32_t);
  for (size_t i = 0; i < count; i++) {
    const bool again = i > 0 && docs[i] == docs[i - 1];
    if (docs[i] >= head.max_doc || (i > 0 && docs[i] < docs[i - 1]) || (again && !head.repeats())) {
      return corrupt_vectors("documents do not ascend");
    }
  }
  return {};
}

/// Reads the planes; the error names the section that is damaged.
Result<CodePlanes> read_planes(const Head& head, const std::vector<float>& trained,
                               const VectorSectionViews& sections) {
  const uint32_t width = head.space.sketch_dims;
  const size_t stride = full_stride(head.options.dims);
  if (sections.full.size() != head.size * stride)
    return corrupt_vectors("plane F has a wrong length");
  if (sections.sketch.size() != size_t{head.size} * width) {
    return corrupt_vectors("plane A has a wrong length");
  }
  if (sections.bounds.size() != bounds_bytes(head.size, width != 0) || !aligned(sections.bounds)) {
    return corrupt_vectors("bounds have a wrong length");
  }
  CodePlanes planes;
  planes.size = head.size;
  planes.dims = head.options.dims;
  planes.sketch_dims = width;
  planes.full = {sections.full.data(), stride};
  planes.sketch = {sections.sketch.data(), width};
  planes.full_step = head.space.full_step;
  planes.sketch_step = head.space.sketch_step;
  planes.mean = trained.data();
  planes.basis = trained.data() + planes.dims;
  planes.max_full_error = head.max_full_error;
  planes.max_norm = head.max_norm;
  planes.basis_defect = head.space.basis_defect;
  planes.sketch_survivors = head.space.sketch_survivors;
  bind_bounds(planes, sections.bounds.data());
  const auto array = [&](const float* at) { return std::span<const float>(at, planes.size); };
  if (!all_sound(array(planes.full_error)) ||
      (width != 0 && (!all_sound(array(planes.sketch_error)) || !all_sound(array(planes.tail))))) {
    return corrupt_vectors("bounds are not finite");
  }
  return planes;
}

}  // namespace

Result<VectorColumn> VectorColumn::open(const VectorSectionViews& sections, uint32_t max_doc) {
  QUARRY_ASSIGN_OR_RETURN(const Head head, read_head(sections.head, max_doc));
  VectorColumn column;
  QUARRY_ASSIGN_OR_RETURN(column.trained_, read_training(sections.head, head));
  QUARRY_RETURN_IF_ERROR(check_docs(sections.docs, head));
  const size_t row_floats = size_t{head.size} * head.options.dims;
  if (sections.rows.size() != (row_floats + head.size) * sizeof(float) || !aligned(sections.rows)) {
    return corrupt_vectors("rows have " + std::to_string(sections.rows.size()) + " bytes");
  }
  column.options_ = head.options;
  column.size_ = head.size;
  column.max_doc_ = max_doc;
  column.sections_ = sections;
  column.rows_ = reinterpret_cast<const float*>(sections.rows.data());
  column.norms_ = column.rows_ + row_floats;
  column.repeats_ = head.repeats();
  if (!head.dense()) {
    column.docs_ = reinterpret_cast<const uint32_t*>(sections.docs.data());
    column.dense_ = false;
    column.ranks_ = DocumentRanks({column.docs_, head.size}, max_doc, head.repeats());
  }
  if (!head.coded()) return column;
  Result<CodePlanes> planes = read_planes(head, column.trained_, sections);
  if (!planes.ok()) {
    column.damage_ = planes.status().reason();
    return column;
  }
  column.planes_ = *planes;
  if ((head.flags & vector_format::kGraph) == 0) return column;
  auto graph = HnswGraph::open(sections.graph, head.size);
  if (graph.ok()) {
    column.graph_ = std::move(*graph);
  } else {
    column.damage_ = graph.status().reason();
  }
  return column;
}

uint32_t VectorColumn::ordinal(uint32_t doc) const noexcept {
  if (dense_) return doc < size_ ? doc : kNoVector;
  if (doc >= max_doc_) return kNoVector;
  const uint32_t* end = docs_ + ranks_.first(doc / 64 + 1);
  const uint32_t* at = std::lower_bound(docs_ + ranks_.first(doc / 64), end, doc);
  return at != end && *at == doc ? static_cast<uint32_t>(at - docs_) : kNoVector;
}

VectorColumn::Rows VectorColumn::rows_of(uint32_t doc) const noexcept {
  const uint32_t first = ordinal(doc);
  if (first == kNoVector) return {};
  uint32_t end = first + 1;
  while (repeats_ && end < size_ && docs_[end] == doc) end++;
  return {first, end};
}

uint64_t VectorColumn::row_bytes() const {
  return sections_.head.size() + sections_.docs.size() + sections_.rows.size();
}
uint64_t VectorColumn::code_bytes() const {
  return sections_.full.size() + sections_.sketch.size() + sections_.bounds.size();
}
uint64_t VectorColumn::graph_bytes() const { return sections_.graph.size(); }

}  // namespace quarry
