// Timestamps in nanoseconds: parsing, printing, rounding of bounds, and the supported years.
#include <string>

#include "mapping/dates/date_format.h"
#include "mapping/values/numeric.h"
#include "testing/test.h"

namespace quarry::date_nanos_test {

Field nanos() {
  Field field;
  field.name = "n";
  field.type = FieldType::kDateNanos;
  return field;
}

/// The stored value, or the cause of the error.
std::string store(std::string_view text) {
  const Result<int64_t> value = parse_value(nanos(), text, true);
  return value.ok() ? std::to_string(*value) : value.status().cause();
}

/// A bound of a query, "none" if no value can match.
std::string bound(std::string_view text, BoundKind kind, bool exclusive) {
  const Result<Bound> found = parse_bound(nanos(), text, true, kind, exclusive, {}, {}, 0);
  if (!found.ok()) return found.status().reason();
  return found->none ? "none" : std::to_string(found->value);
}

std::string printed(int64_t value, std::string_view format) {
  const auto formats = DateFormats::compile(format).value();
  return format_date(nanos(), value, formats.get());
}

TEST(DateNanos, StoresNineDigitsOfASecond) {
  EXPECT_EQ(store("2018-10-29T12:12:12.123456789Z"), "1540815132123456789");
  EXPECT_EQ(store("2018-10-29T12:12:12.5Z"), "1540815132500000000");
  EXPECT_EQ(store("1540815132123"), "1540815132123000000");
  EXPECT_EQ(store("1540815132123.456789"), "1540815132123456789");
  EXPECT_EQ(store("1970-01-01"), "0");
}

TEST(DateNanos, HoldsTheYearsThatFit) {
  EXPECT_EQ(store("2262-04-11T23:47:16.854775807Z"), "9223372036854775807");
  EXPECT_EQ(store("2262-04-11T23:47:16.854775808Z"),
            "date[2262-04-11T23:47:16.854775808Z] is after 2262-04-11T23:47:16.854775807 and "
            "cannot be stored in nanosecond resolution");
  EXPECT_EQ(store("1969-12-31T23:59:59.999999999Z"),
            "date[1969-12-31T23:59:59.999999999Z] is before the epoch in 1970 and cannot be "
            "stored in nanosecond resolution");
  EXPECT_EQ(store(""), "cannot parse empty datetime");
  EXPECT_EQ(store("soon"),
            "failed to parse date field [soon] with format "
            "[strict_date_optional_time_nanos||epoch_millis]");
}

TEST(DateNanos, PrintsAsManyDigitsAsTheFormatAsksFor) {
  constexpr int64_t kMoment = 1540815132123456789;
  EXPECT_EQ(column_to_json(nanos(), kMoment), "\"2018-10-29T12:12:12.123456789Z\"");
  EXPECT_EQ(column_to_json(nanos(), 1540815132987000000), "\"2018-10-29T12:12:12.987Z\"");
  EXPECT_EQ(column_to_json(nanos(), 1540815132000000000), "\"2018-10-29T12:12:12.000Z\"");
  EXPECT_EQ(printed(kMoment, "strict_date_optional_time"), "2018-10-29T12:12:12.123Z");
  EXPECT_EQ(printed(kMoment, "epoch_millis"), "1540815132123.456789");
  EXPECT_EQ(printed(kMoment, "epoch_second"), "1540815132.123456789");
  EXPECT_EQ(printed(kMoment, "uuuu-MM-dd'T'HH:mm:ss.SSSSSSSSSX"), "2018-10-29T12:12:12.123456789Z");
}

TEST(DateNanos, BoundsMeanAllOfTheTimeTheyName) {
  EXPECT_EQ(bound("2018-10-29", BoundKind::kLower, false), "1540771200000000000");
  EXPECT_EQ(bound("2018-10-29", BoundKind::kUpper, false), "1540857599999999999");
  EXPECT_EQ(bound("2018-10-29", BoundKind::kLower, true), "1540857600000000000");
  EXPECT_EQ(bound("2018-10-29", BoundKind::kUpper, true), "1540771199999999999");
  EXPECT_EQ(bound("2018-10-29T12:00:00Z||/d", BoundKind::kUpper, false), "1540857599999999999");
  EXPECT_EQ(bound("1540815132123", BoundKind::kUpper, false), "1540815132123999999");
}

TEST(DateNanos, BoundsBeyondTheYearsAreOpenOrEmpty) {
  EXPECT_EQ(bound("1900-01-01", BoundKind::kLower, false), "0");
  EXPECT_EQ(bound("1900-01-01", BoundKind::kUpper, false), "none");
  EXPECT_EQ(bound("3000-01-01", BoundKind::kUpper, false), "9223372036854775807");
  EXPECT_EQ(bound("3000-01-01", BoundKind::kLower, false), "none");
}

TEST(DateNanos, CountsInMillisecondsWhereDatesMeet) {
  EXPECT_EQ(column_to_double(nanos(), 1999999), 1.0);
  EXPECT_EQ(nanos_to_ms(-1), -1);
  EXPECT_FALSE(to_nanos(-1, 999'999).has_value());
  EXPECT_EQ(to_nanos(1, 1).value_or(0), 1'000'001);
}

}  // namespace quarry::date_nanos_test
