// Documents of a segment as a few runs of neighbours: what a range becomes over a column whose
// values follow the order of the documents, as times often do.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bitset.h"
#include "postings/postings.h"
#include "query/plan/query.h"

namespace quarry {

/// Ascending, apart from each other, none empty.
using DocRuns = std::vector<DocRun>;

/// The runs that `a` and `b` share.
DocRuns shared_runs(const DocRuns& a, const DocRuns& b);

/// How many documents of a term lie in the runs. `live` null: all documents are. Then only the
/// blocks at the ends of runs are decoded.
uint64_t count_in_runs(PostingsCursor& cursor, const DocRuns& runs, const Bitset* live);
uint64_t count_in_runs(const DocRuns& runs, const Bitset* live);

/// Every document of the runs scores `score`. Null when there is none.
ScorerPtr make_runs_scorer(DocRuns runs, float score);

}  // namespace quarry
