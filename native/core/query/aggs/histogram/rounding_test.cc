// Rounding to units and intervals, in the local time of zones.
#include "query/aggs/histogram/rounding.h"

#include "mapping/dates/calendar.h"
#include "testing/test.h"

namespace quarry::rounding_test {

Rounding make(uint8_t unit, int64_t fixed_ms, std::string zone, int64_t offset_ms = 0) {
  RoundingSpec spec;
  spec.unit = unit;
  spec.fixed_ms = fixed_ms;
  spec.time_zone = std::move(zone);
  spec.offset_ms = offset_ms;
  Result<Rounding> rounding = Rounding::make(spec);
  EXPECT_OK(rounding);
  return std::move(rounding).value();
}

int64_t at(int64_t year, int32_t month, int32_t day, int64_t hour = 0, int64_t minute = 0) {
  return days_from_civil({year, month, day}) * kMsPerDay + hour * kMsPerHour +
         minute * kMsPerMinute;
}

TEST(Rounding, FixedIntervalsFollowTheClockOfTheZone) {
  // Berlin's day of 25 hours: 2024-10-27, from 22:00 UTC the day before to 23:00 UTC.
  const Rounding day = make(0, kMsPerDay, "Europe/Berlin");
  EXPECT_EQ(day.round(at(2024, 10, 27, 22, 59)), at(2024, 10, 26, 22));
  EXPECT_EQ(day.round(at(2024, 10, 27, 23)), at(2024, 10, 27, 23));
  EXPECT_EQ(day.next(at(2024, 10, 26, 22)), at(2024, 10, 27, 23));
  EXPECT_EQ(day.next(at(2024, 3, 30, 23)), at(2024, 3, 31, 22));
  // Twelve hours: local time skips 02:00 to 03:00 on 2024-03-31.
  const Rounding half = make(0, 12 * kMsPerHour, "Europe/Berlin");
  EXPECT_EQ(half.round(at(2024, 3, 31, 9, 59)), at(2024, 3, 30, 23));
  EXPECT_EQ(half.round(at(2024, 3, 31, 10)), at(2024, 3, 31, 10));
}

TEST(Rounding, UnitsAndOffsets) {
  const Rounding week = make(4, 0, "");
  EXPECT_EQ(week.round(at(2024, 2, 29)), at(2024, 2, 26));
  EXPECT_EQ(week.next(at(2024, 2, 26)), at(2024, 3, 4));
  const Rounding quarter = make(2, 0, "", 6 * kMsPerHour);
  EXPECT_EQ(quarter.round(at(2024, 4, 1, 5)), at(2024, 1, 1, 6));
  EXPECT_EQ(quarter.round(at(2024, 4, 1, 6)), at(2024, 4, 1, 6));
  EXPECT_EQ(make(0, 7, "").round(-1), -7);
  EXPECT_FALSE(Rounding::make({0, 0, "", 0}).ok());
}

TEST(Rounding, TheTableSaysWhatTheCalendarSays) {
  const char* zones[] = {
      "", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "America/Sao_Paulo", "+05:30"};
  for (const char* zone : zones) {
    for (uint8_t unit = 0; unit <= 8; unit++) {
      Rounding rounding = make(unit, 90 * kMsPerMinute, zone, unit == 5 ? kMsPerHour : 0);
      const Rounding plain = rounding;
      const int64_t first = at(2018, 10, 20);
      const int64_t last = at(2018, 11, 10);
      rounding.prepare(first, last);
      int64_t before = plain.round(first);
      for (int64_t moment = first; moment <= last; moment += 17 * kMsPerMinute) {
        const int64_t key = plain.round(moment);
        EXPECT_EQ(rounding.round_quickly(moment), key);
        EXPECT_LE(key, moment);
        EXPECT_EQ(plain.round(key), key);
        if (key != before && unit < 7) EXPECT_EQ(plain.next(before), key);
        before = key;
      }
    }
  }
}

TEST(Rounding, TheTableOfSeventyYearsSaysWhatTheCalendarSays) {
  for (const int64_t offset : {int64_t{0}, 6 * kMsPerHour, -kMsPerDay}) {
    for (uint8_t unit = 1; unit <= 3; unit++) {
      Rounding rounding = make(unit, 0, "", offset);
      const Rounding plain = rounding;
      rounding.prepare(at(1965, 3, 5), at(2035, 7, 9));
      for (int64_t moment = at(1965, 3, 5); moment <= at(2035, 7, 9); moment += 4 * kMsPerDay) {
        EXPECT_EQ(rounding.round_quickly(moment), plain.round(moment));
        const size_t place = rounding.place_of(moment);
        ASSERT_TRUE(place < rounding.table_size());
        EXPECT_EQ(rounding.end_at(place), plain.next(rounding.key_at(place)));
      }
    }
  }
}

}  // namespace quarry::rounding_test
