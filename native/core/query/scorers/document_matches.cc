// Evaluates a clause for a single document.
#include "query/scorers/document_matches.h"

namespace quarry {

bool matches_document(Weight& weight, const Leaf& leaf, uint32_t doc) {
  const ScorerPtr scorer = weight.scorer(leaf, 1);
  return scorer != nullptr && has_match(*scorer, doc);
}

void report_document_matches(Weight& weight, const Leaf& leaf, uint32_t doc, MatchSink& sink) {
  if (sink.wants_all() || matches_document(weight, leaf, doc))
    weight.report_matches(leaf, doc, sink);
}

}  // namespace quarry
