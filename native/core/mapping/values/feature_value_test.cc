// The codes of rank features keep the order of the values and nine bits of their digits.
#include "mapping/values/feature_value.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "testing/test.h"

namespace quarry::feature_value_test {

uint32_t code(float value) { return encode_feature(value, "f", "x").value(); }

TEST(FeatureValue, keeps_the_leading_bits_of_a_value) {
  EXPECT_EQ(decode_feature(code(1)), 1.0F);
  EXPECT_EQ(decode_feature(code(1.25F)), 1.25F);
  EXPECT_EQ(decode_feature(code(10.3F)), 10.28125F);
  EXPECT_EQ(code(1), 32512U);
  EXPECT_EQ(decode_feature(1U << 20), std::numeric_limits<float>::max());
}

TEST(FeatureValue, terms_have_the_order_of_their_values) {
  std::string before;
  for (const float value : {1.2e-38F, 0.5F, 0.99F, 1.0F, 2.0F, 300.0F, 3.4e38F}) {
    const std::string term = feature_term("f", code(value));
    EXPECT_TRUE(before < term);
    EXPECT_TRUE(term.starts_with(feature_prefix("f")));
    EXPECT_EQ(feature_code(term), code(value));
    before = term;
  }
}

TEST(FeatureValue, accepts_positive_normal_floats_only) {
  const auto refused = [](float value) {
    return encode_feature(value, "f", "x").status().reason();
  };
  EXPECT_EQ(refused(0),
            "featureValue must be a positive normal float, got: 0.0 for feature f on field x which "
            "is less than the minimum positive normal float: 1.17549435E-38");
  EXPECT_TRUE(refused(-1).starts_with("featureValue must be a positive normal float, got: -1"));
  EXPECT_TRUE(refused(1e-39F).starts_with("featureValue must be a positive normal float"));
  EXPECT_TRUE(refused(INFINITY).starts_with("featureValue must be finite"));
  EXPECT_TRUE(refused(NAN).starts_with("featureValue must be finite"));
}

TEST(FeatureValue, decoding_a_damaged_feature_term_ends) {
  EXPECT_EQ(feature_code(""), 0U);
  EXPECT_EQ(feature_code("\1\2"), 258U);
}

TEST(FeatureValue, parses_numbers_and_strings_of_numbers) {
  EXPECT_EQ(parse_feature("2.5").value(), 2.5F);
  EXPECT_EQ(parse_feature(" 3 ").value(), 3.0F);
  EXPECT_EQ(parse_feature("a").status().reason(), "For input string: \"a\"");
  EXPECT_EQ(parse_feature("").status().reason(), "empty String");
}

}  // namespace quarry::feature_value_test
