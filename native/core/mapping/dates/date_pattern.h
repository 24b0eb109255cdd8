// The items of a date format: a list made from a java.time pattern or from one of Elasticsearch's
// built-in names. date_format.h reads and prints dates with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace quarry {

/// One item of a pattern.
struct DateItem {
  enum class Kind : uint8_t {
    kLiteral,    // `text`
    kOptional,   // the items up to `end` may be absent
    kNumber,     // `field` in `least` to `most` digits
    kYear,       // digits like kNumber, a + and up to 9 of them, or a - and up to `below_zero`
    kShortYear,  // two digits, 2000 to 2099
    kFraction,   // decimals of a second, `least` to `most`; printed with `print` of them, 0: with 3
                 // and as many of 9 as are not zero
    kMonthName,  // short when `most` is 3
    kWeekdayName,
    kHalfDay,  // AM or PM
    kZone,     // an offset in any spelling, Z, or a zone name; printed as kOffset
    kOffset,   // +01:00 with Z for 0; `most`: 1 +01, 2 +0100, 3 +01:00; `zero_z`: whether 0 prints
               // as Z
    kEpochMillis,
    kEpochSecond,
  };
  enum class Field : uint8_t {
    kYear,
    kMonth,
    kDay,
    kDayOfYear,
    kWeekYear,
    kWeek,
    kWeekday,
    kHour,
    kClockHour,
    kHalfHour,
    kClockHalfHour,
    kMinute,
    kSecond,
    kNano,
    kMilliOfDay,
    kHalf,
    kCount
  };

  Kind kind = Kind::kLiteral;
  Field field = Field::kYear;
  uint8_t least = 1;
  uint8_t most = 1;
  uint8_t print = 1;
  uint8_t below_zero = 0;
  bool zero_z = true;
  size_t end = 0;
  std::string text = {};
};

struct DateItems {
  std::vector<DateItem> parsed;
  std::vector<DateItem> printed;
};

/// Compiles a built-in name or a pattern. The error is illegal_argument_exception "Invalid format:
/// [x]: …" for an unknown letter, an open quote or bracket, and for letters that are not supported
/// (era, quarter, week of month).
Result<DateItems> compile_date_pattern(std::string_view name_or_pattern);

}  // namespace quarry
