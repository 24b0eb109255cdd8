// What the clauses that search vectors (knn, semantic) check alike.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "query/plan/compiler.h"

namespace quarry {

inline constexpr uint32_t kMaxNeighbours = 10000;  // of k and of num_candidates, as Elasticsearch

/// illegal_argument_exception for a `k` or `num_candidates` (0: not given) out of range.
Status check_neighbours(std::string_view clause, uint32_t k, uint32_t num_candidates);

/// " Preview of invalid vector: […]", as Elasticsearch ends its refusals.
std::string vector_preview(std::span<const float> vector);

/// How the segments keep the vectors of a dense_vector field, which all of them do alike. A mapping
/// without dims may be older than the snapshot: then the first segment says how many there are; 0
/// while there are no vectors.
Result<VectorOptions> kept_options(const Compiler& compiler, const Field& field);

/// What of a segment may be returned by a search of vectors through `filter` (null: all of it).
/// False when nothing.
bool fill_filter(Weight* filter, const Leaf& leaf, Bitset& out);

}  // namespace quarry
