// Documents of a segment as a few runs of consecutive documents. A range becomes runs over a column
// whose values follow the order of the documents, as timestamps often do.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bitset.h"
#include "postings/postings.h"
#include "query/plan/query.h"

namespace quarry {

/// Ascending and separated runs, none of them empty.
using DocRuns = std::vector<DocRun>;

/// The intersection of `a` and `b`.
DocRuns shared_runs(const DocRuns& a, const DocRuns& b);

/// The number of live documents of a term in the runs. `live` null: all documents are live, and
/// only the blocks at the ends of runs are decoded.
uint64_t count_in_runs(PostingsCursor& cursor, const DocRuns& runs, const Bitset* live);
uint64_t count_in_runs(const DocRuns& runs, const Bitset* live);

/// Every document of the runs scores `score`. Null when there is none.
ScorerPtr make_runs_scorer(DocRuns runs, float score);

}  // namespace quarry
