// Reads a date by the items of a pattern.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "mapping/dates/date_pattern.h"
#include "mapping/dates/time_zone.h"

namespace quarry {

/// Milliseconds since the epoch; empty when `items` do not match all of `text` or the date does not
/// exist. `zone` applies to strings that name none (null: UTC). `round_up` fills missing parts of
/// the time with their largest value; missing parts of the date always get their smallest.
/// `below_ms` is set to the nanoseconds after that millisecond.
std::optional<int64_t> read_date(const std::vector<DateItem>& items, std::string_view text,
                                 const TimeZone* zone, bool round_up, int32_t& below_ms);

}  // namespace quarry
