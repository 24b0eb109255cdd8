// Encodes the page of a search as the JSON of the response, so that the coordinator need not decode
// and encode the hits again.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "query/fetch/timed_fetch.h"
#include "query/plan/hits.h"

namespace quarry {

/// Appends the score as src/api/kit/score-text.ts prints it: the shortest digits that identify the
/// float32, whole numbers with ".0", null if it is not finite. Negative zero is printed as zero.
void append_score(std::string& out, float score);

/// The fetch reply of kPlanHitsJson (query/plan/hits.h). `fetched` are the leg's hits from `from`
/// on, all of the index `index`; `flags`: FetchFlags.
std::vector<uint8_t> encode_hits_json(const TimedFetch& fetched, const LegHits& leg, size_t from,
                                      std::string_view index, uint8_t flags);

}  // namespace quarry
