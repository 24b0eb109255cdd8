// Arrays of numbers parsed as float32: the same values as strtof, the same grammar as the scanner.
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "base/random.h"
#include "json/scanner.h"
#include "json/value.h"
#include "testing/test.h"

namespace quarry::scanner_floats_test {

/// The only number of "[text]"; NaN if it is rejected.
float read_one(const std::string& text) {
  const std::string array = "[" + text + "]";
  JsonScanner scanner(array, kMaxJsonDepth);
  scanner.next();
  std::vector<float> out(2);
  size_t count = 0;
  const JsonToken after = scanner.read_floats(out, count);
  const bool whole = after == JsonToken::kArrayEnd && count == 1;
  return whole ? out[0] : std::numeric_limits<float>::quiet_NaN();
}

void expect_as_strtof(const std::string& text) {
  const float expected = std::strtof(text.c_str(), nullptr);
  // Digits are parsed eight bytes at a time as long as eight bytes remain.
  for (const char* behind : {"", "        "}) {
    const float found = read_one(text + behind);
    if (std::isfinite(expected)) {
      EXPECT_EQ(std::bit_cast<uint32_t>(found), std::bit_cast<uint32_t>(expected));
    } else {
      EXPECT_TRUE(std::isnan(found));
    }
  }
}

std::string spelled(double value, std::chars_format format, int precision) {
  char buffer[1100];
  char* const limit = buffer + sizeof(buffer);
  if (precision < 0) return {buffer, std::to_chars(buffer, limit, value, format).ptr};
  return {buffer, std::to_chars(buffer, limit, value, format, precision).ptr};
}

TEST(ScannerFloats, ReadsEdges) {
  for (const char* text : {"0",
                           "-0",
                           "0.0",
                           "-0.0e5",
                           "1",
                           "-1",
                           "16777217",
                           "16777216.5",
                           "3.4028234663852886e38",
                           "3.4028235677973366e38",
                           "3.4028236e38",
                           "1e38",
                           "1e39",
                           "-1e39",
                           "1e400",
                           "-1e400",
                           "1e-400",
                           "1e-45",
                           "0.7e-45",
                           "0.70064923216240853546186479164495e-45",
                           "1.1754943508222875e-38",
                           "1e-38",
                           "1e99999999999",
                           "1e-99999999999",
                           "0e99999999999",
                           "18446744073709551615",
                           "18446744073709551616",
                           "9999999999999999999",
                           "99999999999999999999",
                           "12345678901234567890123",
                           "0.000000000000000000000000000000001",
                           "0.1",
                           "0.10000000149011612",
                           "1.00000017881393421514957253748434595763683319091796875",
                           "1.00000017881393432617187499",
                           "1.00000017881393432617187500",
                           "1.00000017881393432617187501",
                           "0.000000000000000000001234567890123456789",
                           "123456789.123456789123456789",
                           "00000001e1"}) {
    if (std::string(text).starts_with("00")) {
      EXPECT_TRUE(std::isnan(read_one(text)));
      continue;
    }
    expect_as_strtof(text);
  }
}

TEST(ScannerFloats, AgreesWithStrtofOnSpelledFloats) {
  Random random(7);
  for (int i = 0; i < 20000; i++) {
    const float value = std::bit_cast<float>(static_cast<uint32_t>(random.next()));
    if (!std::isfinite(value)) continue;
    expect_as_strtof(spelled(static_cast<double>(value), std::chars_format::general, -1));
    expect_as_strtof(spelled(static_cast<double>(value), std::chars_format::scientific, 8));
    const double near = (static_cast<double>(random.below(2000001)) - 1e6) / 1e6 /
                        static_cast<double>(1 + random.below(100));
    expect_as_strtof(spelled(near, std::chars_format::fixed, static_cast<int>(random.below(25))));
    expect_as_strtof(spelled(near, std::chars_format::general, -1));
  }
}

/// Numbers halfway between two floats, exactly and slightly off.
TEST(ScannerFloats, RoundsTheMiddleToEven) {
  Random random(8);
  for (int i = 0; i < 5000; i++) {
    const auto bits = static_cast<uint32_t>(random.below(0x7f000000));
    const double low = static_cast<double>(std::bit_cast<float>(bits));
    const double high = static_cast<double>(std::bit_cast<float>(bits + 1));
    const double middle = (low + high) / 2;
    const double below = std::nextafter(middle, low);
    for (const double value : {middle, below, std::nextafter(middle, high)}) {
      expect_as_strtof(spelled(value, std::chars_format::general, -1));
      expect_as_strtof(spelled(value, std::chars_format::scientific, 17));
      expect_as_strtof(spelled(value, std::chars_format::scientific, 30));
    }
  }
}

TEST(ScannerFloats, AgreesWithStrtofOnRandomDigits) {
  Random random(9);
  for (int i = 0; i < 50000; i++) {
    std::string text = random.below(2) == 0 ? "-" : "";
    const uint64_t whole = 1 + random.below(12);
    for (uint64_t d = 0; d < whole; d++) {
      const bool leading = d == 0 && whole > 1;
      text += static_cast<char>('0' + (leading ? 1 + random.below(9) : random.below(10)));
    }
    const uint64_t fraction = random.below(24);
    if (fraction > 0) text += '.';
    for (uint64_t d = 0; d < fraction; d++) text += static_cast<char>('0' + random.below(10));
    if (random.below(3) == 0) {
      text += random.below(2) == 0 ? "e" : "E";
      if (random.below(2) == 0) text += random.below(2) == 0 ? "-" : "+";
      text += std::to_string(random.below(50));
    }
    expect_as_strtof(text);
  }
}

TEST(ScannerFloats, StopsAtWhateverIsNoNumber) {
  const auto scan = [](std::string_view text, size_t room) {
    JsonScanner scanner(text, kMaxJsonDepth);
    scanner.next();
    std::vector<float> out(room);
    size_t count = 0;
    const JsonToken after = scanner.read_floats(out, count);
    std::string result = std::to_string(count) + " ";
    result += json_token_name(after);
    if (after == JsonToken::kError) return result + " " + scanner.error();
    if (after == JsonToken::kNumber) return result + " " + std::string(scanner.raw());
    if (after == JsonToken::kArrayEnd && scanner.next() != JsonToken::kEnd) result += " and more";
    return result;
  };
  EXPECT_EQ(scan("[]", 4), "0 END_ARRAY");
  EXPECT_EQ(scan(" [ 1 ,\n2\t, 3.5 ] ", 4), "3 END_ARRAY");
  EXPECT_EQ(scan("[1,2,3]", 2), "2 VALUE_NUMBER 3");
  EXPECT_EQ(scan("[1,2]", 2), "2 END_ARRAY");
  EXPECT_EQ(scan("[1,null]", 4), "1 VALUE_NULL");
  EXPECT_EQ(scan("[1,\"2\"]", 4), "1 VALUE_STRING");
  EXPECT_EQ(scan("[[1]]", 4), "0 START_ARRAY");
  EXPECT_EQ(scan("[1,{}]", 4), "1 START_OBJECT");
  EXPECT_EQ(scan("[1,1e39]", 4), "1 VALUE_NUMBER 1e39");
  EXPECT_EQ(scan("[1,]", 4).substr(0, 7), "1 ERROR");
  EXPECT_EQ(scan("[01]", 4), "0 ERROR [1:2] Invalid numeric value: Leading zeroes not allowed");
  EXPECT_EQ(scan("[1.]", 4),
            "0 ERROR [1:2] Invalid numeric value: Decimal point not followed by a digit");
  EXPECT_EQ(scan("[1e]", 4),
            "0 ERROR [1:2] Invalid numeric value: Exponent indicator not followed by a digit");
  EXPECT_EQ(scan("[1 2]", 4).substr(0, 7), "1 ERROR");
  EXPECT_EQ(scan("[1", 4).substr(0, 7), "1 ERROR");
  EXPECT_EQ(scan("[-", 4).substr(0, 7), "0 ERROR");
  EXPECT_EQ(scan("[NaN]", 4).substr(0, 7), "0 ERROR");
  EXPECT_EQ(scan("[+1]", 4).substr(0, 7), "0 ERROR");
  EXPECT_EQ(scan("[.5]", 4).substr(0, 7), "0 ERROR");
}

/// Every prefix of a valid array is an error at the same position as with next().
TEST(ScannerFloats, FailsWhereTheScannerFails) {
  const std::string whole = "[0.125, -3e-7,12345678.9 ,1]";
  for (size_t length = 1; length < whole.size(); length++) {
    const std::string text = whole.substr(0, length);
    JsonScanner fast(text, kMaxJsonDepth);
    fast.next();
    std::vector<float> out(8);
    size_t count = 0;
    EXPECT_TRUE(fast.read_floats(out, count) == JsonToken::kError);
    JsonScanner slow(text, kMaxJsonDepth);
    while (slow.next() != JsonToken::kError) {
    }
    EXPECT_EQ(fast.error(), slow.error());
  }
}

}  // namespace quarry::scanner_floats_test
