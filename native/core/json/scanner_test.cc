// The scanner with small texts: accepted and rejected input, and the position of the error.
#include "json/scanner.h"

#include <string>
#include <vector>

#include "json/value.h"
#include "testing/test.h"

namespace quarry::scanner_test {

/// Token names with the content of keys and scalars: "{ a: 1 }".
std::string scan(std::string_view text, uint32_t depth = kMaxJsonDepth) {
  JsonScanner scanner(text, depth);
  Arena arena;
  std::string out;
  while (true) {
    switch (scanner.next()) {
      case JsonToken::kEnd:
        return out;
      case JsonToken::kError:
        return scanner.error();
      case JsonToken::kObjectStart:
        out += "{";
        break;
      case JsonToken::kObjectEnd:
        out += "}";
        break;
      case JsonToken::kArrayStart:
        out += "[";
        break;
      case JsonToken::kArrayEnd:
        out += "]";
        break;
      case JsonToken::kKey:
        out += std::string(scanner.content(arena)) + ":";
        break;
      case JsonToken::kString:
        out += "'" + std::string(scanner.content(arena)) + "'";
        break;
      default:
        out += std::string(scanner.raw()) + (scanner.token() == JsonToken::kNumber ? "#" : "!");
    }
  }
}

TEST(JsonScanner, ReadsEveryKindOfValue) {
  EXPECT_EQ(scan(R"( {"a" : [1, -2.5e+3,true,false , null,"x", {}, []] } )"),
            "{a:[1#-2.5e+3#true!false!null!'x'{}[]]}");
  EXPECT_EQ(scan("0"), "0#");
  EXPECT_EQ(scan("123456789012345678901234567890"), "123456789012345678901234567890#");
  EXPECT_EQ(scan("1e400"), "1e400#");
  EXPECT_EQ(scan(""), "");
  EXPECT_EQ(scan(" \r\n\t"), "");
}

TEST(JsonScanner, UnescapesStrings) {
  EXPECT_EQ(scan(R"("a\"\\\/\b\f\n\r\tz")"), "'a\"\\/\b\f\n\r\tz'");
  EXPECT_EQ(scan(R"("\u00e9\u4E2D\ud83d\ude00")"), "'é中😀'");
  EXPECT_EQ(scan(R"("\ud83d!\udE00")"), "'\uFFFD!\uFFFD'");
  EXPECT_EQ(scan(R"("\ud83d\ud83d\ude00")"), "'\uFFFD😀'");
  EXPECT_EQ(scan(R"({"\u0061":1})"), "{a:1#}");
}

TEST(JsonScanner, RefusesBadGrammar) {
  const std::vector<std::string> bad = {
      "{",        "[",         "}",     "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{,}",
      "[1,]",     "[,1]",      "[1 2]", "{a:1}",   "{'a':1}",  "nul",        "tru",
      "truex",    "01",        "-",     "1.",      ".5",       "1e",         "1e+",
      "+1",       "0x10",      "NaN",   "\"",      "\"\\\"",   "\"\\x\"",    "\"\\u12g4\"",
      "\"\\u12",  "1 2",       "{}{}",  "{} x",    "[1}",      "{\"a\":1]",  "\"a\nb\"",
      "\"\x01\"", "{\"a\" 1}", "{1:2}", "[\"a\",", "{\"a\":1", "\\",         "/**/1",
  };
  for (const std::string& text : bad) {
    JsonScanner scanner(text, kMaxJsonDepth);
    JsonToken token = scanner.next();
    while (token != JsonToken::kEnd && token != JsonToken::kError) token = scanner.next();
    EXPECT_EQ(text + json_token_name(token).data(), text + "ERROR");
    EXPECT_EQ(scanner.next(), JsonToken::kError);
  }
}

TEST(JsonScanner, NamesThePlaceOfAFault) {
  EXPECT_EQ(scan("{\"a\":1,\"a\":2}"), "[1:8] Duplicate field 'a'");
  EXPECT_EQ(scan("{\n \"a\": x}"),
            "[2:7] Unexpected character: expected a JSON String, Number, "
            "Array, Object or 'null', 'true', 'false'");
}

TEST(JsonScanner, FindsDuplicateNamesInObjectsOfAnySize) {
  EXPECT_EQ(scan(R"({"a":{"a":1},"b":{"a":1}})"), "{a:{a:1#}b:{a:1#}}");
  EXPECT_EQ(scan(R"({"a":1,"\u0061":1})"), "[1:8] Duplicate field '\\u0061'");
  std::string large = "{\"x\":[{";
  for (int i = 0; i < 100; ++i) large += "\"k" + std::to_string(i) + "\":{\"n\":1},";
  const std::string unique = large + "\"k\":1}],\"k1\":1}";
  EXPECT_TRUE(scan(unique).ends_with("k:1#}]k1:1#}"));
  EXPECT_TRUE(scan(large + "\"k42\":1}]}").ends_with("Duplicate field 'k42'"));
  EXPECT_TRUE(scan(large + "\"k3\":1}]}").ends_with("Duplicate field 'k3'"));
}

TEST(JsonScanner, LimitsNesting) {
  EXPECT_EQ(scan("[[1]]", 2), "[[1#]]");
  EXPECT_EQ(scan("[{\"a\":[]}]", 2), "[1:7] Document nesting depth exceeds the limit");
  const std::string deep(3000, '[');
  EXPECT_TRUE(scan(deep, 100000).find("nesting depth") != std::string::npos);
}

TEST(JsonScanner, SkipsValuesAndKnowsTheirBytes) {
  const std::string text = R"({"a": [1,{"b":"]"}] ,"c":2})";
  JsonScanner scanner(text, kMaxJsonDepth);
  scanner.next();
  scanner.next();
  ASSERT_EQ(scanner.next(), JsonToken::kArrayStart);
  const size_t start = scanner.start();
  EXPECT_TRUE(scanner.skip_value());
  EXPECT_EQ(text.substr(start, scanner.end() - start), R"([1,{"b":"]"}])");
  EXPECT_EQ(scanner.next(), JsonToken::kKey);
  EXPECT_EQ(scanner.raw(), "c");
  EXPECT_EQ(scanner.next(), JsonToken::kNumber);
  EXPECT_TRUE(scanner.skip_value());
  EXPECT_EQ(scanner.next(), JsonToken::kObjectEnd);
}

TEST(JsonScanner, StopsAtEachSpecialByteAtEachOffset) {
  for (size_t length = 0; length < 40; ++length) {
    const std::string plain(length, 'x');
    EXPECT_EQ(scan("\"" + plain + "\""), "'" + plain + "'");
    EXPECT_EQ(scan("\"" + plain + "\\n\xC3\xA9\""), "'" + plain + "\n\xC3\xA9'");
    EXPECT_TRUE(scan("\"" + plain + "\x1F\"").find("control character") != std::string::npos);
    EXPECT_TRUE(scan("\"" + plain).find("end-of-input") != std::string::npos);
  }
}

}  // namespace quarry::scanner_test
