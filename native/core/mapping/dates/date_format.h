// Date formats of mappings and requests: Elasticsearch's built-in names and java.time patterns,
// joined by ||. Compiled once; parses to and prints from milliseconds since the epoch.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"
#include "mapping/dates/date_pattern.h"
#include "mapping/dates/time_zone.h"

namespace quarry {

inline constexpr std::string_view kDefaultDateFormat = "strict_date_optional_time||epoch_millis";
inline constexpr std::string_view kDefaultNanosFormat =
    "strict_date_optional_time_nanos||epoch_millis";

/// One alternative of a format: a name or a pattern. Immutable.
class DatePattern {
 public:
  /// `iso`: it takes what read_iso_date takes, and reads it as that does.
  DatePattern(DateItems items, bool iso) : items_(std::move(items)), iso_(iso) {}
  /// As read_date (mapping/dates/date_reader.h).
  std::optional<int64_t> parse(std::string_view text, const TimeZone* zone, bool round_up,
                               int32_t& below_ms) const;
  std::string format(int64_t ms, const TimeZone* zone, int32_t below_ms) const;

 private:
  DateItems items_;
  bool iso_;
};

/// Immutable, thread-safe.
class DateFormats {
 public:
  /// "a||b||c"; illegal_argument_exception "Invalid format: [x]: …".
  static Result<std::shared_ptr<const DateFormats>> compile(std::string_view formats);

  /// The first alternative that takes all of `text`; nothing when none does. `below_ms`, where
  /// asked for: the nanoseconds behind the millisecond.
  std::optional<int64_t> parse(std::string_view text, const TimeZone* zone = nullptr,
                               bool round_up = false, int32_t* below_ms = nullptr) const;
  /// By the first alternative; in `zone` (null: UTC).
  std::string format(int64_t ms, const TimeZone* zone = nullptr, int32_t below_ms = 0) const {
    return patterns_.front().format(ms, zone, below_ms);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::vector<DatePattern> patterns_;
};

}  // namespace quarry
