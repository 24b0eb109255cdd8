// The order of versions, and that encoding loses nothing.
#include "mapping/values/version_value.h"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "testing/test.h"

namespace quarry::version_value_test {

TEST(VersionValue, terms_have_the_order_of_semantic_versioning) {
  const std::vector<std::string> ascending = {
      "0",
      "0.9",
      "1-0",
      "1",
      "1.0",
      "1.0.0-0",
      "1.0.0-1",
      "1.0.0-2",
      "1.0.0-10",
      "1.0.0--",
      "1.0.0-0a",
      "1.0.0-alpha",
      "1.0.0-alpha+b",
      "1.0.0-alpha-1",
      "1.0.0-alpha.1",
      "1.0.0-alpha.beta",
      "1.0.0-alpha1",
      "1.0.0-beta",
      "1.0.0-beta.2",
      "1.0.0-beta.11",
      "1.0.0-rc.1",
      "1.0.0",
      "1.0.0+1",
      "1.0.0+b",
      "1.0.0.0",
      "1.2.0",
      "1.10.0",
      "2.0.0",
      "11.0.0",
      "",
      "01.0.0",
      "1.",
      "1..0",
      "1.0.0+",
      "1.0.0-01",
      "a",
      "v1.0.0",
  };
  std::vector<std::string> sorted = ascending;
  std::shuffle(sorted.begin(), sorted.end(), std::minstd_rand(7));
  std::sort(sorted.begin(), sorted.end(), [](const std::string& a, const std::string& b) {
    return encode_version(a).value() < encode_version(b).value();
  });
  for (size_t i = 0; i < sorted.size(); i++) EXPECT_EQ(sorted[i], ascending[i]);
  for (const std::string& text : ascending)
    EXPECT_EQ(decode_version(encode_version(text).value()), text);
}

TEST(VersionValue, terms_are_those_of_elasticsearch) {
  EXPECT_EQ(encode_version("1.10").value(),
            "\1\x81"
            "1.\1\x82"
            "10\3");
  EXPECT_EQ(encode_version("2-rc.11+b.01").value(),
            "\1\x81"
            "2\2-rc.\1\x82"
            "11+b.01");
  EXPECT_EQ(encode_version("trunk").value(), "trunk");
  EXPECT_EQ(encode_version("").value(), "\3");
}

TEST(VersionValue, text_with_control_characters_is_no_version) {
  for (const std::string& text :
       {std::string("\1\x81"
                    "1\3"),
        std::string("\2a"), std::string("\3"), std::string("a\1b"), std::string(1, '\0')}) {
    EXPECT_TRUE(encode_version("999-a").value() < encode_version(text).value());
    EXPECT_EQ(decode_version(encode_version(text).value()), text);
  }
}

TEST(VersionValue, numbers_of_up_to_127_digits_are_compared_as_numbers) {
  const std::string nines(126, '9');
  const std::string longest = "1" + std::string(126, '0');
  EXPECT_TRUE(encode_version(nines).value() < encode_version(longest).value());
  EXPECT_EQ(decode_version(encode_version(longest).value()), longest);
  EXPECT_EQ(encode_version("1.0-" + longest + "0").status().reason(),
            "Groups of digits cannot be longer than 127, but found: 128");
  EXPECT_TRUE(encode_version("1.0-a" + longest + "0").ok());
}

TEST(VersionValue, decoding_a_damaged_version_term_ends) {
  EXPECT_EQ(decode_version(""), "");
  EXPECT_EQ(decode_version("\1\1"), "");
  EXPECT_EQ(decode_version(std::string_view("\1\1\0\2-", 5)), std::string(1, '\0') + "-");
}

}  // namespace quarry::version_value_test
