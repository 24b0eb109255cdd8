// Date formats: built-in names, patterns, time zones, rounding of missing parts, and printing.
#include "mapping/dates/date_format.h"

#include "testing/test.h"

namespace quarry::date_format_test {

/// Parses by `format` and prints in ISO format.
std::string read(std::string_view format, std::string_view text, bool round_up = false,
                 std::string_view zone = "") {
  const Result<std::shared_ptr<const DateFormats>> formats = DateFormats::compile(format);
  if (!formats.ok()) return formats.status().reason();
  std::shared_ptr<const TimeZone> time_zone;
  if (!zone.empty()) time_zone = TimeZone::find(zone).value();
  const std::optional<int64_t> ms = (*formats)->parse(text, time_zone.get(), round_up);
  if (!ms) return "no date";
  return DateFormats::compile("strict_date_optional_time").value()->format(*ms);
}

std::string print(std::string_view format, int64_t ms, std::string_view zone = "UTC") {
  return DateFormats::compile(format).value()->format(ms, TimeZone::find(zone).value().get());
}

TEST(DateFormat, ReadsTheDefault) {
  EXPECT_EQ(read(kDefaultDateFormat, "2024"), "2024-01-01T00:00:00.000Z");
  EXPECT_EQ(read(kDefaultDateFormat, "2024-02"), "2024-02-01T00:00:00.000Z");
  EXPECT_EQ(read(kDefaultDateFormat, "2024-02-29"), "2024-02-29T00:00:00.000Z");
  EXPECT_EQ(read(kDefaultDateFormat, "2024-02-29T"), "2024-02-29T00:00:00.000Z");
  EXPECT_EQ(read(kDefaultDateFormat, "2024-02-29T13"), "2024-02-29T13:00:00.000Z");
  EXPECT_EQ(read(kDefaultDateFormat, "2024-02-29T13:45:10.1234567Z"), "2024-02-29T13:45:10.123Z");
  EXPECT_EQ(read(kDefaultDateFormat, "2024-02-29T13:45:10,5+02:00"), "2024-02-29T11:45:10.500Z");
  EXPECT_EQ(read(kDefaultDateFormat, "2024-02-29T13:45+0530"), "2024-02-29T08:15:00.000Z");
  EXPECT_EQ(read(kDefaultDateFormat, "1500000000000"), "2017-07-14T02:40:00.000Z");
  EXPECT_EQ(read(kDefaultDateFormat, "-1"), "1969-12-31T23:59:59.999Z");
  EXPECT_EQ(read(kDefaultDateFormat, "-1.5"), "1969-12-31T23:59:59.998Z");
  EXPECT_EQ(read(kDefaultDateFormat, "-0001-01-01"), "-0001-01-01T00:00:00.000Z");
  EXPECT_EQ(read(kDefaultDateFormat, "+12345-01-01"), "+12345-01-01T00:00:00.000Z");
}

TEST(DateFormat, NumbersBelowZeroAreYearsOnlyWhereAFormatHasSuchYears) {
  EXPECT_EQ(read(kDefaultDateFormat, "-2020"), "-2020-01-01T00:00:00.000Z");
  EXPECT_EQ(read(kDefaultDateFormat, "-10000"), "1969-12-31T23:59:50.000Z");
  EXPECT_EQ(read(kDefaultDateFormat, "-86400000"), "1969-12-31T00:00:00.000Z");
  EXPECT_EQ(read("strict_date_optional_time", "-10000"), "no date");
  EXPECT_EQ(read("strict_year||epoch_millis", "-10000"), "1969-12-31T23:59:50.000Z");
  EXPECT_EQ(read("yyyy||epoch_millis", "-2020"), "1969-12-31T23:59:57.980Z");
  EXPECT_EQ(read("yyyy", "-2020"), "no date");
  EXPECT_EQ(read("uuuu", "-2020"), "-2020-01-01T00:00:00.000Z");
  EXPECT_EQ(read("date_optional_time", "-10000"), "-10000-01-01T00:00:00.000Z");
}

TEST(DateFormat, OnlyYearsCarryASign) {
  EXPECT_EQ(print("AAAA nnnn", 47045067), "47045067 67000000");
  EXPECT_EQ(print("yyyy", 253402300800000), "+10000");
}

TEST(DateFormat, RefusesWhatIsNoDate) {
  for (const char* bad :
       {"", "abc", "2024-13-01", "2023-02-29", "2024-02-30", "2024-1-1", "2024-01-01T24:00:00",
        "24-01-01", "2024-01-01T10:60", "2024-01-01 10:00:00", "2024-01-01T10:00:00.",
        "2024-01-01T10:00:00+25:00", "2024-01-01Z", "20240101x", "99999999999999999999",
        "+999999999-01-01", "1e3", "2024-01-01T10:00:00Nowhere/Zone"}) {
    EXPECT_EQ(bad + (": " + read(kDefaultDateFormat, bad)), std::string(bad) + ": no date");
  }
}

TEST(DateFormat, ReadsBuiltinNames) {
  EXPECT_EQ(read("basic_date", "20240315"), "2024-03-15T00:00:00.000Z");
  EXPECT_EQ(read("basic_date_time", "20240315T101112.5Z"), "2024-03-15T10:11:12.500Z");
  EXPECT_EQ(read("date", "2024-3-5"), "2024-03-05T00:00:00.000Z");
  EXPECT_EQ(read("strict_date", "2024-3-5"), "no date");
  EXPECT_EQ(read("date_optional_time", "2024-3-5T1:2"), "2024-03-05T01:02:00.000Z");
  EXPECT_EQ(read("strict_date_time", "2024-03-05T01:02:03.004+01:00"), "2024-03-05T00:02:03.004Z");
  EXPECT_EQ(read("strict_date_time", "2024-03-05T01:02:03Z"), "no date");
  EXPECT_EQ(read("date_time_no_millis", "2024-03-05T01:02:03Z"), "2024-03-05T01:02:03.000Z");
  EXPECT_EQ(read("strict_date_hour_minute_second", "2024-03-05T01:02:03"),
            "2024-03-05T01:02:03.000Z");
  EXPECT_EQ(read("hour_minute", "13:05"), "1970-01-01T13:05:00.000Z");
  EXPECT_EQ(read("ordinal_date", "2024-366"), "2024-12-31T00:00:00.000Z");
  EXPECT_EQ(read("ordinal_date", "2023-366"), "no date");
  EXPECT_EQ(read("week_date", "2020-W53-7"), "2021-01-03T00:00:00.000Z");
  EXPECT_EQ(read("strict_weekyear_week", "2021-W01"), "2021-01-04T00:00:00.000Z");
  EXPECT_EQ(read("weekyear_week", "2021-W53"), "no date");
  EXPECT_EQ(read("strict_year", "2024"), "2024-01-01T00:00:00.000Z");
  EXPECT_EQ(read("epoch_second", "1500000000"), "2017-07-14T02:40:00.000Z");
  EXPECT_EQ(read("epoch_second", "1500000000.25"), "2017-07-14T02:40:00.250Z");
}

TEST(DateFormat, ReadsPatterns) {
  EXPECT_EQ(read("yyyy/MM/dd HH:mm:ss||yyyy/MM/dd", "2024/03/05"), "2024-03-05T00:00:00.000Z");
  EXPECT_EQ(read("yyyy/MM/dd HH:mm:ss||yyyy/MM/dd", "2024/03/05 06:07:08"),
            "2024-03-05T06:07:08.000Z");
  EXPECT_EQ(read("dd-MMM-uuuu h:mm a", "05-Mar-2024 1:07 PM"), "2024-03-05T13:07:00.000Z");
  EXPECT_EQ(read("EEE, d MMM yyyy HH:mm:ss Z", "Tue, 5 Mar 2024 10:00:00 +0100"),
            "2024-03-05T09:00:00.000Z");
  EXPECT_EQ(read("EEE, d MMM yyyy", "Mon, 5 Mar 2024"), "no date");
  EXPECT_EQ(read("EEEE d MMMM yy", "Tuesday 5 March 24"), "2024-03-05T00:00:00.000Z");
  EXPECT_EQ(read("yyyy-MM-dd'T'HH:mm:ss.SSSX", "2024-03-05T01:02:03.004Z"),
            "2024-03-05T01:02:03.004Z");
  EXPECT_EQ(read("yyyy-MM-dd HH:mm:ss.SSSSSS", "2024-03-05 01:02:03.004999"),
            "2024-03-05T01:02:03.004Z");
  EXPECT_EQ(read("8yyyyMMdd", "20240305"), "2024-03-05T00:00:00.000Z");
  EXPECT_EQ(read("yyyy[-MM][' at 'HH]", "2024 at 07"), "2024-01-01T07:00:00.000Z");
  EXPECT_EQ(read("yyyy''MM", "2024'05"), "2024-05-01T00:00:00.000Z");
  EXPECT_EQ(read("yyyyMMdd HH VV", "20240305 12 UTC"), "2024-03-05T12:00:00.000Z");
}

TEST(DateFormat, NamesBadPatterns) {
  EXPECT_EQ(read("foo", ""), "Invalid format: [foo]: Unknown pattern letter: f");
  EXPECT_EQ(read("yyyy'", ""),
            "Invalid format: [yyyy']: Pattern ends with an incomplete string literal");
  EXPECT_EQ(read("yyyy]", ""),
            "Invalid format: [yyyy]]: Pattern invalid as it contains ] without previous [");
  EXPECT_EQ(read("yyyy QQ", ""),
            "Invalid format: [yyyy QQ]: Unsupported pattern letter or count: Q");
  EXPECT_EQ(read("", ""), "No date pattern provided");
  EXPECT_EQ(read("yyyy||", ""), "No date pattern provided");
}

TEST(DateFormat, FillsMissingTimeUpwards) {
  EXPECT_EQ(read(kDefaultDateFormat, "2024-02", true), "2024-02-01T23:59:59.999Z");
  EXPECT_EQ(read(kDefaultDateFormat, "2024-02-03T04", true), "2024-02-03T04:59:59.999Z");
  EXPECT_EQ(read(kDefaultDateFormat, "2024-02-03T04:05:06", true), "2024-02-03T04:05:06.999Z");
  EXPECT_EQ(read(kDefaultDateFormat, "2024-02-03T04:05:06.007", true), "2024-02-03T04:05:06.007Z");
  EXPECT_EQ(read("yyyy/MM/dd", "2024/02/03", true, "+01:00"), "2024-02-03T22:59:59.999Z");
}

TEST(DateFormat, Prints) {
  constexpr int64_t kMoment = 1709629509007;  // 2024-03-05T09:05:09.007Z
  EXPECT_EQ(print("yyyy/MM/dd HH:mm:ss||yyyy", kMoment), "2024/03/05 09:05:09");
  EXPECT_EQ(print("basic_date", kMoment), "20240305");
  EXPECT_EQ(print("strict_date_hour_minute", kMoment), "2024-03-05T09:05");
  EXPECT_EQ(print("date_time", kMoment, "+02:00"), "2024-03-05T11:05:09.007+02:00");
  EXPECT_EQ(print("EEE, d MMM yy h:mm a Z", kMoment), "Tue, 5 Mar 24 9:05 AM +0000");
  EXPECT_EQ(print("EEEE MMMM DDD", kMoment), "Tuesday March 065");
  EXPECT_EQ(print("week_date", kMoment), "2024-W10-2");
  EXPECT_EQ(print("epoch_millis", kMoment), "1709629509007");
  EXPECT_EQ(print("epoch_second", kMoment), "1709629509.007");
  EXPECT_EQ(print("epoch_second", -1500), "-1.5");
  EXPECT_EQ(print("yyyy-MM-dd'T'HH:mm:ss.SSSSSSSSSX", kMoment), "2024-03-05T09:05:09.007000000Z");
  EXPECT_EQ(print("HH:mm xxx", kMoment, "-05:30"), "03:35 -05:30");
}

}  // namespace quarry::date_format_test
