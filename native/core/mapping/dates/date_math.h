// Date math of requests: "now-1d/d", "2024-01-01||+1M/d", or a plain date in some format.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/status.h"
#include "mapping/dates/date_format.h"
#include "mapping/dates/time_zone.h"

namespace quarry {

/// Milliseconds of `text`. Rounding (/d) goes to the unit's first millisecond, or with `round_up`
/// to its last; a plain date with `round_up` has its missing time parts at their largest. `zone`
/// (null: UTC) is for dates that name none, and for rounding. `below_ms`, where asked for: the
/// nanoseconds behind the millisecond. parse_exception names the text and the formats, or the
/// operator or unit that is unknown.
Result<int64_t> parse_date_math(std::string_view text, const DateFormats& formats,
                                const TimeZone* zone, bool round_up, int64_t now_ms,
                                int32_t* below_ms = nullptr);

/// The calendar units, as date math and date histograms name them.
enum class DateUnit : uint8_t { kYear, kQuarter, kMonth, kWeek, kDay, kHour, kMinute, kSecond };

/// The start of the unit that a local time lies in. Weeks start on Monday.
int64_t local_start(int64_t local_ms, DateUnit unit);
/// Milliseconds of units that are always as long: hours, minutes, seconds; of a day for others.
int64_t unit_ms(DateUnit unit);
/// The start of the unit that `utc_ms` lies in, by the clock of `zone` (null: UTC).
int64_t round_down(int64_t utc_ms, DateUnit unit, const TimeZone* zone);
/// `count` units later by the clock of `zone`; a day that its month lacks becomes the month's last.
int64_t add_units(int64_t utc_ms, DateUnit unit, int64_t count, const TimeZone* zone);

}  // namespace quarry
