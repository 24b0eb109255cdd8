// Values of number fields: ranges, coercion, rounding to the type, and error messages.
#include "mapping/values/numeric.h"

#include <cmath>
#include <limits>

#include "mapping/schema/number_types.h"
#include "testing/test.h"

namespace quarry::numeric_test {

Field field_of(FieldType type) {
  Field field;
  field.name = "n";
  field.type = type;
  return field;
}

/// The stored value as JSON, or the cause of the error.
std::string store(const Field& field, std::string_view text, bool quoted = false) {
  const Result<int64_t> value = parse_value(field, text, quoted);
  return value.ok() ? column_to_json(field, *value) : value.status().cause();
}
std::string store(FieldType type, std::string_view text, bool quoted = false) {
  return store(field_of(type), text, quoted);
}

TEST(Numeric, SortsDoublesAsIntegers) {
  const double values[] = {-std::numeric_limits<double>::infinity(),
                           -1e300,
                           -1.5,
                           -1e-300,
                           -0.0,
                           0.0,
                           1e-300,
                           1.5,
                           1e300};
  int64_t last = INT64_MIN;
  for (const double value : values) {
    const int64_t sortable = sortable_from_double(value);
    EXPECT_LT(last, sortable);
    EXPECT_EQ(std::signbit(double_from_sortable(sortable)), std::signbit(value));
    EXPECT_EQ(double_from_sortable(sortable), value);
    last = sortable;
  }
}

TEST(Numeric, StoresIntegers) {
  EXPECT_EQ(store(FieldType::kLong, "9223372036854775807"), "9223372036854775807");
  EXPECT_EQ(store(FieldType::kLong, "-9223372036854775808", true), "-9223372036854775808");
  EXPECT_EQ(store(FieldType::kLong, "9223372036854775807.9", true), "9223372036854775807");
  EXPECT_EQ(store(FieldType::kLong, "5.7"), "5");
  EXPECT_EQ(store(FieldType::kLong, "-5.7", true), "-5");
  EXPECT_EQ(store(FieldType::kInteger, "1e3"), "1000");
  EXPECT_EQ(store(FieldType::kByte, "-128"), "-128");
}

TEST(Numeric, RefusesIntegersByElasticsearchsWords) {
  EXPECT_EQ(store(FieldType::kLong, "9223372036854775808", true),
            "Value [9223372036854775808] is out of range for a long");
  EXPECT_EQ(store(FieldType::kLong, "9223372036854775808"),
            "Numeric value (9223372036854775808) out of range of long (-9223372036854775808 - "
            "9223372036854775807)");
  EXPECT_EQ(store(FieldType::kInteger, "2147483648", true),
            "Value [2147483648] is out of range for an integer");
  EXPECT_EQ(store(FieldType::kShort, "40000", true), "Value [40000] is out of range for a short");
  EXPECT_EQ(store(FieldType::kByte, "128"), "Value [128] is out of range for a byte");
  EXPECT_EQ(store(FieldType::kLong, "abc", true), "For input string: \"abc\"");
  EXPECT_EQ(store(FieldType::kLong, "true"),
            "Current token (VALUE_TRUE) not numeric, can not use numeric value accessors");
  EXPECT_EQ(store(FieldType::kLong, "NaN", true), "For input string: \"NaN\"");
  const Status status = parse_value(field_of(FieldType::kInteger), "x", true).status();
  EXPECT_EQ(status.reason(), "failed to parse field [n] of type [integer]");
  EXPECT_EQ(status.type(), ErrorType::kDocumentParsing);
}

TEST(Numeric, BlanksAroundWholeNumbersAreOfLongsOnly) {
  for (const FieldType type : {FieldType::kInteger, FieldType::kShort, FieldType::kByte}) {
    EXPECT_EQ(store(type, " 1 ", true), "1");
    EXPECT_EQ(store(type, "\t-1.0\n", true), "-1");
    EXPECT_EQ(store(type, " ", true), "For input string: \" \"");
    EXPECT_EQ(store(type,
                    "\xC2\xA0"
                    "1",
                    true),
              "For input string: \"\xC2\xA0"
              "1\"");
  }
  EXPECT_EQ(store(FieldType::kLong, " 1 ", true), "For input string: \" 1 \"");
  EXPECT_EQ(store(FieldType::kLong, "1 ", true), "For input string: \"1 \"");
  EXPECT_EQ(store(FieldType::kUnsignedLong, " 1", true), "For input string: \" 1\"");
}

TEST(Numeric, CoercesOnlyWhenAllowed) {
  Field strict = field_of(FieldType::kInteger);
  strict.coerce = false;
  EXPECT_EQ(store(strict, "5"), "5");
  EXPECT_EQ(store(strict, "5.0"), "5");
  EXPECT_EQ(store(strict, "5", true), "Integer value passed as String");
  EXPECT_EQ(store(strict, "5.5"), "5.5 cannot be converted to Integer without data loss");
}

TEST(Numeric, StoresFractionsInTheirPrecision) {
  EXPECT_EQ(store(FieldType::kDouble, "0.1"), "0.1");
  EXPECT_EQ(store(FieldType::kDouble, " 1e10 ", true), "1.0E10");
  EXPECT_EQ(store(FieldType::kFloat, "0.1"), "0.10000000149011612");
  EXPECT_EQ(store(FieldType::kHalfFloat, "0.1"), "0.0999755859375");
  EXPECT_EQ(store(FieldType::kHalfFloat, "65519"), "65504.0");
  EXPECT_EQ(store(FieldType::kDouble, "1e400"),
            "[double] supports only finite values, but got [Infinity]");
  EXPECT_EQ(store(FieldType::kFloat, "1e39"),
            "[float] supports only finite values, but got [1.0E39]");
  EXPECT_EQ(store(FieldType::kHalfFloat, "65520"),
            "[half_float] supports only finite values, but got [65520.0]");
  EXPECT_EQ(store(FieldType::kDouble, "NaN", true),
            "[double] supports only finite values, but got [NaN]");
  EXPECT_EQ(store(FieldType::kDouble, "x", true), "For input string: \"x\"");
  Field scaled = field_of(FieldType::kScaledFloat);
  scaled.scaling_factor = 100;
  EXPECT_EQ(store(scaled, "1.239"), "1.24");
  EXPECT_EQ(store(scaled, "-0.005"), "0.0");
}

TEST(Numeric, HalvesAndAdjacentNumbers) {
  EXPECT_EQ(round_to_half(2049), 2048.0F);
  EXPECT_EQ(round_to_half(2051), 2052.0F);
  EXPECT_EQ(round_to_half(5.9604645e-8F), 5.9604645e-8F);
  EXPECT_EQ(round_to_half(1e-9F), 0.0F);
  for (const float half : {0.0F, 1.0F, -1.0F, 1.5F, 2048.0F, -65504.0F, 6.1035156e-5F}) {
    const float up = next_half_up(half);
    EXPECT_EQ(round_to_half(up), up);
    EXPECT_EQ(next_half_down(up), half);
    EXPECT_EQ(round_to_half((half + up) / 2) == half || round_to_half((half + up) / 2) == up, true);
  }
}

TEST(Numeric, StoresUnsignedLongs) {
  EXPECT_EQ(store(FieldType::kUnsignedLong, "18446744073709551615"), "18446744073709551615");
  EXPECT_EQ(store(FieldType::kUnsignedLong, "0", true), "0");
  EXPECT_EQ(store(FieldType::kUnsignedLong, "-1"), "Value [-1] is out of range for unsigned long");
  EXPECT_EQ(store(FieldType::kUnsignedLong, "1.5"), "Value [1.5] has a decimal part");
  const Field field = field_of(FieldType::kUnsignedLong);
  EXPECT_LT(*parse_value(field, "1", false), *parse_value(field, "9223372036854775808", false));
  EXPECT_EQ(column_to_double(field, *parse_value(field, "18446744073709551615", false)),
            18446744073709551616.0);
}

TEST(Numeric, StoresBooleans) {
  EXPECT_EQ(store(FieldType::kBoolean, "true"), "true");
  EXPECT_EQ(store(FieldType::kBoolean, "false", true), "false");
  EXPECT_EQ(store(FieldType::kBoolean, "", true), "false");
  EXPECT_EQ(store(FieldType::kBoolean, "yes", true),
            "Failed to parse value [yes] as only [true] or [false] are allowed.");
  EXPECT_EQ(store(FieldType::kBoolean, "1"), "Current token (VALUE_NUMBER) not of boolean type");
}

TEST(Numeric, StoresDates) {
  EXPECT_EQ(store(FieldType::kDate, "2024-02-29", true), "\"2024-02-29T00:00:00.000Z\"");
  EXPECT_EQ(store(FieldType::kDate, "1500000000000"), "\"2017-07-14T02:40:00.000Z\"");
  EXPECT_EQ(
      store(FieldType::kDate, "bar", true),
      "failed to parse date field [bar] with format [strict_date_optional_time||epoch_millis]");
}

TEST(Ip, ReadsAndPrintsAddresses) {
  const auto round_trip = [](std::string_view text) {
    const Result<std::string> bytes = parse_ip(text);
    return bytes.ok() ? format_ip(*bytes) : bytes.status().reason();
  };
  EXPECT_EQ(round_trip("192.168.1.42"), "192.168.1.42");
  EXPECT_EQ(round_trip("::ffff:1.2.3.4"), "1.2.3.4");
  EXPECT_EQ(round_trip("2001:DB8:0:0:1:0:0:1"), "2001:db8::1:0:0:1");
  EXPECT_EQ(round_trip("::"), "::");
  EXPECT_EQ(round_trip("::1"), "::1");
  EXPECT_EQ(round_trip("1::"), "1::");
  EXPECT_EQ(round_trip("1:2:3:4:5:6:7:8"), "1:2:3:4:5:6:7:8");
  EXPECT_EQ(round_trip("1:0:3:4:5:6:7:8"), "1:0:3:4:5:6:7:8");
  for (const char* bad : {"", "1.2.3", "1.2.3.4.5", "256.1.1.1", "01.2.3.4", "1.2.3.", ":::1",
                          "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "12345::", "g::", "quux",
                          "1.2.3.4:1", "::1.2.3", "1:2:3:4:5:6:7::8"}) {
    EXPECT_EQ(round_trip(bad), "'" + std::string(bad) + "' is not an IP string literal.");
  }
}

TEST(Ip, ReadsRanges) {
  const auto range = [](std::string_view text) {
    const Result<IpRange> parsed = parse_ip_range(text);
    return parsed.ok() ? format_ip(parsed->low) + " " + format_ip(parsed->high)
                       : std::string("refused");
  };
  EXPECT_EQ(range("10.0.0.0/8"), "10.0.0.0 10.255.255.255");
  EXPECT_EQ(range("10.1.2.3/31"), "10.1.2.2 10.1.2.3");
  EXPECT_EQ(range("10.1.2.3"), "10.1.2.3 10.1.2.3");
  EXPECT_EQ(range("2001:db8::/32"), "2001:db8:: 2001:db8:ffff:ffff:ffff:ffff:ffff:ffff");
  EXPECT_EQ(range("::/0"), ":: ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff");
  EXPECT_EQ(range("10.0.0.0/33"), "refused");
  EXPECT_EQ(range("10.0.0.0/"), "refused");
  EXPECT_EQ(range("x/8"), "refused");
}

}  // namespace quarry::numeric_test
