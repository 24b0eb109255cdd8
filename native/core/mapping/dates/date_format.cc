// Compiles lists of date formats and prints dates. Reading is in date_reader.cc.
#include "mapping/dates/date_format.h"

#include <algorithm>
#include <cmath>

#include "mapping/dates/calendar.h"
#include "mapping/dates/date_names.h"
#include "mapping/dates/date_reader.h"
#include "mapping/dates/iso_date.h"

namespace quarry {

namespace {

/// Prints the local time `ms` and `below_ms`, the nanoseconds after that millisecond.
class Printer {
 public:
  Printer(int64_t utc_ms, const TimeZone* zone, int32_t below_ms)
      : below_ms_(below_ms),
        utc_ms_(std::clamp(utc_ms, -kMaxMoment, kMaxMoment)),
        offset_(zone == nullptr ? 0 : zone->offset_at(utc_ms_)) {
    const int64_t local = utc_ms_ + int64_t{1000} * offset_;
    days_ = floor_div(local, kMsPerDay);
    time_ = local - days_ * kMsPerDay;
    date_ = civil_from_days(days_);
  }

  std::string print(const std::vector<DateItem>& items) {
    for (const DateItem& item : items) print_item(item);
    return std::move(out_);
  }

 private:
  void print_item(const DateItem& item) {
    switch (item.kind) {
      case DateItem::Kind::kLiteral:
        out_ += item.text;
        break;
      case DateItem::Kind::kNumber:
        print_number(value(item.field), item.print);
        break;
      case DateItem::Kind::kYear:
        print_year(value(item.field), item.print);
        break;
      case DateItem::Kind::kShortYear:
        print_number(floor_mod(value(item.field), 100), 2);
        break;
      case DateItem::Kind::kFraction:
        print_fraction(item.print);
        break;
      case DateItem::Kind::kMonthName:
        out_ += kMonths[date_.month - 1].substr(0, item.most == 3 ? 3 : std::string_view::npos);
        break;
      case DateItem::Kind::kWeekdayName:
        out_ += kWeekdays[iso_weekday(days_) - 1].substr(
            0, item.most == 3 ? 3 : std::string_view::npos);
        break;
      case DateItem::Kind::kHalfDay:
        out_ += time_ < kMsPerDay / 2 ? "AM" : "PM";
        break;
      case DateItem::Kind::kZone:
        print_offset(3, true);
        break;
      case DateItem::Kind::kOffset:
        print_offset(item.most, item.zero_z);
        break;
      case DateItem::Kind::kEpochMillis:
        print_epoch_millis();
        break;
      case DateItem::Kind::kEpochSecond:
        print_epoch_second();
        break;
      case DateItem::Kind::kOptional:
        break;  // the items of the section follow and are all printed
    }
  }

  int64_t value(DateItem::Field part) const {
    const int64_t hour = time_ / kMsPerHour;
    switch (part) {
      case DateItem::Field::kYear:
        return date_.year;
      case DateItem::Field::kMonth:
        return date_.month;
      case DateItem::Field::kDay:
        return date_.day;
      case DateItem::Field::kDayOfYear:
        return day_of_year(date_);
      case DateItem::Field::kWeekYear:
        return iso_week(days_).year;
      case DateItem::Field::kWeek:
        return iso_week(days_).week;
      case DateItem::Field::kWeekday:
        return iso_weekday(days_);
      case DateItem::Field::kHour:
        return hour;
      case DateItem::Field::kClockHour:
        return hour == 0 ? 24 : hour;
      case DateItem::Field::kHalfHour:
        return hour % 12;
      case DateItem::Field::kClockHalfHour:
        return hour % 12 == 0 ? 12 : hour % 12;
      case DateItem::Field::kMinute:
        return time_ / kMsPerMinute % 60;
      case DateItem::Field::kSecond:
        return time_ / kMsPerSecond % 60;
      case DateItem::Field::kNano:
        return time_ % kMsPerSecond * 1'000'000 + below_ms_;
      default:
        return time_;
    }
  }

  /// Years of more than four digits carry a sign, so that they can be parsed again.
  void print_year(int64_t year, size_t width) {
    if (year > 9999 && width == 4) out_ += '+';
    print_number(year, width);
  }

  void print_number(int64_t number, size_t width) {
    const std::string digits = std::to_string(std::abs(number));
    if (number < 0) out_ += '-';
    if (digits.size() < width) out_.append(width - digits.size(), '0');
    out_ += digits;
  }

  /// With `width` 0: milliseconds, and the nanoseconds after them up to the last digit that is not
  /// 0.
  void print_fraction(size_t width) {
    std::string digits = std::to_string(time_ % kMsPerSecond + kMsPerSecond).substr(1) +
                         std::to_string(below_ms_ + 1'000'000).substr(1);
    if (width == 0) {
      width = 9;
      while (width > 3 && digits[width - 1] == '0') --width;
    }
    out_ += digits.substr(0, width);
  }

  void print_offset(int form, bool zero_z) {
    if (offset_ == 0 && zero_z) {
      out_ += 'Z';
      return;
    }
    const int32_t minutes = std::abs(offset_) / 60;
    out_ += offset_ < 0 ? '-' : '+';
    print_number(minutes / 60, 2);
    if (form == 1 && minutes % 60 == 0) return;
    if (form == 3) out_ += ':';
    print_number(minutes % 60, 2);
  }

  /// Prints a decimal point and `decimals` without trailing zeros; nothing when all are zero.
  void print_decimals(std::string decimals) {
    while (!decimals.empty() && decimals.back() == '0') decimals.pop_back();
    if (!decimals.empty()) out_ += "." + decimals;
  }

  /// Only moments from 1970 on have nanoseconds.
  void print_epoch_millis() {
    out_ += std::to_string(utc_ms_);
    print_decimals(std::to_string(below_ms_ + 1'000'000).substr(1));
  }

  void print_epoch_second() {
    const int64_t ms = std::abs(utc_ms_);
    out_ += (utc_ms_ < 0 ? "-" : "") + std::to_string(ms / 1000);
    print_decimals(std::to_string(ms % 1000 + 1000).substr(1) +
                   std::to_string(below_ms_ + 1'000'000).substr(1));
  }

  int32_t below_ms_;
  int64_t utc_ms_;
  int32_t offset_;
  int64_t days_ = 0;
  int64_t time_ = 0;
  CivilDate date_;
  std::string out_;
};

/// The default formats, with and without strict_. All of them read a string with all parts in the
/// same way.
bool takes_iso(std::string_view format) {
  if (format.starts_with("strict_")) format.remove_prefix(7);
  return format == "date_optional_time" || format == "date_optional_time_nanos" ||
         format == "iso8601";
}

}  // namespace

std::optional<int64_t> DatePattern::parse(std::string_view text, const TimeZone* zone,
                                          bool round_up, int32_t& below_ms) const {
  if (iso_ && !round_up) {
    if (const std::optional<int64_t> ms = read_iso_date(text, below_ms)) return ms;
  }
  return read_date(items_.parsed, text, zone, round_up, below_ms);
}

std::string DatePattern::format(int64_t ms, const TimeZone* zone, int32_t below_ms) const {
  return Printer(ms, zone, below_ms).print(items_.printed);
}

Result<std::shared_ptr<const DateFormats>> DateFormats::compile(std::string_view formats) {
  auto compiled = std::make_shared<DateFormats>();
  compiled->text_ = formats;
  while (true) {
    const size_t bar = formats.find("||");
    const std::string_view format = formats.substr(0, bar);
    QUARRY_ASSIGN_OR_RETURN(DateItems items, compile_date_pattern(format));
    compiled->patterns_.emplace_back(std::move(items), takes_iso(format));
    if (bar == std::string_view::npos) break;
    formats.remove_prefix(bar + 2);
  }
  return std::shared_ptr<const DateFormats>(std::move(compiled));
}

std::optional<int64_t> DateFormats::parse(std::string_view text, const TimeZone* zone,
                                          bool round_up, int32_t* below_ms) const {
  int32_t nanos = 0;
  for (const DatePattern& pattern : patterns_) {
    const std::optional<int64_t> ms = pattern.parse(text, zone, round_up, nanos);
    if (!ms) continue;
    if (below_ms != nullptr) *below_ms = nanos;
    return ms;
  }
  return std::nullopt;
}

}  // namespace quarry
