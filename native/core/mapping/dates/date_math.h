// Date math of requests: "now-1d/d", "2024-01-01||+1M/d", or a plain date in some format.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/status.h"
#include "mapping/dates/date_format.h"
#include "mapping/dates/time_zone.h"

namespace quarry {

/// Returns `text` in milliseconds since the epoch. Rounding (/d) goes to the unit's first
/// millisecond, or with `round_up` to its last; a plain date with `round_up` has its missing time
/// parts at their largest. `zone` (null: UTC) applies to dates that name none, and to rounding.
/// `below_ms`, if not null, receives the nanoseconds after the millisecond. The error is
/// parse_exception, which names the text and the formats, or the unknown operator or unit.
Result<int64_t> parse_date_math(std::string_view text, const DateFormats& formats,
                                const TimeZone* zone, bool round_up, int64_t now_ms,
                                int32_t* below_ms = nullptr);

/// The calendar units of date math and date histograms.
enum class DateUnit : uint8_t { kYear, kQuarter, kMonth, kWeek, kDay, kHour, kMinute, kSecond };

/// The start of the unit that contains a local time. Weeks start on Monday.
int64_t local_start(int64_t local_ms, DateUnit unit);
/// Milliseconds of a unit of fixed length (hour, minute, second); those of a day for all other
/// units.
int64_t unit_ms(DateUnit unit);
/// The start of the unit that contains `utc_ms`, in the local time of `zone` (null: UTC).
int64_t round_down(int64_t utc_ms, DateUnit unit, const TimeZone* zone);
/// The moment `count` units later in the local time of `zone`. A day that the month does not have
/// becomes the last day of that month.
int64_t add_units(int64_t utc_ms, DateUnit unit, int64_t count, const TimeZone* zone);

}  // namespace quarry
