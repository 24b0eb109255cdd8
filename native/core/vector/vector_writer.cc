#include "vector/vector_writer.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include "simd/kernels.h"
#include "vector/hnsw/hnsw_builder.h"
#include "vector/sq8/code_planes.h"
#include "vector/sq8/plane_encoder.h"
#include "vector/vector_format.h"
#include "vector/vector_space.h"

namespace quarry {
namespace {

/// Fewer rows are scanned without codes.
constexpr uint32_t kMinVectorsForCodes = 257;
/// The minimum beam for building a graph, and for extending one in a merge, where lists are already
/// full or have gaps from deletions. With the usual 100, recall at the default beam is 0.9986 after
/// merges, and 0.8 for single queries; with these values it is at least 0.9991 and 0.9. They take
/// 13 and 10 % longer.
constexpr uint32_t kLeastConstruction = 128;
constexpr uint32_t kLeastMergeConstruction = 160;
/// A graph that lost more than one node in this many is rebuilt, because the links that close the
/// gaps have lower recall.
constexpr size_t kMostDeadOneIn = 4;

bool worth_keeping(const GraphSeed& seed) {
  const auto dead = std::count(seed.ordinals.begin(), seed.ordinals.end(), kNoVector);
  return static_cast<size_t>(dead) * kMostDeadOneIn <= seed.ordinals.size();
}

float as_float(double value) {
  return static_cast<float>(
      std::min(value, static_cast<double>(std::numeric_limits<float>::max())));
}

void put_all(ByteWriter& out, const std::vector<float>& values) {
  out.put_bytes(Bytes(reinterpret_cast<const uint8_t*>(values.data()), values.size() * 4));
}

/// The results of training and coding that the head stores.
struct Coding {
  VectorSpace space;
  float max_full_error = 0;
  float max_norm = 0;
  bool graph = false;
};

/// The flags of the head that describe the mapping from rows to documents.
uint32_t document_flags(const std::vector<uint32_t>& docs, uint32_t max_doc) {
  const bool repeats = std::adjacent_find(docs.begin(), docs.end()) != docs.end();
  if (repeats) return vector_format::kRepeats;
  return docs.size() == max_doc ? vector_format::kDense : 0;
}

std::vector<uint8_t> head_of(const VectorOptions& options, uint32_t size, uint32_t max_doc,
                             uint32_t documents, const Coding* coding) {
  const Coding none;
  const Coding& made = coding != nullptr ? *coding : none;
  ByteWriter out;
  out.put(vector_format::kMagic);
  out.put(documents == vector_format::kRepeats ? vector_format::kRepeatsVersion
                                               : vector_format::kVersion);
  out.put(options.similarity);
  out.put(options.index);
  out.put(options.dims);
  out.put(options.m);
  out.put(options.ef_construction);
  out.put(size);
  out.put(max_doc);
  out.put(documents | (coding != nullptr ? vector_format::kCoded : 0) |
          (made.graph ? vector_format::kGraph : 0));
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

double norm_of(std::span<const float> vector) {
  return std::sqrt(simd::kernels().dot_exact(vector.data(), vector.data(), vector.size()));
}

}  // namespace

std::vector<float> unit_vector(std::span<const float> vector) {
  std::vector<float> unit(vector.begin(), vector.end());
  const double norm = norm_of(vector);
  if (!(norm > 0)) return unit;
  for (float& value : unit) value = static_cast<float>(static_cast<double>(value) / norm);
  return unit;
}

VectorWriter::VectorWriter(const VectorOptions& options) : options_(options) {}

void VectorWriter::reserve(uint32_t rows) {
  docs_.reserve(rows);
  norms_.reserve(rows);
  expected_ = rows;
}

void VectorWriter::add(uint32_t doc, std::span<const float> vector) {
  const size_t bytes = vector.size_bytes();
  // Norms are appended after the rows.
  if (rows_.empty()) rows_.reserve((bytes + sizeof(float)) * expected_);
  const double norm = norm_of(vector);
  const size_t at = rows_.size();
  rows_.resize(at + bytes);
  std::memcpy(rows_.data() + at, vector.data(), bytes);
  docs_.push_back(doc);
  norms_.push_back(as_float(norm));
  if (options_.similarity != VectorSimilarity::kCosine || !(norm > 0)) return;
  for (size_t i = 0; i < vector.size(); i++) {
    store(rows_.data() + at + i * sizeof(float),
          static_cast<float>(static_cast<double>(vector[i]) / norm));
  }
}

void VectorWriter::add_row(uint32_t doc, const float* row, float norm) {
  lent_.push_back(row);
  docs_.push_back(doc);
  norms_.push_back(norm);
}

VectorRows VectorWriter::rows() const {
  if (!lent_.empty()) return {lent_, options_.dims};
  return {reinterpret_cast<const float*>(rows_.data()), size(), options_.dims};
}

/// Writes rows `begin` to `end` - 1 to the sink.
void VectorWriter::pass_on(uint32_t begin, uint32_t end, const ByteSink& sink) const {
  const VectorRows all = rows();
  for (uint32_t i = begin; i < end; i++) {
    sink(Bytes(reinterpret_cast<const uint8_t*>(all[i]), size_t{options_.dims} * sizeof(float)));
  }
}

/// The section of rows, in memory.
std::vector<uint8_t> VectorWriter::take_rows() {
  if (!lent_.empty()) {
    rows_.reserve((size_t{options_.dims} + 1) * sizeof(float) * size());
    pass_on(0, size(), [this](Bytes row) { rows_.insert(rows_.end(), row.begin(), row.end()); });
    lent_ = {};
  }
  const Bytes norms = norm_bytes();
  rows_.insert(rows_.end(), norms.begin(), norms.end());
  return std::move(rows_);
}

Bytes VectorWriter::norm_bytes() const {
  return {reinterpret_cast<const uint8_t*>(norms_.data()), norms_.size() * sizeof(float)};
}

bool VectorWriter::worth_coding(VectorEffort effort) const {
  if (effort != VectorEffort::kFull || options_.index == VectorIndex::kNone) return false;
  if (size() < kMinVectorsForCodes) return false;
  if (options_.similarity == VectorSimilarity::kCosine) return true;
  const float longest = *std::max_element(norms_.begin(), norms_.end());
  return static_cast<double>(longest) <= kMaxCodedNorm;
}

Result<VectorSections> VectorWriter::finish(uint32_t max_doc, VectorEffort effort,
                                            const GraphSeed* seed, LongWork* work,
                                            const ByteSink& sink) {
  VectorSections sections;
  const uint32_t count = size();
  const uint32_t documents = document_flags(docs_, max_doc);
  if (documents != vector_format::kDense) {
    const auto* docs = reinterpret_cast<const uint8_t*>(docs_.data());
    sections.docs.assign(docs, docs + docs_.size() * sizeof(uint32_t));
  }
  RowsPassed passed;
  if (sink != nullptr) {
    passed = [&](uint32_t begin, uint32_t end) { pass_on(begin, end, sink); };
  }
  Coding coding;
  const bool coded = worth_coding(effort);
  if (coded) {
    coding.space = train_space(rows(), options_.similarity);
    QUARRY_ASSIGN_OR_RETURN(EncodedPlanes encoded,
                            encode_planes(coding.space, rows(), work, passed));
    coding.max_full_error = encoded.max_full_error;
    coding.max_norm = encoded.max_norm;
    QUARRY_ASSIGN_OR_RETURN(sections.graph,
                            graph_over(planes_of(coding.space, encoded), seed, work));
    coding.graph = !sections.graph.empty();
    sections.full = std::move(encoded.full);
    sections.sketch = std::move(encoded.sketch);
    sections.bounds = std::move(encoded.bounds);
  } else if (passed != nullptr) {
    passed(0, count);
  }
  if (sink != nullptr) {
    sink(norm_bytes());
  } else {
    sections.rows = take_rows();
  }
  sections.head = head_of(options_, count, max_doc, documents, coded ? &coding : nullptr);
  return sections;
}

/// Returns an empty section if the field has no graph or too few rows for one.
Result<std::vector<uint8_t>> VectorWriter::graph_over(const CodePlanes& planes,
                                                      const GraphSeed* seed, LongWork* work) const {
  if (!options_.wants_graph() || size() < kMinVectorsForGraph) return std::vector<uint8_t>();
  const bool merging = seed != nullptr && seed->graph != nullptr;
  HnswOptions graph;
  graph.m = options_.m;
  graph.ef_construction =
      std::max(options_.ef_construction, merging ? kLeastMergeConstruction : kLeastConstruction);
  if (!merging || !worth_keeping(*seed)) return build_hnsw(planes, graph, nullptr, {}, work);
  return build_hnsw(planes, graph, seed->graph, seed->ordinals, work);
}

}  // namespace quarry
