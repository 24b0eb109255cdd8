// The documents of many terms as one set: the matches of prefix, wildcard, range and terms clauses
// in a segment.
#pragma once

#include <cstdint>
#include <span>

#include "query/scorers/doc_id_set.h"

namespace quarry {

/// The union over `ordinals` (ascending) of `field`'s dictionary; reads the field's column of
/// ordinals if it has no postings or there are many terms. Never null.
DocIdSetPtr union_of_terms(const Leaf& leaf, const SegmentField& field, bool has_postings,
                           std::span<const uint32_t> ordinals);
/// The union over all ordinals in [begin, end).
DocIdSetPtr union_of_term_range(const Leaf& leaf, const SegmentField& field, bool has_postings,
                                uint32_t begin, uint32_t end);

}  // namespace quarry
