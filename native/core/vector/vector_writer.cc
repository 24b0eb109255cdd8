#include "vector/vector_writer.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include "simd/kernels.h"
#include "vector/code_planes.h"
#include "vector/hnsw_builder.h"
#include "vector/plane_encoder.h"
#include "vector/vector_format.h"
#include "vector/vector_space.h"

namespace quarry {
namespace {

using namespace vector_format;

/// Fewer rows are scanned as they are (vector.md 4.2).
constexpr uint32_t kMinVectorsForCodes = 257;

float as_float(double value) {
  return static_cast<float>(
      std::min(value, static_cast<double>(std::numeric_limits<float>::max())));
}

void put_all(ByteWriter& out, const std::vector<float>& values) {
  out.put_bytes(Bytes(reinterpret_cast<const uint8_t*>(values.data()), values.size() * 4));
}

/// What training and coding left, for the head.
struct Coding {
  VectorSpace space;
  float max_full_error = 0;
  float max_norm = 0;
  bool graph = false;
};

std::vector<uint8_t> head_of(const VectorOptions& options, uint32_t size, uint32_t max_doc,
                             const Coding* coding) {
  const Coding none;
  const Coding& made = coding != nullptr ? *coding : none;
  ByteWriter out;
  out.put(kMagic);
  out.put(kVersion);
  out.put(options.similarity);
  out.put(options.index);
  out.put(options.dims);
  out.put(options.m);
  out.put(options.ef_construction);
  out.put(size);
  out.put(max_doc);
  out.put((size == max_doc ? kDense : 0) | (coding != nullptr ? kCoded : 0) |
          (made.graph ? kGraph : 0));
  out.put(made.space.sketch_dims);
  out.put(made.space.full_step);
  out.put(made.space.sketch_step);
  out.put(made.max_full_error);
  out.put(made.max_norm);
  out.put(made.space.basis_defect);
  out.put(made.space.sketch_survivors);
  out.put(uint32_t{0});
  put_all(out, made.space.mean);
  put_all(out, made.space.basis);
  return out.take();
}

}  // namespace

VectorWriter::VectorWriter(const VectorOptions& options) : options_(options) {}

void VectorWriter::reserve(uint32_t rows) {
  docs_.reserve(rows);
  norms_.reserve(rows);
  rows_.reserve((size_t{options_.dims} + 1) * sizeof(float) * rows);  // norms go behind the rows
}

void VectorWriter::add(uint32_t doc, std::span<const float> vector) {
  const double norm =
      std::sqrt(simd::kernels().dot_exact(vector.data(), vector.data(), vector.size()));
  add_row(doc, vector.data(), as_float(norm));
  if (options_.similarity != VectorSimilarity::kCosine || !(norm > 0)) return;
  uint8_t* row = rows_.data() + rows_.size() - vector.size() * sizeof(float);
  for (size_t i = 0; i < vector.size(); i++) {
    store(row + i * sizeof(float), static_cast<float>(static_cast<double>(vector[i]) / norm));
  }
}

void VectorWriter::add_row(uint32_t doc, const float* row, float norm) {
  const size_t at = rows_.size();
  rows_.resize(at + size_t{options_.dims} * sizeof(float));
  std::memcpy(rows_.data() + at, row, size_t{options_.dims} * sizeof(float));
  docs_.push_back(doc);
  norms_.push_back(norm);
}

bool VectorWriter::worth_coding(VectorEffort effort) const {
  if (effort != VectorEffort::kFull || options_.index == VectorIndex::kNone) return false;
  if (size() < kMinVectorsForCodes) return false;
  if (options_.similarity == VectorSimilarity::kCosine) return true;
  const float longest = *std::max_element(norms_.begin(), norms_.end());
  return static_cast<double>(longest) <= kMaxCodedNorm;
}

Result<VectorSections> VectorWriter::finish(uint32_t max_doc, VectorEffort effort,
                                            const GraphSeed* seed, const std::atomic<bool>* abort) {
  VectorSections sections;
  const uint32_t count = size();
  if (count != max_doc) {
    const auto* docs = reinterpret_cast<const uint8_t*>(docs_.data());
    sections.docs.assign(docs, docs + docs_.size() * sizeof(uint32_t));
  }
  const bool coded = worth_coding(effort);
  const auto* norms = reinterpret_cast<const uint8_t*>(norms_.data());
  rows_.insert(rows_.end(), norms, norms + norms_.size() * sizeof(float));
  sections.rows = std::move(rows_);
  if (!coded) {
    sections.head = head_of(options_, count, max_doc, nullptr);
    return sections;
  }

  const auto* rows = reinterpret_cast<const float*>(sections.rows.data());
  Coding coding;
  coding.space = train_space(rows, count, options_.dims, options_.similarity);
  QUARRY_ASSIGN_OR_RETURN(EncodedPlanes encoded, encode_planes(coding.space, rows, count, abort));
  coding.max_full_error = encoded.max_full_error;
  coding.max_norm = encoded.max_norm;
  if (options_.wants_graph() && count >= kMinVectorsForGraph) {
    HnswOptions graph;
    graph.m = options_.m;
    graph.ef_construction = options_.ef_construction;
    const HnswGraph* kept = seed != nullptr ? seed->graph : nullptr;
    const std::span<const uint32_t> ordinals =
        kept != nullptr ? seed->ordinals : std::span<const uint32_t>();
    QUARRY_ASSIGN_OR_RETURN(
        sections.graph, build_hnsw(planes_of(coding.space, encoded), graph, kept, ordinals, abort));
    coding.graph = true;
  }
  sections.full = std::move(encoded.full);
  sections.sketch = std::move(encoded.sketch);
  sections.bounds = std::move(encoded.bounds);
  sections.head = head_of(options_, count, max_doc, &coding);
  return sections;
}

}  // namespace quarry
