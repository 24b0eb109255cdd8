// Evaluates and marks single documents for highlighting.
#pragma once

#include "query/plan/query.h"

namespace quarry {

/// Whether the clause matches the document.
bool matches_document(Weight& weight, const Leaf& leaf, uint32_t doc);
/// Calls weight.mark() if the clause matches the document or `sink` wants all.
void mark_matching(Weight& weight, const Leaf& leaf, uint32_t doc, MarkSink& sink);

}  // namespace quarry
