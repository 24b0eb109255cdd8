// Reads offsets, TZif files and the POSIX rules that apply after the last transition of a file.
#include "mapping/dates/time_zone.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>

#include "base/ascii.h"
#include "mapping/dates/calendar.h"

namespace quarry {

namespace {

constexpr const char* kZoneFolder = "/usr/share/zoneinfo/";
constexpr int32_t kMaxOffset = 18 * 3600;  // as in java.time

/// Takes up to `most` digits from the front of `text`.
std::optional<int32_t> take_number(std::string_view& text, size_t most) {
  size_t length = 0;
  int32_t value = 0;
  while (length < text.size() && length < most && is_digit(text[length])) {
    value = value * 10 + (text[length] - '0');
    ++length;
  }
  if (length == 0) return std::nullopt;
  text.remove_prefix(length);
  return value;
}

bool take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

/// Takes [+-]h[:mm[:ss]] of a POSIX rule; the result is in seconds.
std::optional<int32_t> take_posix_time(std::string_view& text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  int32_t seconds = 0;
  int32_t unit = 3600;
  do {
    const std::optional<int32_t> part = take_number(text, 3);
    if (!part) return std::nullopt;
    seconds += *part * unit;
    unit /= 60;
  } while (unit > 0 && take(text, ':'));
  return negative ? -seconds : seconds;
}

/// Skips the abbreviation of a zone: letters, or anything in <>.
bool skip_abbreviation(std::string_view& text) {
  size_t length = 0;
  if (text.starts_with('<')) {
    length = text.find('>');
    if (length == std::string_view::npos) return false;
    ++length;
  } else {
    while (length < text.size() && std::isalpha(static_cast<unsigned char>(text[length])) != 0) {
      ++length;
    }
  }
  text.remove_prefix(length);
  return length >= 3;
}

bool is_zone_name(std::string_view name) {
  if (name.empty() || name.size() > 64 || name.front() == '/') return false;
  if (name.find("..") != std::string_view::npos) return false;
  return std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '+' || c == '/';
  });
}

template <typename T>
T read_big_endian(ByteReader& reader) {
  uint64_t value = 0;
  for (size_t i = 0; i < sizeof(T); ++i) value = value << 8 | reader.get<uint8_t>();
  return static_cast<T>(value);
}

struct TzifHeader {
  uint8_t version = 0;
  uint32_t utc_flags = 0;
  uint32_t standard_flags = 0;
  uint32_t leaps = 0;
  uint32_t times = 0;
  uint32_t types = 0;
  uint32_t chars = 0;

  /// Bytes of the data block after this header.
  uint64_t block_bytes(uint64_t time_bytes) const {
    return uint64_t{times} * (time_bytes + 1) + uint64_t{types} * 6 + chars +
           uint64_t{leaps} * (time_bytes + 4) + standard_flags + utc_flags;
  }
};

bool read_header(ByteReader& reader, TzifHeader& header) {
  if (as_text(reader.get_bytes(4)) != "TZif") return false;
  header.version = reader.get<uint8_t>();
  reader.get_bytes(15);
  header.utc_flags = read_big_endian<uint32_t>(reader);
  header.standard_flags = read_big_endian<uint32_t>(reader);
  header.leaps = read_big_endian<uint32_t>(reader);
  header.times = read_big_endian<uint32_t>(reader);
  header.types = read_big_endian<uint32_t>(reader);
  header.chars = read_big_endian<uint32_t>(reader);
  return !reader.failed();
}

Status bad_zone(std::string_view name) {
  std::string reason = "Unknown time-zone ID: [" + std::string(name) + "]";
  if (!std::ifstream(std::string(kZoneFolder) + "UTC").good()) {
    reason +=
        "; this machine has no time zone data (package tzdata), so only UTC and offsets like "
        "[+01:00] are known";
  }
  return {ErrorType::kIllegalArgument, std::move(reason)};
}

}  // namespace

std::optional<int32_t> TimeZone::parse_offset(std::string_view text) noexcept {
  if (text == "Z" || text == "z") return 0;
  const bool negative = text.starts_with('-');
  if (!negative && !text.starts_with('+')) return std::nullopt;
  text.remove_prefix(1);
  const std::optional<int32_t> hours = take_number(text, 2);
  if (!hours) return std::nullopt;
  int32_t seconds = *hours * 3600;
  const bool colon = text.starts_with(':');
  for (int32_t unit = 60; unit >= 1 && !text.empty(); unit /= 60) {
    if (colon && !take(text, ':')) return std::nullopt;
    if (text.size() < 2 || !is_digit(text[1])) return std::nullopt;
    const std::optional<int32_t> part = take_number(text, 2);
    if (!part || *part > 59) return std::nullopt;
    seconds += *part * unit;
  }
  if (!text.empty() || seconds > kMaxOffset) return std::nullopt;
  return negative ? -seconds : seconds;
}

TimeZone TimeZone::fixed(int32_t offset_seconds) {
  TimeZone zone;
  zone.first_offset_ = offset_seconds;
  zone.rule_.standard = offset_seconds;
  return zone;
}

Result<std::shared_ptr<const TimeZone>> TimeZone::find(std::string_view name) {
  std::string_view offset = name;
  for (const std::string_view prefix : {"UTC", "GMT", "UT"}) {
    if (!name.starts_with(prefix)) continue;
    if (name == prefix) return std::make_shared<const TimeZone>(fixed(0));
    offset = name.substr(prefix.size());
    break;
  }
  if (const std::optional<int32_t> seconds = parse_offset(offset)) {
    return std::make_shared<const TimeZone>(fixed(*seconds));
  }
  if (!is_zone_name(name)) return bad_zone(name);
  const std::string path = kZoneFolder + std::string(name);
  std::error_code ignored;  // a file that cannot be examined is not a zone
  if (!std::filesystem::is_regular_file(path, ignored)) return bad_zone(name);
  std::ifstream in(path, std::ios::binary);
  const std::vector<uint8_t> file{std::istreambuf_iterator<char>(in), {}};
  Result<TimeZone> zone = read_tzif(file);
  if (!zone.ok()) return bad_zone(name);
  return std::make_shared<const TimeZone>(std::move(zone).value());
}

Result<TimeZone> TimeZone::read_tzif(Bytes file) {
  const Status corrupt(ErrorType::kIllegalArgument, "malformed time zone file");
  ByteReader reader(file);
  TzifHeader header;
  if (!read_header(reader, header)) return corrupt;
  uint64_t time_bytes = 4;
  if (header.version >= '2') {
    // The first block holds 32-bit times for readers of version 1.
    reader.get_bytes(header.block_bytes(4));
    if (!read_header(reader, header)) return corrupt;
    time_bytes = 8;
  }
  if (reader.remaining() < header.block_bytes(time_bytes) || header.types == 0) return corrupt;
  std::vector<int64_t> times(header.times);
  for (int64_t& time : times) {
    time = time_bytes == 8 ? read_big_endian<int64_t>(reader) : read_big_endian<int32_t>(reader);
  }
  const Bytes kinds = reader.get_bytes(header.times);
  std::vector<int32_t> offsets(header.types);
  for (int32_t& offset : offsets) {
    offset = std::clamp(read_big_endian<int32_t>(reader), -2 * kMaxOffset, 2 * kMaxOffset);
    reader.get_bytes(2);
  }
  TimeZone zone = fixed(offsets[0]);
  for (size_t i = 0; i < times.size(); ++i) {
    if (kinds[i] >= offsets.size() || (i > 0 && times[i] < times[i - 1])) return corrupt;
    zone.transitions_.push_back({times[i], offsets[kinds[i]]});
  }
  if (!zone.transitions_.empty()) zone.rule_.standard = zone.transitions_.back().offset;
  reader.get_bytes(uint64_t{header.chars} + uint64_t{header.leaps} * (time_bytes + 4) +
                   header.standard_flags + header.utc_flags);
  std::string_view footer = as_text(reader.get_bytes(reader.remaining()));
  if (time_bytes == 8 && take(footer, '\n')) {
    Rule rule;
    if (parse_rule(footer.substr(0, footer.find('\n')), rule)) zone.rule_ = rule;
  }
  return zone;
}

/// Parses "CET-1CEST,M3.5.0,M10.5.0/3", whose offsets count west of Greenwich. Returns false for
/// the forms that no zone uses today (day numbers instead of M); the offset of the last transition
/// then holds for ever.
bool TimeZone::parse_rule(std::string_view text, Rule& rule) {
  if (!skip_abbreviation(text)) return false;
  const std::optional<int32_t> standard = take_posix_time(text);
  if (!standard) return false;
  rule.standard = -*standard;
  if (text.empty()) return true;
  if (!skip_abbreviation(text)) return false;
  rule.daylight = rule.standard + 3600;
  if (!text.starts_with(',')) {
    const std::optional<int32_t> daylight = take_posix_time(text);
    if (!daylight) return false;
    rule.daylight = -*daylight;
  }
  rule.has_daylight = true;
  return parse_change(text, rule.to_daylight) && parse_change(text, rule.to_standard) &&
         text.empty();
}

bool TimeZone::parse_change(std::string_view& text, Change& change) {
  if (!take(text, ',') || !take(text, 'M')) return false;
  const std::optional<int32_t> month = take_number(text, 2);
  if (!month || !take(text, '.')) return false;
  const std::optional<int32_t> week = take_number(text, 1);
  if (!week || !take(text, '.')) return false;
  const std::optional<int32_t> weekday = take_number(text, 1);
  if (!weekday || *month < 1 || *month > 12 || *week < 1 || *week > 5 || *weekday > 6) return false;
  change = {*month, *week, *weekday, 7200};
  if (!take(text, '/')) return true;
  const std::optional<int32_t> seconds = take_posix_time(text);
  if (!seconds) return false;
  change.seconds = *seconds;
  return true;
}

/// The day of the change in `year`, in days since the epoch.
int64_t TimeZone::change_day(const Change& change, int64_t year) {
  const int64_t first = days_from_civil({year, change.month, 1});
  const int64_t skip = floor_mod(change.weekday - iso_weekday(first), 7);
  int64_t day = skip + int64_t{7} * (change.week - 1);
  if (day >= days_in_month(year, change.month)) day -= 7;
  return first + day;
}

std::array<OffsetChange, 2> TimeZone::rule_changes(int64_t year) const {
  const auto at_ms = [year](const Change& change, int32_t offset) {
    return (change_day(change, year) * 86400 + change.seconds - offset) * 1000;
  };
  return {{{at_ms(rule_.to_daylight, rule_.standard), rule_.standard, rule_.daylight},
           {at_ms(rule_.to_standard, rule_.daylight), rule_.daylight, rule_.standard}}};
}

int32_t TimeZone::rule_offset(int64_t utc_seconds) const {
  if (!rule_.has_daylight) return rule_.standard;
  const int64_t utc_ms = utc_seconds * 1000;
  const auto [start, end] =
      rule_changes(civil_from_days(floor_div(utc_seconds + rule_.standard, 86400)).year);
  const bool daylight = start.at_ms < end.at_ms ? utc_ms >= start.at_ms && utc_ms < end.at_ms
                                                : utc_ms >= start.at_ms || utc_ms < end.at_ms;
  return daylight ? rule_.daylight : rule_.standard;
}

std::optional<OffsetChange> TimeZone::last_rule_change(int64_t utc_ms) const {
  if (!rule_.has_daylight || rule_.daylight == rule_.standard) return std::nullopt;
  const int64_t year = civil_from_days(floor_div(utc_ms, kMsPerDay)).year;
  std::optional<OffsetChange> last;
  for (const int64_t near : {year - 1, year, year + 1}) {
    for (const OffsetChange& change : rule_changes(near)) {
      if (change.at_ms <= utc_ms && (!last || change.at_ms > last->at_ms)) last = change;
    }
  }
  return last;
}

std::optional<OffsetChange> TimeZone::last_change(int64_t utc_ms) const {
  const int64_t seconds = floor_div(utc_ms, 1000);
  auto after = std::upper_bound(transitions_.begin(), transitions_.end(), seconds,
                                [](int64_t at, const Transition& t) { return at < t.at; });
  if (after == transitions_.end()) {
    const std::optional<OffsetChange> change = last_rule_change(utc_ms);
    if (change && (transitions_.empty() || change->at_ms > transitions_.back().at * 1000)) {
      return change;
    }
  }
  // Files also list moments at which only the name of the time changes.
  for (; after != transitions_.begin(); --after) {
    const auto at = std::prev(after);
    const int32_t before = at == transitions_.begin() ? first_offset_ : std::prev(at)->offset;
    if (before != at->offset) return OffsetChange{at->at * 1000, before, at->offset};
  }
  return std::nullopt;
}

bool TimeZone::repeats_days(int64_t low_ms, int64_t high_ms) const {
  // After the last transition each year is like the one before.
  const int64_t listed = transitions_.empty() ? low_ms : transitions_.back().at * 1000;
  high_ms = std::min(high_ms, std::max(low_ms, listed) + 400 * kMsPerDay);
  for (auto change = last_change(high_ms); change && change->at_ms > low_ms;
       change = last_change(change->at_ms - 1)) {
    const int64_t day_before =
        floor_div(change->at_ms - 1 + int64_t{1000} * change->before, kMsPerDay);
    if (floor_div(change->at_ms + int64_t{1000} * change->after, kMsPerDay) < day_before) {
      return true;
    }
  }
  return false;
}

int32_t TimeZone::offset_at(int64_t utc_ms) const {
  const int64_t seconds = floor_div(utc_ms, 1000);
  const auto after = std::upper_bound(transitions_.begin(), transitions_.end(), seconds,
                                      [](int64_t at, const Transition& t) { return at < t.at; });
  if (after == transitions_.end()) return rule_offset(seconds);
  return after == transitions_.begin() ? first_offset_ : std::prev(after)->offset;
}

int64_t TimeZone::to_utc(int64_t local_ms) const {
  // The offsets one day before and one day after bracket any change. The first of them that maps
  // back to the local time is used, the earlier offset first. In a gap neither does, and the offset
  // before the change gives a moment after the gap.
  const int64_t before = local_ms - int64_t{1000} * offset_at(local_ms - kMsPerDay);
  if (to_local(before) == local_ms) return before;
  const int64_t after = local_ms - int64_t{1000} * offset_at(local_ms + kMsPerDay);
  return to_local(after) == local_ms ? after : before;
}

}  // namespace quarry
