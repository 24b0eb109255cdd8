// Bounds and terms of queries, rounded to values that each type can represent.
#include "mapping/dates/date_format.h"
#include "mapping/values/numeric.h"
#include "testing/test.h"

namespace quarry::number_bound_test {

constexpr int64_t kNow = 1709629509007;  // 2024-03-05T09:05:09.007Z

Field field_of(FieldType type) {
  Field field;
  field.name = "n";
  field.type = type;
  return field;
}

/// `op`: = > ] (>=) < [ (<=).
std::string bound(const Field& field, char op, std::string_view text, std::string_view format = "",
                  std::string_view zone = "") {
  const BoundKind kind = op == '='                ? BoundKind::kExact
                         : op == '>' || op == ']' ? BoundKind::kLower
                                                  : BoundKind::kUpper;
  const Result<Bound> result =
      parse_bound(field, text, true, kind, op == '>' || op == '<', format, zone, kNow);
  if (!result.ok()) return result.status().reason();
  return result->none ? "none" : column_to_json(field, result->value);
}
std::string bound(FieldType type, char op, std::string_view text) {
  return bound(field_of(type), op, text);
}

TEST(NumberBound, RoundsForIntegers) {
  EXPECT_EQ(bound(FieldType::kLong, '=', "5"), "5");
  EXPECT_EQ(bound(FieldType::kLong, '=', "5.0"), "5");
  EXPECT_EQ(bound(FieldType::kLong, '=', "1.5"), "none");
  EXPECT_EQ(bound(FieldType::kLong, ']', "1.5"), "2");
  EXPECT_EQ(bound(FieldType::kLong, '>', "1.5"), "2");
  EXPECT_EQ(bound(FieldType::kLong, '>', "1"), "2");
  EXPECT_EQ(bound(FieldType::kLong, '[', "1.5"), "1");
  EXPECT_EQ(bound(FieldType::kLong, '<', "1.5"), "1");
  EXPECT_EQ(bound(FieldType::kLong, '<', "1"), "0");
  EXPECT_EQ(bound(FieldType::kLong, ']', "-1.5"), "-1");
  EXPECT_EQ(bound(FieldType::kLong, '[', "-1.5"), "-2");
  EXPECT_EQ(bound(FieldType::kLong, '=', "abc"), "For input string: \"abc\"");
}

TEST(NumberBound, SkipsBlanksWhereDocumentsMayHaveThem) {
  EXPECT_EQ(bound(FieldType::kInteger, '=', " 5 "), "5");
  EXPECT_EQ(bound(FieldType::kByte, ']', "\t1.5"), "2");
  EXPECT_EQ(bound(FieldType::kDouble, '=', " 1.5 "), "1.5");
  EXPECT_EQ(bound(FieldType::kInteger, '=', " "), "For input string: \" \"");
  EXPECT_EQ(bound(FieldType::kLong, '=', " 5 "), "For input string: \" 5 \"");
}

TEST(NumberBound, StaysInTheTypesRange) {
  EXPECT_EQ(bound(FieldType::kByte, '=', "300"), "none");
  EXPECT_EQ(bound(FieldType::kByte, ']', "300"), "none");
  EXPECT_EQ(bound(FieldType::kByte, '[', "300"), "127");
  EXPECT_EQ(bound(FieldType::kByte, ']', "-300"), "-128");
  EXPECT_EQ(bound(FieldType::kByte, '[', "-300"), "none");
  EXPECT_EQ(bound(FieldType::kByte, '>', "127"), "none");
  EXPECT_EQ(bound(FieldType::kByte, '<', "-128"), "none");
  EXPECT_EQ(bound(FieldType::kByte, '>', "127.5"), "none");
  EXPECT_EQ(bound(FieldType::kLong, '[', "1e30"), "9223372036854775807");
  EXPECT_EQ(bound(FieldType::kLong, ']', "9223372036854775807.5"), "none");
  EXPECT_EQ(bound(FieldType::kLong, '[', "-9223372036854775808.5"), "none");
  EXPECT_EQ(bound(FieldType::kLong, ']', "-9223372036854775808"), "-9223372036854775808");
  EXPECT_EQ(bound(FieldType::kUnsignedLong, ']', "-0.5"), "0");
  EXPECT_EQ(bound(FieldType::kUnsignedLong, '[', "-1"), "none");
  EXPECT_EQ(bound(FieldType::kUnsignedLong, '<', "18446744073709551615"), "18446744073709551614");
  EXPECT_EQ(bound(FieldType::kUnsignedLong, '>', "18446744073709551615"), "none");
}

TEST(NumberBound, StepsByTheTypesPrecision) {
  EXPECT_EQ(bound(FieldType::kDouble, ']', "0.1"), "0.1");
  EXPECT_EQ(bound(FieldType::kDouble, '>', "0.1"), "0.10000000000000002");
  EXPECT_EQ(bound(FieldType::kFloat, '=', "0.1"), "0.10000000149011612");
  EXPECT_EQ(bound(FieldType::kFloat, '>', "1"), "1.0000001192092896");
  EXPECT_EQ(bound(FieldType::kHalfFloat, '>', "1"), "1.0009765625");
  EXPECT_EQ(bound(FieldType::kHalfFloat, '<', "1"), "0.99951171875");
  EXPECT_EQ(bound(FieldType::kFloat, ']', "1e39"), "none");
  EXPECT_EQ(bound(FieldType::kDouble, '=', "1e400"), "none");
  EXPECT_EQ(bound(FieldType::kDouble, '=', "x"), "For input string: \"x\"");
  Field scaled = field_of(FieldType::kScaledFloat);
  scaled.scaling_factor = 100;
  EXPECT_EQ(bound(scaled, '=', "1.239"), "1.24");
  EXPECT_EQ(bound(scaled, ']', "1.231"), "1.24");
  EXPECT_EQ(bound(scaled, '[', "1.239"), "1.23");
  EXPECT_EQ(bound(scaled, '>', "1.25"), "1.26");
  EXPECT_EQ(bound(scaled, '<', "1.25"), "1.24");
}

TEST(NumberBound, TakesBooleans) {
  EXPECT_EQ(bound(FieldType::kBoolean, '=', "true"), "true");
  EXPECT_EQ(bound(FieldType::kBoolean, '>', "true"), "none");
  EXPECT_EQ(bound(FieldType::kBoolean, '>', "false"), "true");
  EXPECT_EQ(bound(FieldType::kBoolean, '=', ""),
            "Can't parse boolean value [], expected [true] or [false]");
  EXPECT_EQ(bound(FieldType::kBoolean, '=', "1"),
            "Can't parse boolean value [1], expected [true] or [false]");
}

TEST(NumberBound, RoundsDatesByWhatTheyName) {
  const Field date = field_of(FieldType::kDate);
  EXPECT_EQ(bound(date, ']', "2024-02-03"), "\"2024-02-03T00:00:00.000Z\"");
  EXPECT_EQ(bound(date, '>', "2024-02-03"), "\"2024-02-04T00:00:00.000Z\"");
  EXPECT_EQ(bound(date, '<', "2024-02-03"), "\"2024-02-02T23:59:59.999Z\"");
  EXPECT_EQ(bound(date, '[', "2024-02-03"), "\"2024-02-03T23:59:59.999Z\"");
  EXPECT_EQ(bound(date, '[', "now/d"), "\"2024-03-05T23:59:59.999Z\"");
  EXPECT_EQ(bound(date, ']', "now-1d/d"), "\"2024-03-04T00:00:00.000Z\"");
  EXPECT_EQ(bound(date, ']', "1500000000000"), "\"2017-07-14T02:40:00.000Z\"");
  EXPECT_EQ(bound(date, ']', "03/02/2024", "dd/MM/yyyy"), "\"2024-02-03T00:00:00.000Z\"");
  EXPECT_EQ(bound(date, ']', "2024-02-03", "", "+01:00"), "\"2024-02-02T23:00:00.000Z\"");
  EXPECT_EQ(bound(date, ']', "x"),
            "failed to parse date field [x] with format [strict_date_optional_time||epoch_millis]");
  EXPECT_TRUE(
      bound(date, ']', "2024", "", "Mars/Base").starts_with("Unknown time-zone ID: [Mars/Base]"));
  EXPECT_TRUE(bound(date, ']', "2024", "foo").starts_with("Invalid format: [foo]"));
}

}  // namespace quarry::number_bound_test
