// Sort values as JSON, for each kind of column.
#include "query/sort/sort_texts.h"

#include <limits>

#include "testing/test.h"

namespace quarry::sort_texts_test {

std::string text_of(const SortColumn& column) {
  std::string out;
  append_sort_values(out, std::span(&column, 1), 0);
  return out;
}
std::string number_text(SortColumnKind kind, double value) {
  return text_of({kind, {0}, {}, {value}, {}, {}});
}

TEST(sort_texts, whole_numbers) {
  EXPECT_EQ(text_of({SortColumnKind::kInt, {0}, {INT64_MIN}, {}, {}, {}}),
            "[-9223372036854775808]");
  EXPECT_EQ(text_of({SortColumnKind::kBoolean, {0}, {1}, {}, {}, {}}), "[1]");
  EXPECT_EQ(text_of({SortColumnKind::kUnsigned, {0}, {-1}, {}, {}, {}}), "[18446744073709551615]");
}

TEST(sort_texts, fractions_keep_a_point) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(number_text(SortColumnKind::kDouble, 2), "[2.0]");
  EXPECT_EQ(number_text(SortColumnKind::kDouble, -0.0), "[0.0]");
  EXPECT_EQ(number_text(SortColumnKind::kDouble, 0.1), "[0.1]");
  EXPECT_EQ(number_text(SortColumnKind::kDouble, 1e21), "[1e+21]");
  EXPECT_EQ(number_text(SortColumnKind::kDouble, 1e20), "[100000000000000000000.0]");
  EXPECT_EQ(number_text(SortColumnKind::kDouble, -kInfinity), "[\"-Infinity\"]");
  EXPECT_EQ(number_text(SortColumnKind::kDouble, kInfinity), "[\"Infinity\"]");
  EXPECT_EQ(number_text(SortColumnKind::kScore, static_cast<double>(0.1F)), "[0.1]");
  EXPECT_EQ(number_text(SortColumnKind::kScore, static_cast<double>(123456792.0F)),
            "[123456790.0]");
}

TEST(sort_texts, texts_and_what_is_missing) {
  EXPECT_EQ(text_of({SortColumnKind::kString, {0}, {}, {}, {"a\"b"}, {}}), "[\"a\\\"b\"]");
  EXPECT_EQ(text_of({SortColumnKind::kFormatted, {0}, {}, {}, {"order"}, {"shown"}}),
            "[\"shown\"]");
  EXPECT_EQ(text_of({SortColumnKind::kInt, {1}, {7}, {}, {}, {}}), "[null]");
}

TEST(sort_texts, keys_stand_side_by_side) {
  const std::vector<SortColumn> keys = {{SortColumnKind::kInt, {0, 0}, {1, 2}, {}, {}, {}},
                                        {SortColumnKind::kString, {0, 0}, {}, {}, {"a", "b"}, {}}};
  std::string out;
  append_sort_values(out, keys, 1);
  EXPECT_EQ(out, "[2,\"b\"]");
}

}  // namespace quarry::sort_texts_test
