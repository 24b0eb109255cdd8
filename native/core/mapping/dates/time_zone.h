// Time zones: fixed offsets, and IANA zones read from the system's TZif files (RFC 8536). A machine
// without /usr/share/zoneinfo supports UTC and offsets only and returns an error for other names.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/coding.h"
#include "base/status.h"

namespace quarry {

/// A moment at which the offset from UTC changes. Offsets are in seconds east of UTC.
struct OffsetChange {
  int64_t at_ms = 0;
  int32_t before = 0;  // up to at_ms
  int32_t after = 0;   // from at_ms on
};

/// A time zone. Immutable, thread-safe. All times are milliseconds: UTC times since the epoch,
/// local times as if local time were UTC.
class TimeZone {
 public:
  /// Finds "Z", "UTC", "GMT", "+01:00", "-0530", "+2", "UTC+1", "Europe/Paris". The error for other
  /// names is illegal_argument_exception.
  static Result<std::shared_ptr<const TimeZone>> find(std::string_view name);
  static TimeZone fixed(int32_t offset_seconds);
  /// Reads the content of a TZif file; any bytes are safe.
  static Result<TimeZone> read_tzif(Bytes file);
  /// Seconds of "+01:00", "+0100", "+01", "+1", "+01:00:30" or "Z"; empty for other strings.
  static std::optional<int32_t> parse_offset(std::string_view text) noexcept;

  bool is_fixed() const { return transitions_.empty() && !rule_.has_daylight; }
  /// Seconds east of UTC at a moment.
  int32_t offset_at(int64_t utc_ms) const;
  int64_t to_local(int64_t utc_ms) const { return utc_ms + int64_t{1000} * offset_at(utc_ms); }
  /// Where clocks go back, the earlier of the two moments. Where they skip, a moment after the gap,
  /// by the distance of the local time from the start of the gap.
  int64_t to_utc(int64_t local_ms) const;
  /// Seconds east of UTC before the first change.
  int32_t first_offset() const { return first_offset_; }
  /// The latest change at or before a moment; empty before the first change.
  std::optional<OffsetChange> last_change(int64_t utc_ms) const;
  /// Whether, within (low_ms, high_ms], clocks go back from one day into the day before, so that
  /// two separate intervals of time belong to the same day.
  bool repeats_days(int64_t low_ms, int64_t high_ms) const;

 private:
  /// One half of a POSIX rule: the `week`th (5: last) `weekday` (0: Sunday) of `month`, at
  /// `seconds` local time.
  struct Change {
    int32_t month = 1;
    int32_t week = 1;
    int32_t weekday = 0;
    int32_t seconds = 7200;
  };
  /// The rule that applies after the last transition.
  struct Rule {
    int32_t standard = 0;
    int32_t daylight = 0;
    bool has_daylight = false;
    Change to_daylight;
    Change to_standard;
  };
  struct Transition {
    int64_t at;  // UTC seconds
    int32_t offset;
  };

  static bool parse_rule(std::string_view text, Rule& rule);
  static bool parse_change(std::string_view& text, Change& change);
  static int64_t change_day(const Change& change, int64_t year);
  int32_t rule_offset(int64_t utc_seconds) const;
  /// The two changes of the rule in a year.
  std::array<OffsetChange, 2> rule_changes(int64_t year) const;
  std::optional<OffsetChange> last_rule_change(int64_t utc_ms) const;

  int32_t first_offset_ = 0;
  std::vector<Transition> transitions_;
  Rule rule_;
};

}  // namespace quarry
