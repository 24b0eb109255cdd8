// Rounding to units and intervals, in the local time of zones.
#include "query/aggs/histogram/rounding.h"

#include <random>

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
        EXPECT_EQ(rounding.round(moment), key);
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
        EXPECT_EQ(rounding.round(moment), plain.round(moment));
        const size_t place = rounding.place_of(moment);
        ASSERT_TRUE(place < rounding.places());
        EXPECT_EQ(rounding.key_at(place), plain.round(moment));
        if (place + 1 < rounding.places())
          EXPECT_EQ(rounding.key_at(place + 1), plain.next(rounding.key_at(place)));
      }
    }
  }
}

TEST(Rounding, PlacesAreThoseOfTheKeys) {
  std::mt19937_64 random(7);
  const int64_t from = at(1999, 6, 3);
  uint32_t placed = 0;
  for (const char* zone : {"", "+05:30", "America/New_York", "Australia/Lord_Howe"}) {
    for (uint8_t unit = 0; unit <= 8; unit++) {
      for (const int64_t days : {0, 1, 20, 70, 400, 9000}) {
        Rounding rounding = make(unit, 36 * kMsPerHour, zone, unit == 5 ? -kMsPerHour : 0);
        const Rounding plain = rounding;
        const int64_t last = from + days * kMsPerDay + 1;
        rounding.prepare(from, last);
        if (rounding.places() == 0) continue;
        placed++;
        EXPECT_EQ(rounding.place_of(from), 0U);
        EXPECT_EQ(rounding.place_of(last), rounding.places() - 1);
        const auto check = [&](int64_t moment) {
          if (moment < from || moment > last) return;
          EXPECT_EQ(rounding.key_at(rounding.place_of(moment)), plain.round(moment));
        };
        for (int i = 0; i < 300; i++) {
          const auto moment =
              from + static_cast<int64_t>(random() % static_cast<uint64_t>(last - from + 1));
          check(moment);
          // The ends of its interval.
          for (const int64_t away : {-1, 0, 1}) check(plain.next(plain.round(moment)) + away);
        }
        // Dates outside have the nearest place.
        EXPECT_EQ(rounding.place_of(INT64_MIN), 0U);
        EXPECT_EQ(rounding.place_of(INT64_MAX), rounding.places() - 1);
      }
    }
  }
  EXPECT_GT(placed, 100U);
}

TEST(Rounding, ThereAreNoPlacesForManyKeys) {
  Rounding seconds = make(8, 0, "");
  seconds.prepare(0, kMsPerHour);
  EXPECT_EQ(seconds.places(), 3601U);
  seconds.prepare(0, 2 * kMsPerHour);
  EXPECT_EQ(seconds.places(), 0U);
  seconds.prepare(1, 0);
  EXPECT_EQ(seconds.places(), 0U);
  Rounding all = make(0, 1, "");
  all.prepare(INT64_MIN, INT64_MAX);
  EXPECT_EQ(all.places(), 0U);
  Rounding far = make(0, int64_t{1} << 61, "", 0);
  far.prepare(INT64_MIN, INT64_MAX);
  EXPECT_EQ(far.key_at(far.place_of(INT64_MAX)), far.round(INT64_MAX));
}

}  // namespace quarry::rounding_test
