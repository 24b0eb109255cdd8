// Date math, calendar units, and time zones with changing offsets.
#include "mapping/dates/date_math.h"

#include <fstream>
#include <iterator>

#include "mapping/dates/calendar.h"
#include "testing/test.h"

namespace quarry::date_math_test {

constexpr int64_t kNow = 1709629509007;  // 2024-03-05T09:05:09.007Z, a Tuesday

std::string iso(int64_t ms) {
  return DateFormats::compile("strict_date_optional_time").value()->format(ms);
}

std::string math(std::string_view text, bool round_up = false, const TimeZone* zone = nullptr) {
  const auto formats = DateFormats::compile(kDefaultDateFormat).value();
  const Result<int64_t> ms = parse_date_math(text, *formats, zone, round_up, kNow);
  return ms.ok() ? iso(*ms) : ms.status().reason();
}

/// Null on a machine without time zone data, where the test is skipped.
std::shared_ptr<const TimeZone> paris() {
  const auto zone = TimeZone::find("Europe/Paris");
  return zone.ok() ? *zone : nullptr;
}

TEST(DateMath, AddsAndSubtracts) {
  EXPECT_EQ(math("now"), "2024-03-05T09:05:09.007Z");
  EXPECT_EQ(math("now-1d"), "2024-03-04T09:05:09.007Z");
  EXPECT_EQ(math("now+1h-30m+10s"), "2024-03-05T09:35:19.007Z");
  EXPECT_EQ(math("now-1y"), "2023-03-05T09:05:09.007Z");
  EXPECT_EQ(math("2024-01-31||+1M"), "2024-02-29T00:00:00.000Z");
  EXPECT_EQ(math("2024-01-31||+M"), "2024-02-29T00:00:00.000Z");
  EXPECT_EQ(math("2024-02-29||+1y"), "2025-02-28T00:00:00.000Z");
  EXPECT_EQ(math("2024-01-01||-2w"), "2023-12-18T00:00:00.000Z");
}

TEST(DateMath, Rounds) {
  EXPECT_EQ(math("now/d"), "2024-03-05T00:00:00.000Z");
  EXPECT_EQ(math("now/d", true), "2024-03-05T23:59:59.999Z");
  EXPECT_EQ(math("now/w"), "2024-03-04T00:00:00.000Z");
  EXPECT_EQ(math("now/M", true), "2024-03-31T23:59:59.999Z");
  EXPECT_EQ(math("now-1y/y"), "2023-01-01T00:00:00.000Z");
  EXPECT_EQ(math("now/h", true), "2024-03-05T09:59:59.999Z");
  EXPECT_EQ(math("2024-02-03||/M", true), "2024-02-29T23:59:59.999Z");
  EXPECT_EQ(math("2024-02-03", true), "2024-02-03T23:59:59.999Z");
}

TEST(DateMath, NamesWhatIsWrong) {
  EXPECT_EQ(math("now+1"), "truncated date math [+1]");
  EXPECT_EQ(math("now*1d"), "operator not supported for date math [*1d]");
  EXPECT_EQ(math("now+1q"), "unit [q] not supported for date math [+1q]");
  EXPECT_EQ(math("now/2d"), "rounding `/` can only be used on single unit types [/2d]");
  EXPECT_EQ(
      math("soon"),
      "failed to parse date field [soon] with format [strict_date_optional_time||epoch_millis]");
  EXPECT_TRUE(math("now+99999999999999y+99999999999y").size() > 10);
}

TEST(DateMath, RoundsByTheClockOfAZone) {
  const TimeZone plus_five = TimeZone::fixed(5 * 3600 + 1800);
  EXPECT_EQ(math("now/d", false, &plus_five), "2024-03-04T18:30:00.000Z");
  EXPECT_EQ(math("now/h", false, &plus_five), "2024-03-05T08:30:00.000Z");
  EXPECT_EQ(math("2024-03-05", false, &plus_five), "2024-03-04T18:30:00.000Z");
  const auto zone = paris();
  if (zone == nullptr) return;
  EXPECT_EQ(math("2024-03-31||/d", true, zone.get()), "2024-03-31T21:59:59.999Z");
  EXPECT_EQ(math("2024-03-30T12:00:00||+1d", false, zone.get()), "2024-03-31T10:00:00.000Z");
  EXPECT_EQ(math("2050-07-01||/M", false, zone.get()), "2050-06-30T22:00:00.000Z");
}

TEST(TimeZone, ReadsOffsets) {
  EXPECT_EQ(TimeZone::parse_offset("Z").value_or(1), 0);
  EXPECT_EQ(TimeZone::parse_offset("+1").value_or(0), 3600);
  EXPECT_EQ(TimeZone::parse_offset("-0530").value_or(0), -19800);
  EXPECT_EQ(TimeZone::parse_offset("+05:30:15").value_or(0), 19815);
  for (const char* bad :
       {"", "1", "+", "+1:0", "+01:60", "+19:00", "+01:00:", "+01:0000", "+1:00x", "++1"}) {
    EXPECT_FALSE(TimeZone::parse_offset(bad).has_value());
  }
  EXPECT_EQ(TimeZone::find("UTC+2").value()->offset_at(0), 7200);
  EXPECT_EQ(TimeZone::find("GMT").value()->offset_at(0), 0);
}

TEST(TimeZone, RefusesUnknownNames) {
  for (const char* bad : {"", "Nowhere/City", "../../etc/passwd", "/etc/passwd", "Europe",
                          "Europe/Paris ", "tzdata.zi"}) {
    EXPECT_EQ(TimeZone::find(bad).status().type(), ErrorType::kIllegalArgument);
  }
}

TEST(TimeZone, FollowsClockChanges) {
  const auto zone = paris();
  if (zone == nullptr) return;
  constexpr int64_t kHour = kMsPerHour;
  const int64_t spring = 1711846800000;  // 2024-03-31T01:00:00Z
  EXPECT_EQ(zone->offset_at(spring - 1), 3600);
  EXPECT_EQ(zone->offset_at(spring), 7200);
  EXPECT_EQ(zone->offset_at(2540000000000), 7200);  // June 2050, by the rule after the table
  EXPECT_EQ(zone->offset_at(2556000000000), 3600);  // December 2050
  // 02:30 does not exist on that day: it is interpreted as 03:30.
  EXPECT_EQ(zone->to_utc(spring + 3600000 + kHour / 2), spring + kHour / 2);
  // 02:30 occurs twice in autumn: it is interpreted as the first.
  const int64_t autumn = 1729990800000;  // 2024-10-27T01:00:00Z
  EXPECT_EQ(zone->to_utc(autumn + kHour + kHour / 2), autumn - kHour / 2);
}

TEST(TimeZone, SurvivesBrokenFiles) {
  EXPECT_FALSE(TimeZone::read_tzif({}).ok());
  std::ifstream in("/usr/share/zoneinfo/Europe/Paris", std::ios::binary);
  std::vector<uint8_t> file{std::istreambuf_iterator<char>(in), {}};
  for (size_t size = 0; size < file.size(); ++size) {
    const std::vector<uint8_t> cut(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size));
    const Result<TimeZone> zone = TimeZone::read_tzif(cut);
    if (zone.ok()) static_cast<void>(zone->to_utc(kNow));
  }
  for (uint8_t& byte : file) {
    byte = static_cast<uint8_t>(~byte);
    const Result<TimeZone> zone = TimeZone::read_tzif(file);
    if (zone.ok()) static_cast<void>(zone->to_utc(kNow));
    byte = static_cast<uint8_t>(~byte);
  }
}

TEST(Calendar, RoundTripsDays) {
  for (int64_t day = -800000; day < 800000; day += 61) {
    const CivilDate date = civil_from_days(day);
    EXPECT_EQ(days_from_civil(date), day);
    EXPECT_TRUE(date.day >= 1 && date.day <= days_in_month(date.year, date.month));
  }
  EXPECT_EQ(iso_weekday(0), 4);
  EXPECT_EQ(iso_week(days_from_civil({2021, 1, 3})).week, 53);
  EXPECT_EQ(iso_week(days_from_civil({2024, 12, 30})).year, 2025);
}

}  // namespace quarry::date_math_test
