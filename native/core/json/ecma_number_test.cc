// Numbers in ECMAScript's format: known spellings, and that parsing them returns the same number.
#include "json/ecma_number.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <random>

#include "base/coding.h"
#include "testing/test.h"

namespace quarry::ecma_number_test {

template <typename T>
std::string text_of(T value) {
  std::string out;
  append_ecma_number(out, value);
  return out;
}

TEST(ecma_number, known_spellings) {
  EXPECT_EQ(text_of(0.0), "0");
  EXPECT_EQ(text_of(-0.0), "0");
  EXPECT_EQ(text_of(-1.0), "-1");
  EXPECT_EQ(text_of(0.1), "0.1");
  EXPECT_EQ(text_of(1e-6), "0.000001");
  EXPECT_EQ(text_of(1e-7), "1e-7");
  EXPECT_EQ(text_of(-1.25e-9), "-1.25e-9");
  EXPECT_EQ(text_of(9007199254740991.0), "9007199254740991");
  EXPECT_EQ(text_of(9007199254740994.0), "9007199254740994");
  EXPECT_EQ(text_of(123456789012345680000.0), "123456789012345680000");
  EXPECT_EQ(text_of(1e21), "1e+21");
  EXPECT_EQ(text_of(std::numeric_limits<double>::max()), "1.7976931348623157e+308");
  EXPECT_EQ(text_of(std::numeric_limits<double>::denorm_min()), "5e-324");
  EXPECT_EQ(text_of(0.1F), "0.1");
  EXPECT_EQ(text_of(16777215.0F), "16777215");
  EXPECT_EQ(text_of(123456792.0F), "123456790");
}

TEST(ecma_number, doubles_read_back_as_themselves) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 20000; i++) {
    const uint64_t bits = random();
    const auto value = load<double>(&bits);
    if (!std::isfinite(value)) continue;
    const std::string text = text_of(value);
    double back = 0;
    std::from_chars(text.data(), text.data() + text.size(), back);
    EXPECT_EQ(back, value);
  }
}

}  // namespace quarry::ecma_number_test
