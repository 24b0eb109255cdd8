// A fetch limited by the remaining time of the search and by a number of bytes. When the time for
// highlighting is up, documents have no highlights; when the plan's time, counted from the start of
// the fetch, is up, the remaining documents are omitted, as in Elasticsearch.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "query/plan/search.h"

namespace quarry {

/// A fetch ends after the document that makes it exceed this number of bytes; the caller fetches
/// the rest once there is room.
inline constexpr uint64_t kFetchBytes = uint64_t{16} << 20;

struct TimedFetch {
  /// The first of the requested documents; all of them unless the time was up or kFetchBytes
  /// reached.
  std::vector<FetchedDocument> documents;
  bool timed_out = false;  // some were not highlighted, or not fetched
};

/// execute_fetch() (query/plan/search.h) with highlighting limited to `timeout_us` (0: no limit).
/// Stops after `most_bytes`, but fetches at least one document. task_cancelled_exception once the
/// request is cancelled.
Result<TimedFetch> fetch_within(const SearchContext& context, const Plan& plan,
                                std::span<const uint32_t> docs, uint64_t timeout_us,
                                uint64_t most_bytes = kFetchBytes);
/// The remaining time of the plan after `spent_us`; 0: no limit.
uint64_t time_left(const Plan& plan, uint64_t spent_us);
/// The fetch reply (query/plan/hits.h), with u8 timed_out at byte 12 of its header.
std::vector<uint8_t> encode_timed_fetch(const TimedFetch& fetched);

}  // namespace quarry
