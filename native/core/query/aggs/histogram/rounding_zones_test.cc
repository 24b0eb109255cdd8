// Keys around offset changes of fractional hours or at fractional hours, compared with the rounding
// of Elasticsearch 8.19.
#include <optional>
#include <string>

#include "mapping/dates/date_format.h"
#include "query/aggs/histogram/rounding.h"
#include "testing/test.h"

namespace quarry::rounding_zones_test {

struct Case {
  const char* zone;
  uint8_t unit;  // 0: `minutes`
  int64_t minutes;
  const char* moment;
  const char* key;
  const char* next;
};

constexpr Case kCases[] = {
    {"America/Caracas", 6, 0, "2007-12-08T07:00Z", "2007-12-08T07:00Z", "2007-12-08T08:00Z"},
    {"America/Caracas", 6, 0, "2007-12-09T05:00Z", "2007-12-09T05:00Z", "2007-12-09T06:00Z"},
    {"America/Caracas", 6, 0, "2007-12-09T06:00Z", "2007-12-09T06:00Z", "2007-12-09T07:30Z"},
    {"America/Caracas", 6, 0, "2007-12-09T07:30Z", "2007-12-09T07:30Z", "2007-12-09T08:30Z"},
    {"America/Caracas", 6, 0, "2007-12-09T08:30Z", "2007-12-09T08:30Z", "2007-12-09T09:30Z"},
    {"America/Caracas", 6, 0, "2007-12-09T09:30Z", "2007-12-09T09:30Z", "2007-12-09T10:30Z"},
    {"America/Caracas", 6, 0, "2007-12-09T19:00Z", "2007-12-09T18:30Z", "2007-12-09T19:30Z"},
    {"Asia/Pyongyang", 6, 0, "2015-08-13T15:00Z", "2015-08-13T15:00Z", "2015-08-13T16:00Z"},
    {"Asia/Pyongyang", 6, 0, "2015-08-14T13:00Z", "2015-08-14T13:00Z", "2015-08-14T14:00Z"},
    {"Asia/Pyongyang", 6, 0, "2015-08-14T14:00Z", "2015-08-14T14:00Z", "2015-08-14T15:30Z"},
    {"Asia/Pyongyang", 6, 0, "2015-08-14T15:30Z", "2015-08-14T15:30Z", "2015-08-14T16:30Z"},
    {"Asia/Pyongyang", 6, 0, "2015-08-14T16:30Z", "2015-08-14T16:30Z", "2015-08-14T17:30Z"},
    {"Asia/Pyongyang", 6, 0, "2015-08-14T17:30Z", "2015-08-14T17:30Z", "2015-08-14T18:30Z"},
    {"Asia/Pyongyang", 6, 0, "2015-08-15T03:00Z", "2015-08-15T02:30Z", "2015-08-15T03:30Z"},
    {"Pacific/Norfolk", 6, 0, "2015-10-02T14:30Z", "2015-10-02T14:30Z", "2015-10-02T15:30Z"},
    {"Pacific/Norfolk", 6, 0, "2015-10-03T12:30Z", "2015-10-03T12:30Z", "2015-10-03T13:30Z"},
    {"Pacific/Norfolk", 6, 0, "2015-10-03T13:30Z", "2015-10-03T13:30Z", "2015-10-03T15:00Z"},
    {"Pacific/Norfolk", 6, 0, "2015-10-03T15:00Z", "2015-10-03T15:00Z", "2015-10-03T16:00Z"},
    {"Pacific/Norfolk", 6, 0, "2015-10-03T16:00Z", "2015-10-03T16:00Z", "2015-10-03T17:00Z"},
    {"Pacific/Norfolk", 6, 0, "2015-10-03T17:00Z", "2015-10-03T17:00Z", "2015-10-03T18:00Z"},
    {"Pacific/Norfolk", 6, 0, "2015-10-04T02:30Z", "2015-10-04T02:00Z", "2015-10-04T03:00Z"},
    {"Australia/Lord_Howe", 6, 0, "2005-03-25T15:00Z", "2005-03-25T15:00Z", "2005-03-25T16:00Z"},
    {"Australia/Lord_Howe", 6, 0, "2005-03-26T13:00Z", "2005-03-26T13:00Z", "2005-03-26T14:00Z"},
    {"Australia/Lord_Howe", 6, 0, "2005-03-26T14:00Z", "2005-03-26T14:00Z", "2005-03-26T15:30Z"},
    {"Australia/Lord_Howe", 6, 0, "2005-03-26T15:30Z", "2005-03-26T15:30Z", "2005-03-26T16:30Z"},
    {"Australia/Lord_Howe", 6, 0, "2005-03-26T16:30Z", "2005-03-26T16:30Z", "2005-03-26T17:30Z"},
    {"Australia/Lord_Howe", 6, 0, "2005-03-26T17:30Z", "2005-03-26T17:30Z", "2005-03-26T18:30Z"},
    {"Australia/Lord_Howe", 6, 0, "2005-03-27T03:00Z", "2005-03-27T02:30Z", "2005-03-27T03:30Z"},
    {"America/Goose_Bay", 6, 0, "2005-04-02T04:01Z", "2005-04-02T04:00Z", "2005-04-02T05:00Z"},
    {"America/Goose_Bay", 6, 0, "2005-04-03T02:01Z", "2005-04-03T02:00Z", "2005-04-03T03:00Z"},
    {"America/Goose_Bay", 6, 0, "2005-04-03T03:00Z", "2005-04-03T03:00Z", "2005-04-03T04:00Z"},
    {"America/Goose_Bay", 6, 0, "2005-04-03T04:00Z", "2005-04-03T04:00Z", "2005-04-03T05:00Z"},
    {"America/Goose_Bay", 6, 0, "2005-04-03T05:01Z", "2005-04-03T05:00Z", "2005-04-03T06:00Z"},
    {"America/Goose_Bay", 6, 0, "2005-04-03T06:01Z", "2005-04-03T06:00Z", "2005-04-03T07:00Z"},
    {"America/Goose_Bay", 6, 0, "2005-04-03T16:01Z", "2005-04-03T16:00Z", "2005-04-03T17:00Z"},
    {"America/Goose_Bay", 0, 30, "2000-04-01T04:01Z", "2000-04-01T04:00Z", "2000-04-01T04:30Z"},
    {"America/Goose_Bay", 0, 30, "2000-04-02T02:01Z", "2000-04-02T02:00Z", "2000-04-02T02:30Z"},
    {"America/Goose_Bay", 0, 30, "2000-04-02T02:31Z", "2000-04-02T02:30Z", "2000-04-02T03:00Z"},
    {"America/Goose_Bay", 0, 30, "2000-04-02T03:00Z", "2000-04-02T03:00Z", "2000-04-02T03:30Z"},
    {"America/Goose_Bay", 0, 30, "2000-04-02T03:30Z", "2000-04-02T03:30Z", "2000-04-02T04:00Z"},
    {"America/Goose_Bay", 0, 30, "2000-04-02T04:00Z", "2000-04-02T04:00Z", "2000-04-02T04:01Z"},
    {"America/Goose_Bay", 0, 30, "2000-04-02T04:01Z", "2000-04-02T04:01Z", "2000-04-02T04:30Z"},
    {"America/Goose_Bay", 0, 30, "2000-04-02T04:31Z", "2000-04-02T04:30Z", "2000-04-02T05:00Z"},
    {"America/Bahia_Banderas", 0, 90, "2010-04-03T09:00Z", "2010-04-03T08:30Z",
     "2010-04-03T10:00Z"},
    {"America/Bahia_Banderas", 0, 90, "2010-04-04T07:00Z", "2010-04-04T07:00Z",
     "2010-04-04T08:30Z"},
    {"America/Bahia_Banderas", 0, 90, "2010-04-04T08:30Z", "2010-04-04T08:30Z",
     "2010-04-04T09:00Z"},
    {"America/Bahia_Banderas", 0, 90, "2010-04-04T09:00Z", "2010-04-04T09:00Z",
     "2010-04-04T09:30Z"},
    {"America/Bahia_Banderas", 0, 90, "2010-04-04T09:30Z", "2010-04-04T09:30Z",
     "2010-04-04T11:00Z"},
    {"America/Bahia_Banderas", 0, 90, "2010-04-04T11:00Z", "2010-04-04T11:00Z",
     "2010-04-04T12:30Z"},
    {"America/Bahia_Banderas", 0, 90, "2010-04-04T21:00Z", "2010-04-04T20:00Z",
     "2010-04-04T21:30Z"},
    {"America/Bahia_Banderas", 0, 90, "2010-04-05T09:00Z", "2010-04-05T08:00Z",
     "2010-04-05T09:30Z"},
    {"Antarctica/Casey", 0, 90, "2009-10-16T18:00Z", "2009-10-16T17:30Z", "2009-10-16T19:00Z"},
    {"Antarctica/Casey", 0, 90, "2009-10-17T16:00Z", "2009-10-17T16:00Z", "2009-10-17T17:30Z"},
    {"Antarctica/Casey", 0, 90, "2009-10-17T17:30Z", "2009-10-17T17:30Z", "2009-10-17T18:00Z"},
    {"Antarctica/Casey", 0, 90, "2009-10-17T18:00Z", "2009-10-17T18:00Z", "2009-10-17T19:00Z"},
    {"Antarctica/Casey", 0, 90, "2009-10-17T19:00Z", "2009-10-17T19:00Z", "2009-10-17T20:30Z"},
    {"Antarctica/Casey", 0, 90, "2009-10-17T20:30Z", "2009-10-17T20:30Z", "2009-10-17T22:00Z"},
    {"Antarctica/Casey", 0, 90, "2009-10-18T06:00Z", "2009-10-18T05:30Z", "2009-10-18T07:00Z"},
    {"Antarctica/Casey", 0, 90, "2009-10-18T18:00Z", "2009-10-18T17:30Z", "2009-10-18T19:00Z"},
    {"America/Indiana/Winamac", 0, 90, "2007-03-10T08:00Z", "2007-03-10T07:30Z",
     "2007-03-10T09:00Z"},
    {"America/Indiana/Winamac", 0, 90, "2007-03-11T06:00Z", "2007-03-11T06:00Z",
     "2007-03-11T07:30Z"},
    {"America/Indiana/Winamac", 0, 90, "2007-03-11T07:30Z", "2007-03-11T07:30Z",
     "2007-03-11T08:00Z"},
    {"America/Indiana/Winamac", 0, 90, "2007-03-11T08:00Z", "2007-03-11T08:00Z",
     "2007-03-11T08:30Z"},
    {"America/Indiana/Winamac", 0, 90, "2007-03-11T08:30Z", "2007-03-11T08:30Z",
     "2007-03-11T10:00Z"},
    {"America/Indiana/Winamac", 0, 90, "2007-03-11T10:00Z", "2007-03-11T10:00Z",
     "2007-03-11T11:30Z"},
    {"America/Indiana/Winamac", 0, 90, "2007-03-11T20:00Z", "2007-03-11T19:00Z",
     "2007-03-11T20:30Z"},
    {"America/Indiana/Winamac", 0, 90, "2007-03-12T08:00Z", "2007-03-12T07:00Z",
     "2007-03-12T08:30Z"},
    {"America/St_Johns", 5, 0, "2005-04-02T03:31Z", "2005-04-02T03:30Z", "2005-04-03T03:30Z"},
    {"America/St_Johns", 5, 0, "2005-04-03T03:30Z", "2005-04-03T03:30Z", "2005-04-04T02:30Z"},
    {"America/St_Johns", 5, 0, "2005-04-04T03:31Z", "2005-04-04T02:30Z", "2005-04-05T02:30Z"},
    {"America/St_Johns", 5, 0, "2005-04-10T03:31Z", "2005-04-10T02:30Z", "2005-04-11T02:30Z"},
    {"America/St_Johns", 5, 0, "2005-10-29T02:31Z", "2005-10-29T02:30Z", "2005-10-30T02:30Z"},
    {"America/St_Johns", 5, 0, "2005-10-30T02:30Z", "2005-10-30T02:30Z", "2005-10-31T03:30Z"},
    {"America/St_Johns", 5, 0, "2005-10-30T02:31Z", "2005-10-29T02:30Z", "2005-10-30T02:30Z"},
    {"America/St_Johns", 5, 0, "2005-10-30T03:31Z", "2005-10-30T02:30Z", "2005-10-31T03:30Z"},
    {"America/St_Johns", 4, 0, "2005-04-02T03:31Z", "2005-03-28T03:30Z", "2005-04-04T02:30Z"},
    {"America/St_Johns", 4, 0, "2005-04-04T03:31Z", "2005-04-04T02:30Z", "2005-04-11T02:30Z"},
    {"America/St_Johns", 4, 0, "2005-10-29T02:31Z", "2005-10-24T02:30Z", "2005-10-31T03:30Z"},
    {"America/St_Johns", 4, 0, "2005-11-06T02:31Z", "2005-10-31T03:30Z", "2005-11-07T03:30Z"},
    {"Pacific/Apia", 5, 0, "2011-04-01T14:00Z", "2011-04-01T10:00Z", "2011-04-02T10:00Z"},
    {"Pacific/Apia", 5, 0, "2011-04-02T12:00Z", "2011-04-02T10:00Z", "2011-04-03T11:00Z"},
    {"Pacific/Apia", 5, 0, "2011-04-03T14:00Z", "2011-04-03T11:00Z", "2011-04-04T11:00Z"},
    {"Pacific/Apia", 5, 0, "2011-04-09T14:00Z", "2011-04-09T11:00Z", "2011-04-10T11:00Z"},
    {"Pacific/Apia", 5, 0, "2011-09-23T14:00Z", "2011-09-23T11:00Z", "2011-09-24T11:00Z"},
    {"Pacific/Apia", 5, 0, "2011-09-24T12:00Z", "2011-09-24T11:00Z", "2011-09-25T10:00Z"},
    {"Pacific/Apia", 5, 0, "2011-09-25T14:00Z", "2011-09-25T10:00Z", "2011-09-26T10:00Z"},
    {"Pacific/Apia", 5, 0, "2011-10-01T14:00Z", "2011-10-01T10:00Z", "2011-10-02T10:00Z"},
    {"America/Sao_Paulo", 5, 0, "2018-02-17T02:00Z", "2018-02-17T02:00Z", "2018-02-18T03:00Z"},
    {"America/Sao_Paulo", 5, 0, "2018-02-18T03:00Z", "2018-02-18T03:00Z", "2018-02-19T03:00Z"},
    {"America/Sao_Paulo", 5, 0, "2018-02-25T02:00Z", "2018-02-24T03:00Z", "2018-02-25T03:00Z"},
    {"America/Sao_Paulo", 5, 0, "2018-11-03T03:00Z", "2018-11-03T03:00Z", "2018-11-04T03:00Z"},
    {"America/Sao_Paulo", 5, 0, "2018-11-04T03:00Z", "2018-11-04T03:00Z", "2018-11-05T02:00Z"},
    {"America/Sao_Paulo", 5, 0, "2018-11-05T03:00Z", "2018-11-05T02:00Z", "2018-11-06T02:00Z"},
    {"America/Sao_Paulo", 5, 0, "2018-11-11T03:00Z", "2018-11-11T02:00Z", "2018-11-12T02:00Z"},
    {"America/Sao_Paulo", 0, 720, "2018-02-17T02:00Z", "2018-02-17T02:00Z", "2018-02-17T14:00Z"},
    {"America/Sao_Paulo", 0, 720, "2018-02-18T00:00Z", "2018-02-17T14:00Z", "2018-02-18T03:00Z"},
    {"America/Sao_Paulo", 0, 720, "2018-02-18T03:00Z", "2018-02-18T03:00Z", "2018-02-18T15:00Z"},
    {"America/Sao_Paulo", 0, 720, "2018-02-19T02:00Z", "2018-02-18T15:00Z", "2018-02-19T03:00Z"},
    {"America/Sao_Paulo", 0, 720, "2018-02-25T02:00Z", "2018-02-24T15:00Z", "2018-02-25T03:00Z"},
    {"America/Sao_Paulo", 0, 720, "2018-11-03T03:00Z", "2018-11-03T03:00Z", "2018-11-03T15:00Z"},
    {"America/Sao_Paulo", 0, 720, "2018-11-04T01:00Z", "2018-11-03T15:00Z", "2018-11-04T03:00Z"},
    {"America/Sao_Paulo", 0, 720, "2018-11-04T03:00Z", "2018-11-04T03:00Z", "2018-11-04T14:00Z"},
    {"Africa/Cairo", 5, 0, "2014-05-14T22:00Z", "2014-05-14T22:00Z", "2014-05-15T22:00Z"},
    {"Africa/Cairo", 5, 0, "2014-05-15T22:00Z", "2014-05-15T22:00Z", "2014-05-16T21:00Z"},
    {"Africa/Cairo", 5, 0, "2014-05-16T22:00Z", "2014-05-16T21:00Z", "2014-05-17T21:00Z"},
    {"Africa/Cairo", 5, 0, "2014-05-22T22:00Z", "2014-05-22T21:00Z", "2014-05-23T21:00Z"},
    {"Africa/Cairo", 5, 0, "2014-06-25T21:00Z", "2014-06-25T21:00Z", "2014-06-26T22:00Z"},
    {"Africa/Cairo", 5, 0, "2014-06-26T22:00Z", "2014-06-26T22:00Z", "2014-06-27T22:00Z"},
    {"Africa/Cairo", 5, 0, "2014-07-03T21:00Z", "2014-07-02T22:00Z", "2014-07-03T22:00Z"},
    {"Africa/Cairo", 5, 0, "2014-07-30T22:00Z", "2014-07-30T22:00Z", "2014-07-31T22:00Z"},
    {"Asia/Gaza", 3, 0, "2011-03-30T22:01Z", "2011-02-28T22:00Z", "2011-03-31T22:00Z"},
    {"Asia/Gaza", 3, 0, "2011-03-31T22:00Z", "2011-03-31T22:00Z", "2011-04-30T21:00Z"},
    {"Asia/Gaza", 3, 0, "2011-07-30T21:00Z", "2011-06-30T21:00Z", "2011-07-31T22:00Z"},
    {"Asia/Gaza", 3, 0, "2011-07-31T22:00Z", "2011-07-31T22:00Z", "2011-08-31T22:00Z"},
};

int64_t at(const char* text) {
  return DateFormats::compile("strict_date_optional_time").value()->parse(text).value();
}

std::string text(int64_t ms) {
  return DateFormats::compile("strict_date_optional_time").value()->format(ms);
}

Rounding make(const Case& one) {
  RoundingSpec spec;
  spec.unit = one.unit;
  spec.fixed_ms = one.minutes * 60'000;
  spec.time_zone = one.zone;
  Result<Rounding> rounding = Rounding::make(spec);
  EXPECT_OK(rounding);
  return std::move(rounding).value();
}

TEST(RoundingZones, MomentsAroundChangesOfClocksHaveTheKeysOfElasticsearch) {
  for (const Case& one : kCases) {
    const Rounding rounding = make(one);
    const std::string name = std::string(one.zone) + " " + one.moment + ": ";
    EXPECT_EQ(name + text(rounding.round(at(one.moment))), name + text(at(one.key)));
    EXPECT_EQ(name + text(rounding.next(at(one.key))), name + text(at(one.next)));
  }
}

TEST(RoundingZones, TheTableOfTwoMonthsSaysTheSame) {
  constexpr int64_t kMonth = 30 * int64_t{86'400'000};
  for (const Case& one : kCases) {
    Rounding rounding = make(one);
    rounding.prepare(at(one.moment) - kMonth, at(one.moment) + kMonth);
    const std::string name = std::string(one.zone) + " " + one.moment + ": ";
    EXPECT_EQ(name + text(rounding.round(at(one.moment))), name + text(at(one.key)));
  }
}

TEST(RoundingZones, ADayThatComesTwiceHasNoTable) {
  Case day{"America/St_Johns", 5, 0, "2005-10-30T03:00Z", "", ""};
  Rounding rounding = make(day);
  rounding.prepare(at("2005-10-29T00:00Z"), at("2005-10-31T00:00Z"));
  EXPECT_EQ(rounding.places(), 0U);
  rounding.prepare(at("2005-11-01T00:00Z"), at("2005-11-30T00:00Z"));
  EXPECT_TRUE(rounding.places() > 20);
  // Since 2011 the changes there are at two.
  EXPECT_FALSE(
      TimeZone::find("America/St_Johns").value()->repeats_days(at("2012-01-01"), at("9999-01-01")));
  EXPECT_TRUE(
      TimeZone::find("America/St_Johns").value()->repeats_days(at("1990-01-01"), at("9999-01-01")));
}

TEST(RoundingZones, TheLastChangeIsTheOneAtOrBeforeAMoment) {
  const auto zone = TimeZone::find("Europe/Berlin").value();
  const int64_t summer = at("2050-03-27T01:00Z");
  const std::optional<OffsetChange> change = zone->last_change(summer);
  ASSERT_TRUE(change.has_value());
  EXPECT_EQ(change->at_ms, summer);
  EXPECT_EQ(change->before, 3600);
  EXPECT_EQ(change->after, 7200);
  EXPECT_EQ(text(zone->last_change(summer - 1)->at_ms), "2049-10-31T01:00:00.000Z");
  EXPECT_FALSE(TimeZone::find("+05:30").value()->last_change(summer).has_value());
  EXPECT_FALSE(zone->last_change(at("1800-01-01")).has_value());
}

}  // namespace quarry::rounding_zones_test
