#include "mapping/dates/iso_date.h"

#include "base/ascii.h"
#include "mapping/dates/calendar.h"

namespace quarry {
namespace {

constexpr std::string_view kShape = "dddd-dd-ddTdd:dd:dd";  // d: a digit
constexpr size_t kMostDecimals = 9;
constexpr size_t kOffsetBytes = 6;
constexpr int32_t kNanosInIsoMs = 1'000'000;

int32_t two(std::string_view text, size_t at) { return (text[at] - '0') * 10 + text[at + 1] - '0'; }

bool has_shape(std::string_view text) {
  for (size_t i = 0; i < kShape.size(); ++i) {
    if (kShape[i] == 'd' ? !is_digit(text[i]) : text[i] != kShape[i]) return false;
  }
  return true;
}

/// Milliseconds of "Z" or "+01:00". Empty for offsets of 18 hours (java.time's largest) and above,
/// which read_date handles.
std::optional<int64_t> offset_ms(std::string_view text) {
  if (text == "Z") return 0;
  if (text.size() != kOffsetBytes || (text[0] != '+' && text[0] != '-') || text[3] != ':') {
    return std::nullopt;
  }
  if (!is_digit(text[1]) || !is_digit(text[2]) || !is_digit(text[4]) || !is_digit(text[5])) {
    return std::nullopt;
  }
  const int32_t hours = two(text, 1);
  const int32_t minutes = two(text, 4);
  if (hours > 17 || minutes > 59) return std::nullopt;
  const int64_t ms = hours * kMsPerHour + minutes * kMsPerMinute;
  return text[0] == '-' ? -ms : ms;
}

}  // namespace

std::optional<int64_t> read_iso_date(std::string_view text, int32_t& below_ms) noexcept {
  if (text.size() <= kShape.size() || !has_shape(text)) return std::nullopt;
  const int64_t year = two(text, 0) * 100 + two(text, 2);
  const int32_t month = two(text, 5);
  const int32_t day = two(text, 8);
  const int32_t hour = two(text, 11);
  const int32_t minute = two(text, 14);
  const int32_t second = two(text, 17);
  if (month < 1 || month > 12 || day < 1 || day > days_in_month(year, month)) return std::nullopt;
  if (hour > 23 || minute > 59 || second > 59) return std::nullopt;
  size_t at = kShape.size();
  int32_t nanos = 0;
  if (text[at] == '.') {
    const size_t first = ++at;
    while (at < text.size() && at - first < kMostDecimals && is_digit(text[at])) {
      nanos = nanos * 10 + text[at++] - '0';
    }
    if (at == first) return std::nullopt;
    for (size_t i = at - first; i < kMostDecimals; ++i) nanos *= 10;
  }
  const std::optional<int64_t> offset = offset_ms(text.substr(at));
  if (!offset) return std::nullopt;
  below_ms = nanos % kNanosInIsoMs;
  const int64_t days = days_from_civil({year, month, day});
  return days * kMsPerDay + hour * kMsPerHour + minute * kMsPerMinute + second * kMsPerSecond +
         nanos / kNanosInIsoMs - *offset;
}

}  // namespace quarry
