// Evaluates clauses for single documents, and reports their matches for highlighting.
#pragma once

#include "query/plan/query.h"

namespace quarry {

/// Whether a document matches; documents ascend from call to call. Candidates between them are not
/// confirmed: most of a rare clause's would be in vain, and a script may fail on them.
inline bool has_match(Scorer& scorer, uint32_t doc) {
  return scorer.advance_to(doc) == doc && scorer.matches();
}

/// Whether the clause matches the document.
bool matches_document(Weight& weight, const Leaf& leaf, uint32_t doc);
/// Calls weight.report_matches() if the clause matches the document or `sink` wants all.
void report_document_matches(Weight& weight, const Leaf& leaf, uint32_t doc, MatchSink& sink);

}  // namespace quarry
