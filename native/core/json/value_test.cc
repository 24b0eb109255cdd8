// The JSON tree, numbers in their spelling, and string escaping.
#include "json/value.h"

#include <cmath>

#include "json/number.h"
#include "testing/test.h"

namespace quarry::value_test {

std::string round_trip(std::string_view text) {
  const Result<JsonValue> value = JsonValue::parse(text);
  return value.ok() ? value->to_json() : value.status().reason();
}

TEST(JsonValue, KeepsOrderAndSpelling) {
  EXPECT_EQ(round_trip(R"( {"b":1.50,"a":[ 12345678901234567890123 ,"x\u0041\n\"",null,true]} )"),
            R"({"b":1.50,"a":[12345678901234567890123,"xA\n\"",null,true]})");
  EXPECT_EQ(round_trip("\"\\u0000\\u001f\""), "\"\\u0000\\u001f\"");
}

TEST(JsonValue, RefusesBadText) {
  EXPECT_FALSE(JsonValue::parse("").ok());
  EXPECT_FALSE(JsonValue::parse("{} {}").ok());
  EXPECT_FALSE(JsonValue::parse("\"\xC3\"").ok());
  EXPECT_FALSE(JsonValue::parse("\"\xED\xA0\x80\"").ok());
  EXPECT_FALSE(JsonValue::parse("[[[1]]]", 2).ok());
  EXPECT_TRUE(JsonValue::parse("[[[1]]]", 3).ok());
  EXPECT_EQ(JsonValue::parse("{\"a\":}").status().type(), ErrorType::kXContentParse);
}

TEST(JsonValue, FindsAndSetsMembers) {
  Result<JsonValue> value = JsonValue::parse(R"({"a":1,"b":"2"})");
  ASSERT_OK(value);
  EXPECT_EQ(value->find("b")->text(), "2");
  EXPECT_TRUE(value->find("c") == nullptr);
  value->set("a", JsonValue::boolean(true));
  value->set("c", JsonValue::null());
  EXPECT_EQ(value->to_json(), R"({"a":true,"b":"2","c":null})");
}

TEST(JsonValue, ReadsNumbers) {
  const auto value = [](std::string_view text) { return *JsonValue::parse(text); };
  EXPECT_EQ(value("9223372036854775807").as_int().value_or(0), INT64_MAX);
  EXPECT_EQ(value("\"-5\"").as_int().value_or(0), -5);
  EXPECT_EQ(value("1e3").as_int().value_or(0), 1000);
  EXPECT_FALSE(value("1.5").as_int().has_value());
  EXPECT_FALSE(value("9223372036854775808").as_int().has_value());
  EXPECT_FALSE(value("\"x\"").as_int().has_value());
  EXPECT_FALSE(value("true").as_double().has_value());
  EXPECT_EQ(value("\"1.25\"").as_double().value_or(0), 1.25);
}

TEST(JsonValue, ComparesByValue) {
  const auto same = [](std::string_view a, std::string_view b) {
    return *JsonValue::parse(a) == *JsonValue::parse(b);
  };
  EXPECT_TRUE(same(R"({"a":1,"b":[1.0]})", R"({"b":[1.00],"a":1})"));
  EXPECT_FALSE(same("1", "1.0"));
  EXPECT_TRUE(same("0", "-0"));
  EXPECT_FALSE(same("1", "\"1\""));
  EXPECT_FALSE(same("[1,2]", "[2,1]"));
  EXPECT_FALSE(same("{\"a\":1}", "{\"a\":1,\"b\":1}"));
}

TEST(JsonNumber, ReadsDoubles) {
  EXPECT_EQ(parse_double("+1.5").value_or(0), 1.5);
  EXPECT_EQ(parse_double("1.").value_or(0), 1.0);
  EXPECT_EQ(parse_double(".5").value_or(0), 0.5);
  EXPECT_TRUE(std::isinf(parse_double("1e400").value_or(0)));
  EXPECT_EQ(parse_double("1e-400").value_or(1), 0.0);
  EXPECT_EQ(parse_double("-1e-400").value_or(1), 0.0);
  EXPECT_TRUE(std::isnan(parse_double("NaN").value_or(0)));
  for (const char* bad :
       {"", "-", "+", "+-1", "inf", "nan", "0x10", "1e", "1 ", " 1", "1,5", "abc"}) {
    EXPECT_FALSE(parse_double(bad).has_value());
  }
}

TEST(JsonNumber, PrintsLikeJava) {
  EXPECT_EQ(format_double(1), "1.0");
  EXPECT_EQ(format_double(-0.5), "-0.5");
  EXPECT_EQ(format_double(0.001), "0.001");
  EXPECT_EQ(format_double(1234567), "1234567.0");
  EXPECT_EQ(format_double(1e7), "1.0E7");
  EXPECT_EQ(format_double(1.5e-10), "1.5E-10");
  EXPECT_EQ(format_double(0), "0.0");
  EXPECT_EQ(format_float(3.14F), "3.14");
  EXPECT_EQ(format_double(std::nan("")), "NaN");
}

}  // namespace quarry::value_test
