// Checks that the clauses with vector searches (knn, semantic) share.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "query/plan/compiler.h"

namespace quarry {

// The limit of k and of num_candidates, as in Elasticsearch.
inline constexpr uint32_t kMaxNearestVectors = 10000;

/// illegal_argument_exception for a `k` or `num_candidates` (0: not given) out of range.
Status check_knn_limits(std::string_view clause, uint32_t k, uint32_t num_candidates);

/// " Preview of invalid vector: […]", the end of Elasticsearch's error messages.
std::string vector_preview(std::span<const float> vector);

/// The storage options of the vectors of a dense_vector field, which are the same in all segments.
/// A mapping without dims may be older than the snapshot; the first segment then defines dims,
/// which are 0 while there are no vectors.
Result<VectorOptions> kept_options(const Compiler& compiler, const Field& field);

/// Sets the bits of the documents of a segment that a vector search through `filter` (null: all)
/// may return. False if there are none.
bool fill_filter(Weight* filter, const Leaf& leaf, Bitset& out);

}  // namespace quarry
