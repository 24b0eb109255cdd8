// Reads date math and moves moments by calendar units.
#include "mapping/dates/date_math.h"

#include <algorithm>
#include <optional>
#include <string>

#include "mapping/dates/calendar.h"

namespace quarry {

namespace {

int64_t to_local(int64_t utc_ms, const TimeZone* zone) {
  return zone == nullptr ? utc_ms : zone->to_local(utc_ms);
}
int64_t to_utc(int64_t local_ms, const TimeZone* zone) {
  return zone == nullptr ? local_ms : zone->to_utc(local_ms);
}

std::optional<DateUnit> parse_unit(char c) {
  switch (c) {
    case 'y':
      return DateUnit::kYear;
    case 'M':
      return DateUnit::kMonth;
    case 'w':
      return DateUnit::kWeek;
    case 'd':
      return DateUnit::kDay;
    case 'h':
    case 'H':
      return DateUnit::kHour;
    case 'm':
      return DateUnit::kMinute;
    case 's':
      return DateUnit::kSecond;
    default:
      return std::nullopt;
  }
}

/// The first day, in days since the epoch, of the unit that contains `day`, for units of whole
/// days.
int64_t unit_start(int64_t day, DateUnit unit) {
  CivilDate date = civil_from_days(day);
  switch (unit) {
    case DateUnit::kYear:
      return days_from_civil({date.year, 1, 1});
    case DateUnit::kQuarter:
      return days_from_civil({date.year, (date.month - 1) / 3 * 3 + 1, 1});
    case DateUnit::kMonth:
      return days_from_civil({date.year, date.month, 1});
    case DateUnit::kWeek:
      return day - (iso_weekday(day) - 1);
    default:
      return day;
  }
}

int64_t add_months(int64_t local_ms, int64_t count) {
  const int64_t day = floor_div(local_ms, kMsPerDay);
  CivilDate date = civil_from_days(day);
  const int64_t months = date.year * 12 + date.month - 1 + count;
  date.year = std::clamp(floor_div(months, 12), -kMaxYear, kMaxYear);
  date.month = static_cast<int32_t>(floor_mod(months, 12)) + 1;
  date.day = std::min(date.day, days_in_month(date.year, date.month));
  return days_from_civil(date) * kMsPerDay + (local_ms - day * kMsPerDay);
}

Status math_error(std::string_view what, std::string_view math) {
  return {ErrorType::kParse, std::string(what) + " [" + std::string(math) + "]"};
}

constexpr int64_t kMaxCount = 1'000'000'000;
constexpr int64_t kMaxMs = int64_t{1} << 61;

/// Applies "+1M/d" to `ms` and to `below_ms`, the nanoseconds after it.
Result<int64_t> apply_math(std::string_view math, int64_t ms, const TimeZone* zone, bool round_up,
                           int32_t& below_ms) {
  size_t at = 0;
  while (at < math.size()) {
    const char op = math[at++];
    if (op != '/' && op != '+' && op != '-')
      return math_error("operator not supported for date math", math);
    int64_t count = 1;
    const size_t first = at;
    if (at < math.size() && math[at] >= '0' && math[at] <= '9') {
      count = 0;
      while (at < math.size() && math[at] >= '0' && math[at] <= '9') {
        count = std::min(count * 10 + (math[at++] - '0'), kMaxCount);
      }
    }
    if (at >= math.size()) return math_error("truncated date math", math);
    if (op == '/' && at > first && count != 1) {
      return math_error("rounding `/` can only be used on single unit types", math);
    }
    const std::optional<DateUnit> unit = parse_unit(math[at]);
    if (!unit) {
      return math_error("unit [" + std::string(1, math[at]) + "] not supported for date math",
                        math);
    }
    ++at;
    if (op != '/') {
      ms = add_units(ms, *unit, op == '+' ? count : -count, zone);
    } else {
      ms = round_down(ms, *unit, zone);
      if (round_up) ms = add_units(ms, *unit, 1, zone) - 1;
      below_ms = round_up ? 999'999 : 0;
    }
    ms = std::clamp(ms, -kMaxMs, kMaxMs);
  }
  return ms;
}

Result<int64_t> parse_one_date(std::string_view text, const DateFormats& formats,
                               const TimeZone* zone, bool round_up, int32_t& below_ms) {
  if (const std::optional<int64_t> ms = formats.parse(text, zone, round_up, &below_ms)) return *ms;
  return Status(ErrorType::kParse, "failed to parse date field [" + std::string(text) +
                                       "] with format [" + formats.text() + "]");
}

}  // namespace

int64_t unit_ms(DateUnit unit) {
  switch (unit) {
    case DateUnit::kHour:
      return kMsPerHour;
    case DateUnit::kMinute:
      return kMsPerMinute;
    case DateUnit::kSecond:
      return kMsPerSecond;
    default:
      return kMsPerDay;
  }
}

int64_t local_start(int64_t local_ms, DateUnit unit) {
  if (unit == DateUnit::kHour || unit == DateUnit::kMinute || unit == DateUnit::kSecond) {
    return local_ms - floor_mod(local_ms, unit_ms(unit));
  }
  return unit_start(floor_div(local_ms, kMsPerDay), unit) * kMsPerDay;
}

int64_t round_down(int64_t utc_ms, DateUnit unit, const TimeZone* zone) {
  const int64_t local = to_local(utc_ms, zone);
  if (unit == DateUnit::kHour || unit == DateUnit::kMinute || unit == DateUnit::kSecond) {
    // An offset may not be a whole number of units, but the moment keeps its offset: where clocks
    // go back, rounding must not move it to the hour before.
    return utc_ms - floor_mod(local, unit_ms(unit));
  }
  return to_utc(local_start(local, unit), zone);
}

int64_t add_units(int64_t utc_ms, DateUnit unit, int64_t count, const TimeZone* zone) {
  switch (unit) {
    case DateUnit::kHour:
    case DateUnit::kMinute:
    case DateUnit::kSecond:
      return std::clamp(utc_ms, -kMaxMs, kMaxMs) + count * unit_ms(unit);
    case DateUnit::kWeek:
      return to_utc(to_local(utc_ms, zone) + count * 7 * kMsPerDay, zone);
    case DateUnit::kDay:
      return to_utc(to_local(utc_ms, zone) + count * kMsPerDay, zone);
    case DateUnit::kMonth:
      return to_utc(add_months(to_local(utc_ms, zone), count), zone);
    case DateUnit::kQuarter:
      return to_utc(add_months(to_local(utc_ms, zone), count * 3), zone);
    case DateUnit::kYear:
      return to_utc(add_months(to_local(utc_ms, zone), count * 12), zone);
  }
  return utc_ms;
}

Result<int64_t> parse_date_math(std::string_view text, const DateFormats& formats,
                                const TimeZone* zone, bool round_up, int64_t now_ms,
                                int32_t* below_ms) {
  int32_t unused = 0;
  int32_t& nanos = below_ms == nullptr ? unused : *below_ms;
  nanos = 0;
  if (text.starts_with("now")) return apply_math(text.substr(3), now_ms, zone, round_up, nanos);
  const size_t bars = text.find("||");
  if (bars == std::string_view::npos) return parse_one_date(text, formats, zone, round_up, nanos);
  QUARRY_ASSIGN_OR_RETURN(const int64_t ms,
                          parse_one_date(text.substr(0, bars), formats, zone, false, nanos));
  return apply_math(text.substr(bars + 2), ms, zone, round_up, nanos);
}

}  // namespace quarry
