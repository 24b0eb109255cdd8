// Ranges as terms: their order, the values of documents, the bounds of queries, and the printed
// form.
#include "mapping/values/range_value.h"

#include <string>

#include "mapping/dates/date_format.h"
#include "mapping/schema/mapping.h"
#include "testing/test.h"

namespace quarry::range_value_test {

std::shared_ptr<const Mapping> mapping_of(std::string_view type) {
  const std::string json = R"({"properties":{"r":{"type":")" + std::string(type) + R"("}}})";
  return Mapping::create(json, make_mapping_context("").value()).value();
}

std::string text_of(const Field& field, std::string_view end) {
  if (field.type == FieldType::kIpRange) return format_ip(end);
  return column_to_json(*field.ends, unpack_end(end));
}

/// "low..high" of a document's value, or the error.
std::string range(std::string_view type, std::string_view json) {
  const auto mapping = mapping_of(type);
  const Field& field = *mapping->find("r");
  const Result<std::string> term = parse_range(field, JsonValue::parse(json).value());
  if (!term.ok()) return term.status().reason();
  const RangeEnds ends = range_ends(field, *term);
  return text_of(field, ends.low) + ".." + text_of(field, ends.high);
}

std::string shown(std::string_view type, std::string_view json) {
  const auto mapping = mapping_of(type);
  return range_to_json(*mapping->find("r"), JsonValue::parse(json).value(), nullptr);
}

TEST(RangeValue, EndsPackInOrder) {
  const int64_t values[] = {INT64_MIN, -2, -1, 0, 1, 255, 256, INT64_MAX};
  std::string last;
  for (const int64_t value : values) {
    const std::string packed = pack_end(value);
    EXPECT_LT(last, packed);
    EXPECT_EQ(unpack_end(packed), value);
    last = packed;
  }
  EXPECT_EQ(unpack_end("short"), 0);
}

TEST(RangeValue, ReadsEndsOfEveryType) {
  EXPECT_EQ(range("integer_range", R"({"gte":1,"lt":5})"), "1..4");
  EXPECT_EQ(range("integer_range", R"({"gt":1.9,"lte":"5"})"), "2..5");
  EXPECT_EQ(range("integer_range", R"({"gte":null})"), "-2147483648..2147483647");
  EXPECT_EQ(range("long_range", "{}"), "-9223372036854775808..9223372036854775807");
  EXPECT_EQ(range("double_range", R"({"gte":-0.5,"lte":0.5})"), "-0.5..0.5");
  EXPECT_EQ(range("float_range", R"({"gt":1,"lte":2})"), "1.0000001192092896..2.0");
  EXPECT_EQ(range("date_range", R"({"gte":"2024-01-01","lt":"2024-01-02"})"),
            "\"2024-01-01T00:00:00.000Z\"..\"2024-01-01T23:59:59.999Z\"");
  EXPECT_EQ(range("date_range", R"({"gt":"2024-01-01","lte":"2024-01-02"})"),
            "\"2024-01-02T00:00:00.000Z\"..\"2024-01-02T23:59:59.999Z\"");
  EXPECT_EQ(range("ip_range", R"({"gt":"10.0.0.0","lt":"10.0.1.0"})"), "10.0.0.1..10.0.0.255");
  EXPECT_EQ(range("ip_range", "\"10.0.0.0/8\""), "10.0.0.0..10.255.255.255");
}

TEST(RangeValue, RefusesWhatIsNoRange) {
  EXPECT_EQ(range("integer_range", R"({"gte":6,"lte":5})"),
            "min value (6) is greater than max value (5)");
  EXPECT_EQ(range("integer_range", R"({"gt":5,"lt":6})"),
            "min value (6) is greater than max value (5)");
  EXPECT_EQ(range("integer_range", R"({"gt":2147483647})"),
            "no value of field [r] is within the range");
  EXPECT_EQ(range("ip_range", R"({"lt":"::"})"), "no value of field [r] is within the range");
  EXPECT_EQ(range("integer_range", R"({"from":6})"),
            "error parsing field [r], with unknown parameter [from]");
  EXPECT_EQ(range("integer_range", "5"), "error parsing field [r], expected an object but got 5");
  EXPECT_EQ(range("integer_range", R"({"gte":"five"})"), "For input string: \"five\"");
  EXPECT_EQ(range("integer_range", R"({"gte":3000000000})"),
            "Numeric value (3000000000) out of range of int (-2147483648 - 2147483647)");
  EXPECT_EQ(range("integer_range", R"({"gte":{}})"),
            "error parsing field [r], [gte] must be a single value, got {}");
  EXPECT_EQ(range("ip_range", R"({"gte":"10.0.0.0/8"})"),
            "'10.0.0.0/8' is not an IP string literal.");
  EXPECT_EQ(range("date_range", R"({"gte":"now"})"),
            "[now] is not used at indexing time, give the date: [now]");
}

TEST(RangeValue, ShowsTheSourceInTheMappingsSpelling) {
  EXPECT_EQ(shown("integer_range", R"({"gte":"0","lte":42.9})"), R"({"gte":0,"lte":42})");
  EXPECT_EQ(shown("date_range", R"({"gt":"2024-01-01"})"), R"({"gt":"2024-01-01T00:00:00.000Z"})");
  EXPECT_EQ(shown("ip_range", R"({"gte":"::ffff:10.0.0.1"})"), R"({"gte":"10.0.0.1"})");
  EXPECT_EQ(shown("ip_range", "\"10.0.0.0/8\""), "\"10.0.0.0/8\"");
  EXPECT_EQ(shown("integer_range", R"({"gte":"five"})"), "");
  EXPECT_EQ(shown("integer_range", "5"), "");
}

TEST(RangeValue, TermsOfAnotherLengthAreNone) {
  const auto mapping = mapping_of("ip_range");
  EXPECT_TRUE(range_ends(*mapping->find("r"), std::string(16, 'x')).low.empty());
  EXPECT_EQ(range_ends(*mapping->find("r"), std::string(32, 'x')).high.size(), size_t{16});
}

}  // namespace quarry::range_value_test
