// Date formats of mappings and requests: Elasticsearch's built-in names and java.time patterns,
// joined by ||. A format is compiled once, parses to milliseconds since the epoch and prints from
// them.
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
  /// `iso`: the pattern accepts everything that read_iso_date accepts, with the same result.
  DatePattern(DateItems items, bool iso) : items_(std::move(items)), iso_(iso) {}
  /// The contract is that of read_date (mapping/dates/date_reader.h).
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
  /// Compiles "a||b||c". The error is illegal_argument_exception "Invalid format: [x]: …".
  static Result<std::shared_ptr<const DateFormats>> compile(std::string_view formats);

  /// Parses with the first alternative that takes all of `text`; empty when none does. `below_ms`,
  /// if not null, receives the nanoseconds after the millisecond.
  std::optional<int64_t> parse(std::string_view text, const TimeZone* zone = nullptr,
                               bool round_up = false, int32_t* below_ms = nullptr) const;
  /// Prints with the first alternative, in `zone` (null: UTC).
  std::string format(int64_t ms, const TimeZone* zone = nullptr, int32_t below_ms = 0) const {
    return patterns_.front().format(ms, zone, below_ms);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::vector<DatePattern> patterns_;
};

}  // namespace quarry
