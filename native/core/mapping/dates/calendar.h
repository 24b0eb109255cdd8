// The proleptic Gregorian calendar of ISO 8601 in days since 1970-01-01. Algorithms: Howard
// Hinnant, "chrono-Compatible Low-Level Date Algorithms".
#pragma once

#include <cstdint>

namespace quarry {

inline constexpr int64_t kMsPerSecond = 1000;
inline constexpr int64_t kMsPerMinute = 60 * kMsPerSecond;
inline constexpr int64_t kMsPerHour = 60 * kMsPerMinute;
inline constexpr int64_t kMsPerDay = 24 * kMsPerHour;
/// The largest year that int64 milliseconds can hold with room left for time zones and date math.
inline constexpr int64_t kMaxYear = 290'000'000;
/// The largest moment in milliseconds, with the same room left.
inline constexpr int64_t kMaxMoment = 9'200'000'000'000'000'000;

struct CivilDate {
  int64_t year = 1970;
  int32_t month = 1;  // 1 .. 12
  int32_t day = 1;    // 1 .. 31
};

constexpr bool is_leap_year(int64_t year) {
  return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

constexpr int32_t days_in_month(int64_t year, int32_t month) {
  constexpr int32_t kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return month == 2 && is_leap_year(year) ? 29 : kDays[month - 1];
}

/// Division that rounds towards minus infinity, and its remainder, which is never negative for a
/// positive divisor.
constexpr int64_t floor_div(int64_t value, int64_t by) {
  return value / by - (value % by != 0 && (value < 0) != (by < 0) ? 1 : 0);
}
constexpr int64_t floor_mod(int64_t value, int64_t by) { return value - floor_div(value, by) * by; }

constexpr int64_t days_from_civil(const CivilDate& date) {
  const int64_t year = date.year - (date.month <= 2 ? 1 : 0);
  const int64_t era = floor_div(year, 400);
  const int64_t year_of_era = year - era * 400;
  const int64_t shifted = date.month + (date.month > 2 ? -3 : 9);
  const int64_t day_of_year = (153 * shifted + 2) / 5 + date.day - 1;
  const int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146097 + day_of_era - 719468;
}

constexpr CivilDate civil_from_days(int64_t days) {
  const int64_t shifted = days + 719468;
  const int64_t era = floor_div(shifted, 146097);
  const int64_t day_of_era = shifted - era * 146097;
  const int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const int64_t day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const int64_t month_index = (5 * day_of_year + 2) / 153;
  const auto day = static_cast<int32_t>(day_of_year - (153 * month_index + 2) / 5 + 1);
  const auto month = static_cast<int32_t>(month_index < 10 ? month_index + 3 : month_index - 9);
  return {year_of_era + era * 400 + (month <= 2 ? 1 : 0), month, day};
}

/// 1 (Monday) to 7 (Sunday).
constexpr int32_t iso_weekday(int64_t days) {
  return static_cast<int32_t>(floor_mod(days + 3, 7)) + 1;
}

constexpr int32_t day_of_year(const CivilDate& date) {
  return static_cast<int32_t>(days_from_civil(date) - days_from_civil({date.year, 1, 1})) + 1;
}

/// The Monday of week 1 of an ISO week-based year, which is the week that contains 4 January.
constexpr int64_t iso_year_start(int64_t week_year) {
  const int64_t fourth = days_from_civil({week_year, 1, 4});
  return fourth - (iso_weekday(fourth) - 1);
}

struct IsoWeek {
  int64_t year = 1970;
  int32_t week = 1;
};
constexpr IsoWeek iso_week(int64_t days) {
  int64_t year = civil_from_days(days).year;
  if (days >= iso_year_start(year + 1)) {
    ++year;
  } else if (days < iso_year_start(year)) {
    --year;
  }
  return {year, static_cast<int32_t>((days - iso_year_start(year)) / 7) + 1};
}

}  // namespace quarry
