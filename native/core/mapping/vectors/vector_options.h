// How a dense_vector field compares vectors and which index structure is built for them.
#pragma once

#include <cstdint>

namespace quarry {

inline constexpr uint32_t kMaxVectorDims = 4096;

/// The numbers are stored on disk. kByteDotProduct is the dot product of vectors of bytes, which
/// have any length.
enum class VectorSimilarity : uint8_t {
  kCosine,
  kDotProduct,
  kL2Norm,
  kMaxInnerProduct,
  kByteDotProduct
};

/// index_options.type, or kNone for `index: false`. The int8_* types search through SQ8 codes with
/// exact results. The numbers are stored on disk.
enum class VectorIndex : uint8_t { kNone, kFlat, kHnsw, kInt8Flat, kInt8Hnsw };

struct VectorOptions {
  uint32_t dims = 0;  // 0: those of the first vector
  VectorSimilarity similarity = VectorSimilarity::kCosine;
  VectorIndex index = VectorIndex::kHnsw;
  uint32_t m = 16;                 // links per node above layer 0, half of those on it
  uint32_t ef_construction = 100;  // beam while the graph is built
  bool bytes = false;              // element_type byte: whole numbers in [-128, 127]

  /// Whether unfiltered searches may be served by a graph.
  bool wants_graph() const {
    return index == VectorIndex::kHnsw && similarity == VectorSimilarity::kCosine;
  }
  friend bool operator==(const VectorOptions&, const VectorOptions&) = default;
};

}  // namespace quarry
