// The built-in formats, and the compiler from patterns to items.
#include "mapping/dates/date_pattern.h"

#include <algorithm>
#include <iterator>
#include <optional>

namespace quarry {

namespace {

/// A built-in name. Two pattern characters are not from java.time: `f` is a fraction of 1 to 9
/// digits, `j` an offset or a zone. Every name also exists with the prefix strict_; without it,
/// numbers may be shorter than the pattern says.
struct Builtin {
  std::string_view name;
  std::string_view pattern;
  std::string_view print = {};  // empty: as `pattern`
};

constexpr std::string_view kOptionalTime = "yyyy[-MM[-dd['T'[HH[:mm[:ss[.f][,f]]]][j]]]]";
constexpr std::string_view kPrintedTime = "yyyy-MM-dd'T'HH:mm:ss.SSSXXX";

constexpr Builtin kBuiltins[] = {
    {"date_optional_time", kOptionalTime, kPrintedTime},
    {"date", "yyyy-MM-dd"},
    {"date_hour", "yyyy-MM-dd'T'HH"},
    {"date_hour_minute", "yyyy-MM-dd'T'HH:mm"},
    {"date_hour_minute_second", "yyyy-MM-dd'T'HH:mm:ss"},
    {"date_hour_minute_second_fraction", "yyyy-MM-dd'T'HH:mm:ss.f"},
    {"date_hour_minute_second_millis", "yyyy-MM-dd'T'HH:mm:ss.f"},
    {"date_time", "yyyy-MM-dd'T'HH:mm:ss.fj"},
    {"date_time_no_millis", "yyyy-MM-dd'T'HH:mm:ssj"},
    {"hour", "HH"},
    {"hour_minute", "HH:mm"},
    {"hour_minute_second", "HH:mm:ss"},
    {"hour_minute_second_fraction", "HH:mm:ss.f"},
    {"hour_minute_second_millis", "HH:mm:ss.f"},
    {"ordinal_date", "yyyy-DDD"},
    {"ordinal_date_time", "yyyy-DDD'T'HH:mm:ss.fj"},
    {"ordinal_date_time_no_millis", "yyyy-DDD'T'HH:mm:ssj"},
    {"time", "HH:mm:ss.fj"},
    {"time_no_millis", "HH:mm:ssj"},
    {"t_time", "'T'HH:mm:ss.fj"},
    {"t_time_no_millis", "'T'HH:mm:ssj"},
    {"week_date", "YYYY-'W'ww-e"},
    {"week_date_time", "YYYY-'W'ww-e'T'HH:mm:ss.fj"},
    {"week_date_time_no_millis", "YYYY-'W'ww-e'T'HH:mm:ssj"},
    {"weekyear", "YYYY"},
    {"weekyear_week", "YYYY-'W'ww"},
    {"weekyear_week_day", "YYYY-'W'ww-e"},
    {"year", "yyyy"},
    {"year_month", "yyyy-MM"},
    {"year_month_day", "yyyy-MM-dd"},
};

/// Names whose numbers have their full width with and without strict_.
constexpr Builtin kFixedBuiltins[] = {
    {"iso8601", kOptionalTime, kPrintedTime},
    {"strict_date_optional_time_nanos", "yyyy[-MM[-dd['T'HH:mm:ss[.f][,f][j]]]]",
     "yyyy-MM-dd'T'HH:mm:ss.fXXX"},
    {"basic_date", "yyyyMMdd"},
    {"basic_date_time", "yyyyMMdd'T'HHmmss.fj"},
    {"basic_date_time_no_millis", "yyyyMMdd'T'HHmmssj"},
    {"basic_ordinal_date", "yyyyDDD"},
    {"basic_ordinal_date_time", "yyyyDDD'T'HHmmss.fj"},
    {"basic_ordinal_date_time_no_millis", "yyyyDDD'T'HHmmssj"},
    {"basic_time", "HHmmss.fj"},
    {"basic_time_no_millis", "HHmmssj"},
    {"basic_t_time", "'T'HHmmss.fj"},
    {"basic_t_time_no_millis", "'T'HHmmssj"},
    {"basic_week_date", "YYYY'W'wwe"},
    {"basic_week_date_time", "YYYY'W'wwe'T'HHmmss.fj"},
    {"basic_week_date_time_no_millis", "YYYY'W'wwe'T'HHmmssj"},
    {"strict_basic_week_date", "YYYY'W'wwe"},
    {"strict_basic_week_date_time", "YYYY'W'wwe'T'HHmmss.fj"},
    {"strict_basic_week_date_time_no_millis", "YYYY'W'wwe'T'HHmmssj"},
};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// Compiles one pattern into items.
class PatternCompiler {
 public:
  PatternCompiler(std::string_view pattern, bool builtin, bool lenient)
      : pattern_(pattern), builtin_(builtin), lenient_(lenient) {}

  Result<std::vector<DateItem>> compile() {
    while (at_ < pattern_.size()) {
      const char c = pattern_[at_];
      if (c == '\'') {
        if (!read_quoted()) return refuse("Pattern ends with an incomplete string literal");
      } else if (c == '[') {
        open_.push_back(items_.size());
        items_.push_back({.kind = DateItem::Kind::kOptional});
        ++at_;
      } else if (c == ']') {
        if (open_.empty()) return refuse("Pattern invalid as it contains ] without previous [");
        items_[open_.back()].end = items_.size();
        open_.pop_back();
        ++at_;
      } else if (c == '{' || c == '}' || c == '#') {
        return refuse("Pattern includes reserved character: '" + std::string(1, c) + "'");
      } else if (is_letter(c)) {
        const size_t count = std::min(pattern_.find_first_not_of(c, at_), pattern_.size()) - at_;
        if (!add_letter(c, count)) return refuse(letter_reason(c));
        at_ += count;
      } else {
        add_literal(c);
        ++at_;
      }
    }
    // An optional section that is not closed ends with the pattern.
    for (const size_t open : open_) items_[open].end = items_.size();
    return std::move(items_);
  }

 private:
  Status refuse(const std::string& why) const {
    return {ErrorType::kIllegalArgument, "Invalid format: [" + std::string(pattern_) + "]: " + why};
  }

  static std::string letter_reason(char c) {
    const bool java =
        std::string_view("GQqWFgpNBvOzVZXxSyuYMLdDHhkKmsaAnewcE").find(c) != std::string_view::npos;
    return (java ? "Unsupported pattern letter or count: " : "Unknown pattern letter: ") +
           std::string(1, c);
  }

  void add_literal(char c) {
    const bool extend = !items_.empty() && items_.back().kind == DateItem::Kind::kLiteral &&
                        (open_.empty() || items_.size() > open_.back() + 1) && !ends_group();
    if (!extend) items_.push_back({.kind = DateItem::Kind::kLiteral});
    items_.back().text += c;
  }

  /// Whether the last item is the end of a closed optional section, so that the next item must not
  /// be merged into it.
  bool ends_group() const {
    return std::any_of(items_.begin(), items_.end(), [this](const DateItem& item) {
      return item.kind == DateItem::Kind::kOptional && item.end == items_.size();
    });
  }

  bool read_quoted() {
    if (at_ + 1 < pattern_.size() && pattern_[at_ + 1] == '\'') {
      add_literal('\'');
      at_ += 2;
      return true;
    }
    for (++at_; at_ < pattern_.size(); ++at_) {
      if (pattern_[at_] != '\'') {
        add_literal(pattern_[at_]);
      } else if (at_ + 1 < pattern_.size() && pattern_[at_ + 1] == '\'') {
        add_literal(pattern_[at_++]);
      } else {
        ++at_;
        return true;
      }
    }
    return false;
  }

  bool add_number(DateItem::Field field, size_t count, uint8_t most) {
    if (count > most) return false;
    const auto width = static_cast<uint8_t>(count);
    DateItem item{.kind = DateItem::Kind::kNumber,
                  .field = field,
                  .least = width,
                  .most = width,
                  .print = width};
    if (count == 1) item.most = most;
    if (lenient_) item.least = 1;
    items_.push_back(std::move(item));
    return true;
  }

  /// `of_era`: the field is `y` of a pattern, which has no years below 1. The strict names accept
  /// as many digits with a sign as without, so that longer negative numbers are left to
  /// epoch_millis.
  bool add_year(DateItem::Field field, size_t count, bool of_era) {
    if (count > 9) return false;
    const auto width = static_cast<uint8_t>(count);
    if (count == 2) {
      items_.push_back(
          {.kind = DateItem::Kind::kShortYear, .field = field, .least = 2, .most = 2, .print = 2});
      return true;
    }
    const bool free = count == 1 || lenient_;
    const uint8_t most = builtin_ && !lenient_ ? width : uint8_t{9};
    const uint8_t below_zero = of_era && !builtin_ ? uint8_t{0} : most;
    items_.push_back({.kind = DateItem::Kind::kYear,
                      .field = field,
                      .least = free ? uint8_t{1} : width,
                      .most = free ? uint8_t{9} : width,
                      .print = width,
                      .below_zero = below_zero});
    return true;
  }

  bool add_name(DateItem::Kind kind, DateItem::Field field, size_t count) {
    if (count > 4) return false;
    items_.push_back({.kind = kind, .field = field, .most = count == 4 ? uint8_t{4} : uint8_t{3}});
    return true;
  }

  bool add_fraction(uint8_t least, uint8_t most, uint8_t print) {
    items_.push_back(
        {.kind = DateItem::Kind::kFraction, .least = least, .most = most, .print = print});
    return true;
  }

  /// Forms are 1: +01, 2: +0100, 3: +01:00. The forms with seconds (4 and 5) are read and printed
  /// like those without.
  bool add_offset(size_t form, bool zero_z) {
    items_.push_back({.kind = DateItem::Kind::kOffset,
                      .most = static_cast<uint8_t>(form > 3 ? form - 2 : form),
                      .zero_z = zero_z});
    return form <= 5;
  }

  bool add_plain(DateItem::Kind kind) {
    items_.push_back({.kind = kind});
    return true;
  }

  bool add_letter(char c, size_t count) {
    switch (c) {
      case 'y':
      case 'u':
        return add_year(DateItem::Field::kYear, count, c == 'y');
      case 'Y':
        return add_year(DateItem::Field::kWeekYear, count, false);
      case 'M':
      case 'L':
        return count > 2 ? add_name(DateItem::Kind::kMonthName, DateItem::Field::kMonth, count)
                         : add_number(DateItem::Field::kMonth, count, 2);
      case 'E':
        return add_name(DateItem::Kind::kWeekdayName, DateItem::Field::kWeekday, count);
      case 'e':
      case 'c':
        return count > 2 ? add_name(DateItem::Kind::kWeekdayName, DateItem::Field::kWeekday, count)
                         : add_number(DateItem::Field::kWeekday, count, 2);
      case 'S':
        return count <= 9 && add_fraction(static_cast<uint8_t>(count), static_cast<uint8_t>(count),
                                          static_cast<uint8_t>(count));
      case 'f':
        return builtin_ && add_fraction(1, 9, 0);
      case 'a':
        return count == 1 && add_plain(DateItem::Kind::kHalfDay);
      case 'j':
        return builtin_ && add_plain(DateItem::Kind::kZone);
      case 'V':
        return count == 2 && add_plain(DateItem::Kind::kZone);
      case 'z':
        return count <= 3 && add_plain(DateItem::Kind::kZone);
      case 'X':
        return add_offset(count, true);
      case 'x':
        return add_offset(count, false);
      case 'Z':
        return count != 4 && add_offset(count == 5 ? 3 : 2, count == 5) && count <= 5;
      default:
        return add_time_letter(c, count);
    }
  }

  bool add_time_letter(char c, size_t count) {
    switch (c) {
      case 'd':
        return add_number(DateItem::Field::kDay, count, 2);
      case 'D':
        return add_number(DateItem::Field::kDayOfYear, count, 3);
      case 'w':
        return add_number(DateItem::Field::kWeek, count, 2);
      case 'H':
        return add_number(DateItem::Field::kHour, count, 2);
      case 'k':
        return add_number(DateItem::Field::kClockHour, count, 2);
      case 'K':
        return add_number(DateItem::Field::kHalfHour, count, 2);
      case 'h':
        return add_number(DateItem::Field::kClockHalfHour, count, 2);
      case 'm':
        return add_number(DateItem::Field::kMinute, count, 2);
      case 's':
        return add_number(DateItem::Field::kSecond, count, 2);
      case 'n':
        return add_number(DateItem::Field::kNano, count, 9);
      case 'A':
        return add_number(DateItem::Field::kMilliOfDay, count, 8);
      default:
        return false;
    }
  }

  std::string_view pattern_;
  bool builtin_;
  bool lenient_;
  size_t at_ = 0;
  std::vector<DateItem> items_;
  std::vector<size_t> open_;  // indexes of kOptional items that are not closed yet
};

Result<DateItems> compile_builtin(const Builtin& builtin, bool lenient) {
  DateItems items;
  QUARRY_ASSIGN_OR_RETURN(items.parsed, PatternCompiler(builtin.pattern, true, lenient).compile());
  const std::string_view print = builtin.print.empty() ? builtin.pattern : builtin.print;
  QUARRY_ASSIGN_OR_RETURN(items.printed, PatternCompiler(print, true, false).compile());
  return items;
}

DateItems epoch_items(DateItem::Kind kind) {
  DateItems items;
  items.parsed.push_back({.kind = kind});
  items.printed = items.parsed;
  return items;
}

const Builtin* find_builtin(std::string_view name, const Builtin* begin, const Builtin* end) {
  const Builtin* found =
      std::find_if(begin, end, [name](const Builtin& b) { return b.name == name; });
  return found == end ? nullptr : found;
}

}  // namespace

Result<DateItems> compile_date_pattern(std::string_view text) {
  if (text.empty()) return Status(ErrorType::kIllegalArgument, "No date pattern provided");
  if (text == "epoch_millis") return epoch_items(DateItem::Kind::kEpochMillis);
  if (text == "epoch_second") return epoch_items(DateItem::Kind::kEpochSecond);
  if (const Builtin* fixed =
          find_builtin(text, std::begin(kFixedBuiltins), std::end(kFixedBuiltins))) {
    return compile_builtin(*fixed, false);
  }
  const bool strict = text.starts_with("strict_");
  const std::string_view name = strict ? text.substr(7) : text;
  if (const Builtin* builtin = find_builtin(name, std::begin(kBuiltins), std::end(kBuiltins))) {
    return compile_builtin(*builtin, !strict);
  }
  // A leading 8 once distinguished java.time patterns from Joda's and is still allowed.
  if (text.size() > 1 && text.front() == '8') text.remove_prefix(1);
  DateItems items;
  QUARRY_ASSIGN_OR_RETURN(items.parsed, PatternCompiler(text, false, false).compile());
  items.printed = items.parsed;
  return items;
}

}  // namespace quarry
