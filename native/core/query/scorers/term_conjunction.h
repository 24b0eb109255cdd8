// Conjunctions of terms over a whole segment, a block of the rarest term at a time: the block is
// scored first, and only documents that may exceed the threshold are looked up in the other terms.
#pragma once

#include <memory>
#include <vector>

#include "query/scorers/term_scorer.h"

namespace quarry {

/// `terms`: at least one, none null; their scores are added in this order (in double, then to
/// float32). `filters` must match, `excluded` (may be null) must not.
std::unique_ptr<BulkScorer> make_term_conjunction(const Leaf& leaf,
                                                  std::vector<std::unique_ptr<TermScorer>> terms,
                                                  std::vector<ScorerPtr> filters,
                                                  ScorerPtr excluded);

}  // namespace quarry
