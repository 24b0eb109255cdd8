// A fetch with the time that a search has left for it. Highlighting is what takes long: documents beyond the time
// come without.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "query/search.h"

namespace quarry {

struct TimedFetch {
  std::vector<FetchedDocument> documents;
  bool timed_out = false;  // some were not highlighted
};

/// execute_fetch() (query/search.h) within `timeout_us`; 0: no limit.
Result<TimedFetch> fetch_within(const SearchContext& context, const Plan& plan,
                                std::span<const uint32_t> docs, uint64_t timeout_us);
/// What is left of the plan's time after `spent_us`; 0: it has no limit.
uint64_t time_left(const Plan& plan, uint64_t spent_us);
/// The fetch reply (query/hits.h), with u8 timed_out at byte 12 of its header.
std::vector<uint8_t> encode_timed_fetch(const TimedFetch& fetched);

}  // namespace quarry
