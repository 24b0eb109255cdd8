// How a dense_vector field compares vectors and what is built to find them (decisions.md, section 2).
#pragma once

#include <cstdint>

namespace quarry {

inline constexpr uint32_t kMaxVectorDims = 4096;

/// The number is on disk.
enum class VectorSimilarity : uint8_t { kCosine, kDotProduct, kL2Norm, kMaxInnerProduct };

/// index_options.type, or kNone for `index: false`. int8_*: searched through SQ8 codes, exactly. The number is on
/// disk.
enum class VectorIndex : uint8_t { kNone, kFlat, kHnsw, kInt8Flat, kInt8Hnsw };

struct VectorOptions {
  uint32_t dims = 0;  // 0: those of the first vector
  VectorSimilarity similarity = VectorSimilarity::kCosine;
  VectorIndex index = VectorIndex::kHnsw;
  uint32_t m = 16;                 // links per node above layer 0, half of those on it
  uint32_t ef_construction = 100;  // beam while the graph is built

  /// Unfiltered searches may be served by a graph (interface.md 4.5, rules 5 and 6).
  bool wants_graph() const {
    return index == VectorIndex::kHnsw && similarity == VectorSimilarity::kCosine;
  }
  friend bool operator==(const VectorOptions&, const VectorOptions&) = default;
};

}  // namespace quarry
