// Evaluates a clause for a single document.
#include "query/scorers/marking.h"

namespace quarry {

bool matches_document(Weight& weight, const Leaf& leaf, uint32_t doc) {
  const ScorerPtr scorer = weight.scorer(leaf, 1);
  return scorer != nullptr && scorer->advance_match(doc) == doc;
}

void mark_matching(Weight& weight, const Leaf& leaf, uint32_t doc, MarkSink& sink) {
  if (sink.wants_all() || matches_document(weight, leaf, doc)) weight.mark(leaf, doc, sink);
}

}  // namespace quarry
