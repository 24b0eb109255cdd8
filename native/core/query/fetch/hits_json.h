// Encodes the page of a search as the JSON of the response, so that the coordinator need not decode
// and encode the hits again.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "query/fetch/timed_fetch.h"
#include "query/plan/hits.h"
#include "query/plan/plan.h"

namespace quarry {

/// Appends the score as src/api/kit/score-text.ts prints it: the shortest digits that identify the
/// float32, whole numbers with ".0", null if it is not finite. Negative zero is printed as zero.
void append_score(std::string& out, float score);

/// The fetch reply of kPlanHitsJson (query/plan/hits.h). `fetched` are the leg's hits from the
/// first of the plan's page on, all of the index `index`.
std::vector<uint8_t> encode_hits_json(const TimedFetch& fetched, const LegHits& leg,
                                      const Plan& plan, std::string_view index);

}  // namespace quarry
