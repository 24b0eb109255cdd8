// Clauses tell a sink what they mark in documents that they match.
#pragma once

#include "query/plan/query.h"

namespace quarry {

/// Whether the clause matches the document.
bool matches_document(Weight& weight, const Leaf& leaf, uint32_t doc);
/// weight.mark(), if it matches the document or `sink` wants all.
void mark_matching(Weight& weight, const Leaf& leaf, uint32_t doc, MarkSink& sink);

}  // namespace quarry
