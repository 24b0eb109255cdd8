// A fetch with the time that a search has left for it, and with a bound of what it holds. Documents beyond the time come
// without highlights; those beyond the plan's time, counted from the start of the fetch, do not come, as in Elasticsearch.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "query/plan/search.h"

namespace quarry {

/// A fetch ends behind the document with which it holds so many bytes: who wants the rest asks for it once there is room.
inline constexpr uint64_t kFetchBytes = uint64_t{16} << 20;

struct TimedFetch {
  /// The first of those asked for: all of them unless the time was up or kFetchBytes were reached.
  std::vector<FetchedDocument> documents;
  bool timed_out = false;  // some were not highlighted, or not fetched
};

/// execute_fetch() (query/plan/search.h) with highlights within `timeout_us` (0: no limit), at most `most_bytes` and one document.
/// task_cancelled_exception once nobody waits for it.
Result<TimedFetch> fetch_within(const SearchContext& context, const Plan& plan,
                                std::span<const uint32_t> docs, uint64_t timeout_us,
                                uint64_t most_bytes = kFetchBytes);
/// What is left of the plan's time after `spent_us`; 0: it has no limit.
uint64_t time_left(const Plan& plan, uint64_t spent_us);
/// The fetch reply (query/plan/hits.h), with u8 timed_out at byte 12 of its header.
std::vector<uint8_t> encode_timed_fetch(const TimedFetch& fetched);

}  // namespace quarry
