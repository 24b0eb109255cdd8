// Reads the parts that a string names, then computes the moment from them.
#include "mapping/dates/date_reader.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <memory>
#include <span>

#include "base/ascii.h"
#include "mapping/dates/calendar.h"
#include "mapping/dates/date_names.h"

namespace quarry {

namespace {

constexpr int32_t kNanosInMs = 1'000'000;

/// The parts read from a string.
struct Parts {
  std::array<int64_t, static_cast<size_t>(DateItem::Field::kCount)> values{};
  uint32_t known = 0;
  std::optional<int32_t> offset;
  std::shared_ptr<const TimeZone> zone;
  std::optional<int64_t> epoch_ms;
  std::optional<int32_t> epoch_below_ms;  // set where the string has decimals

  void set(DateItem::Field part, int64_t value) {
    values[static_cast<size_t>(part)] = value;
    known |= 1U << static_cast<unsigned>(part);
  }
  bool has(DateItem::Field part) const { return (known >> static_cast<unsigned>(part) & 1) != 0; }
  int64_t get(DateItem::Field part, int64_t otherwise) const {
    return has(part) ? values[static_cast<size_t>(part)] : otherwise;
  }
};

/// Reads a string by a list of items. As in java.time, an optional section that fails is skipped
/// and never tried again.
class Reader {
 public:
  Reader(const std::vector<DateItem>& items, std::string_view text) : items_(items), text_(text) {}

  bool read(Parts& parts) { return read_items(0, items_.size(), parts) && text_.empty(); }

 private:
  bool read_items(size_t first, size_t end, Parts& parts) {
    for (size_t i = first; i < end; ++i) {
      const DateItem& item = items_[i];
      if (item.kind != DateItem::Kind::kOptional) {
        if (!read_item(item, parts)) return false;
        continue;
      }
      const std::string_view before = text_;
      Parts tried = parts;
      if (read_items(i + 1, item.end, tried)) {
        parts = std::move(tried);
      } else {
        text_ = before;
      }
      i = item.end - 1;
    }
    return true;
  }

  bool read_item(const DateItem& item, Parts& parts) {
    switch (item.kind) {
      case DateItem::Kind::kLiteral:
        if (!text_.starts_with(item.text)) return false;
        text_.remove_prefix(item.text.size());
        return true;
      case DateItem::Kind::kNumber:
        return read_number(item.field, item.least, item.most, 0, parts);
      case DateItem::Kind::kYear:
        return read_year(item, parts);
      case DateItem::Kind::kShortYear:
        return read_number(item.field, 2, 2, 2000, parts);
      case DateItem::Kind::kFraction:
        return read_fraction(item, parts);
      case DateItem::Kind::kMonthName:
        return read_name(kMonths, item, parts);
      case DateItem::Kind::kWeekdayName:
        return read_name(kWeekdays, item, parts);
      case DateItem::Kind::kHalfDay:
        return read_half(parts);
      case DateItem::Kind::kZone:
        return read_zone(parts);
      case DateItem::Kind::kOffset:
        return read_offset(item, parts);
      case DateItem::Kind::kEpochMillis:
        return read_epoch(1, parts);
      case DateItem::Kind::kEpochSecond:
        return read_epoch(1000, parts);
      default:
        return false;
    }
  }

  size_t digits(size_t most) const {
    size_t count = 0;
    while (count < text_.size() && count < most && is_digit(text_[count])) ++count;
    return count;
  }

  bool read_number(DateItem::Field part, size_t least, size_t most, int64_t base, Parts& parts) {
    const size_t count = digits(most);
    if (count < least) return false;
    int64_t value = 0;
    std::from_chars(text_.data(), text_.data() + count, value);
    text_.remove_prefix(count);
    // The same part may occur twice (a date with both "yyyy" and "yy"); both must then agree.
    if (parts.has(part) && parts.get(part, 0) != base + value) return false;
    parts.set(part, base + value);
    return true;
  }

  bool read_year(const DateItem& item, Parts& parts) {
    const bool negative = text_.starts_with('-');
    if (!negative && !text_.starts_with('+'))
      return read_number(item.field, item.least, item.most, 0, parts);
    const size_t most = negative ? item.below_zero : 9;
    text_.remove_prefix(1);
    if (most == 0 || !read_number(item.field, item.least, most, 0, parts)) return false;
    if (negative) parts.set(item.field, -parts.get(item.field, 0));
    return true;
  }

  bool read_fraction(const DateItem& item, Parts& parts) {
    const size_t count = digits(item.most);
    if (count < item.least) return false;
    int64_t nanos = 0;
    std::from_chars(text_.data(), text_.data() + count, nanos);
    for (size_t i = count; i < 9; ++i) nanos *= 10;
    text_.remove_prefix(count);
    parts.set(DateItem::Field::kNano, nanos);
    return true;
  }

  bool read_name(std::span<const std::string_view> names, const DateItem& item, Parts& parts) {
    for (size_t i = 0; i < names.size(); ++i) {
      const std::string_view name = item.most == 3 ? names[i].substr(0, 3) : names[i];
      if (!text_.starts_with(name)) continue;
      text_.remove_prefix(name.size());
      parts.set(item.field, static_cast<int64_t>(i + 1));
      return true;
    }
    return false;
  }

  bool read_half(Parts& parts) {
    const std::string_view half = text_.substr(0, 2);
    if (half != "AM" && half != "PM" && half != "am" && half != "pm") return false;
    parts.set(DateItem::Field::kHalf, half[0] == 'P' || half[0] == 'p' ? 1 : 0);
    text_.remove_prefix(2);
    return true;
  }

  bool take_offset(size_t length, Parts& parts) {
    const std::optional<int32_t> offset = TimeZone::parse_offset(text_.substr(0, length));
    if (!offset || length > text_.size()) return false;
    parts.offset = *offset;
    text_.remove_prefix(length);
    return true;
  }

  bool read_offset(const DateItem& item, Parts& parts) {
    if (item.zero_z && text_.starts_with('Z')) return take_offset(1, parts);
    if (item.most == 3) return text_.size() > 3 && text_[3] == ':' && take_offset(6, parts);
    const bool minutes = text_.size() >= 5 && is_digit(text_[3]) && is_digit(text_[4]);
    if (minutes) return take_offset(5, parts);
    return item.most == 1 && take_offset(3, parts);
  }

  /// Reads an offset with or without minutes and seconds, Z, or the name of a zone.
  bool read_zone(Parts& parts) {
    if (text_.starts_with('+') || text_.starts_with('-')) {
      for (const size_t length : {9, 7, 6, 5, 3}) {
        if (take_offset(length, parts)) return true;
      }
      return false;
    }
    const auto end = std::find_if(text_.begin(), text_.end(), [](unsigned char c) {
      return std::isalnum(c) == 0 && c != '/' && c != '_' && c != '-' && c != '+' && c != ':';
    });
    const std::string_view name = text_.substr(0, static_cast<size_t>(end - text_.begin()));
    if (name == "Z") return take_offset(1, parts);
    if (name.size() < 2) return false;
    Result<std::shared_ptr<const TimeZone>> zone = TimeZone::find(name);
    if (!zone.ok()) return false;
    parts.zone = std::move(zone).value();
    text_.remove_prefix(name.size());
    return true;
  }

  /// Reads a count of milliseconds or seconds, with or without decimals. Digits below a nanosecond
  /// are rounded down.
  bool read_epoch(int64_t ms_per_unit, Parts& parts) {
    const bool negative = text_.starts_with('-');
    if (negative) text_.remove_prefix(1);
    const size_t count = digits(19);
    int64_t whole = 0;
    const auto [at, error] = std::from_chars(text_.data(), text_.data() + count, whole);
    if (count == 0 || error != std::errc() || whole > INT64_MAX / (4 * ms_per_unit)) return false;
    text_.remove_prefix(count);
    int64_t ms = whole * ms_per_unit;
    int64_t below = 0;  // nanoseconds
    if (text_.starts_with('.')) {
      text_.remove_prefix(1);
      const size_t decimals = digits(9);
      int64_t nanos = 0;
      std::from_chars(text_.data(), text_.data() + decimals, nanos);
      for (size_t i = decimals; i < 9; ++i) nanos *= 10;
      text_.remove_prefix(decimals);
      const int64_t part = nanos * ms_per_unit;
      ms += part / 1'000'000'000;
      below = part % 1'000'000'000 / 1000;
      // Digits below a nanosecond still make a moment before the epoch an earlier one.
      if (negative && below == 0 && part % 1'000'000'000 != 0) below = 1;
      parts.epoch_below_ms =
          static_cast<int32_t>(negative && below > 0 ? kNanosInMs - below : below);
    }
    parts.epoch_ms = negative ? -ms - (below == 0 ? 0 : 1) : ms;
    return true;
  }

  const std::vector<DateItem>& items_;
  std::string_view text_;
};

/// Days since the epoch; empty for a date that does not exist.
std::optional<int64_t> resolve_day(const Parts& parts) {
  if (parts.has(DateItem::Field::kWeekYear) && !parts.has(DateItem::Field::kYear)) {
    const int64_t year = parts.get(DateItem::Field::kWeekYear, 1970);
    const int64_t week = parts.get(DateItem::Field::kWeek, 1);
    const int64_t weekday = parts.get(DateItem::Field::kWeekday, 1);
    if (std::abs(year) > kMaxYear || week < 1 || weekday < 1 || weekday > 7) return std::nullopt;
    const int64_t start = iso_year_start(year) + (week - 1) * 7;
    if (start >= iso_year_start(year + 1)) return std::nullopt;
    return start + weekday - 1;
  }
  const int64_t year = parts.get(DateItem::Field::kYear, 1970);
  if (std::abs(year) > kMaxYear) return std::nullopt;
  if (parts.has(DateItem::Field::kDayOfYear)) {
    const int64_t day = parts.get(DateItem::Field::kDayOfYear, 1);
    if (day < 1 || day > (is_leap_year(year) ? 366 : 365)) return std::nullopt;
    return days_from_civil({year, 1, 1}) + day - 1;
  }
  const auto month = static_cast<int32_t>(parts.get(DateItem::Field::kMonth, 1));
  const auto day = static_cast<int32_t>(parts.get(DateItem::Field::kDay, 1));
  if (month < 1 || month > 12 || day < 1 || day > days_in_month(year, month)) return std::nullopt;
  const int64_t days = days_from_civil({year, month, day});
  const bool wrong_weekday = parts.has(DateItem::Field::kWeekday) &&
                             parts.get(DateItem::Field::kWeekday, 0) != iso_weekday(days);
  return wrong_weekday ? std::nullopt : std::optional(days);
}

/// Hour 0 to 23; `otherwise` when the string names no hour.
std::optional<int64_t> resolve_hour(const Parts& parts, int64_t otherwise) {
  const auto within = [](int64_t value, int64_t low, int64_t high) {
    return value >= low && value <= high;
  };
  const int64_t half = 12 * parts.get(DateItem::Field::kHalf, 0);
  int64_t hour = otherwise;
  bool ok = true;
  if (parts.has(DateItem::Field::kHour)) {
    hour = parts.get(DateItem::Field::kHour, 0);
    ok = within(hour, 0, 23);
  } else if (parts.has(DateItem::Field::kClockHour)) {
    hour = parts.get(DateItem::Field::kClockHour, 0) % 24;
    ok = within(parts.get(DateItem::Field::kClockHour, 0), 1, 24);
  } else if (parts.has(DateItem::Field::kHalfHour)) {
    hour = parts.get(DateItem::Field::kHalfHour, 0) + half;
    ok = within(parts.get(DateItem::Field::kHalfHour, 0), 0, 11);
  } else if (parts.has(DateItem::Field::kClockHalfHour)) {
    hour = parts.get(DateItem::Field::kClockHalfHour, 0) % 12 + half;
    ok = within(parts.get(DateItem::Field::kClockHalfHour, 0), 1, 12);
  }
  return ok ? std::optional(hour) : std::nullopt;
}

/// Nanoseconds after the millisecond.
int32_t resolve_below_ms(const Parts& parts, bool round_up) {
  if (parts.epoch_ms) {
    return parts.epoch_below_ms.value_or(round_up ? int32_t{kNanosInMs} - 1 : 0);
  }
  if (parts.has(DateItem::Field::kMilliOfDay)) return 0;
  return static_cast<int32_t>(parts.get(DateItem::Field::kNano, round_up ? 999'999'999 : 0) %
                              kNanosInMs);
}

/// Milliseconds since midnight; empty for a time that does not exist.
std::optional<int64_t> resolve_time(const Parts& parts, bool round_up) {
  if (parts.has(DateItem::Field::kMilliOfDay)) {
    const int64_t ms = parts.get(DateItem::Field::kMilliOfDay, 0);
    return ms < kMsPerDay ? std::optional(ms) : std::nullopt;
  }
  const std::optional<int64_t> hour = resolve_hour(parts, round_up ? 23 : 0);
  const int64_t minute = parts.get(DateItem::Field::kMinute, round_up ? 59 : 0);
  const int64_t second = parts.get(DateItem::Field::kSecond, round_up ? 59 : 0);
  const int64_t nano = parts.get(DateItem::Field::kNano, round_up ? 999'999'999 : 0);
  if (!hour || minute > 59 || second > 59) return std::nullopt;
  return *hour * kMsPerHour + minute * kMsPerMinute + second * kMsPerSecond + nano / 1'000'000;
}

}  // namespace

std::optional<int64_t> read_date(const std::vector<DateItem>& items, std::string_view text,
                                 const TimeZone* zone, bool round_up, int32_t& below_ms) {
  Parts parts;
  if (!Reader(items, text).read(parts)) return std::nullopt;
  below_ms = resolve_below_ms(parts, round_up);
  if (parts.epoch_ms) return parts.epoch_ms;
  const std::optional<int64_t> day = resolve_day(parts);
  const std::optional<int64_t> time = resolve_time(parts, round_up);
  if (!day || !time) return std::nullopt;
  const int64_t local = *day * kMsPerDay + *time;
  if (parts.offset) return local - int64_t{1000} * *parts.offset;
  if (parts.zone != nullptr) zone = parts.zone.get();
  return zone == nullptr ? local : zone->to_utc(local);
}

}  // namespace quarry
