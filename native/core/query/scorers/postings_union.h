// The documents of many terms as one set: what prefix, wildcard, range and terms clauses match in a
// segment.
#pragma once

#include <cstdint>
#include <span>

#include "query/scorers/doc_set.h"

namespace quarry {

/// Union over `ordinals` (ascending) of `field`'s dictionary; by its column of ordinals where the
/// field has no postings or the terms are many. Never null.
DocSetPtr union_of_terms(const Leaf& leaf, const SegmentField& field, bool has_postings,
                         std::span<const uint32_t> ordinals);
/// The same for all ordinals in [begin, end).
DocSetPtr union_of_term_range(const Leaf& leaf, const SegmentField& field, bool has_postings,
                              uint32_t begin, uint32_t end);

}  // namespace quarry
