// Every form of the minimum_should_match language.
#include "query/scorers/minimum_should_match.h"

#include "testing/test.h"

namespace quarry::minimum_should_match_test {

uint32_t evaluate(std::string_view spec, uint32_t clauses) {
  const Result<uint32_t> result = minimum_should_match(spec, clauses);
  EXPECT_OK(result);
  return result.ok() ? *result : UINT32_MAX;
}

TEST(MinimumShouldMatch, NumbersAndPercentages) {
  EXPECT_EQ(evaluate("2", 5), 2);
  EXPECT_EQ(evaluate("7", 5), 7);
  EXPECT_EQ(evaluate("-2", 5), 3);
  EXPECT_EQ(evaluate("-7", 5), 0);
  EXPECT_EQ(evaluate("75%", 5), 3);
  EXPECT_EQ(evaluate("100%", 3), 3);
  EXPECT_EQ(evaluate("-25%", 5), 4);
  EXPECT_EQ(evaluate("-20%", 4), 4);
  EXPECT_EQ(evaluate(" 50% ", 3), 1);
  EXPECT_EQ(evaluate("0", 3), 0);
}

TEST(MinimumShouldMatch, Conditions) {
  EXPECT_EQ(evaluate("2<75%", 1), 1);
  EXPECT_EQ(evaluate("2<75%", 2), 2);
  EXPECT_EQ(evaluate("2<75%", 4), 3);
  EXPECT_EQ(evaluate("2<-25% 9<-3", 2), 2);
  EXPECT_EQ(evaluate("2<-25% 9<-3", 8), 6);
  EXPECT_EQ(evaluate("2<-25% 9<-3", 12), 9);
  EXPECT_EQ(evaluate("3 < 90%", 10), 9);
}

TEST(MinimumShouldMatch, RefusesWhatIsNoNumber) {
  for (const std::string_view bad : {"", "x", "%", "5x%", "<", "a<b", "2<", "99999999999"}) {
    EXPECT_FALSE(minimum_should_match(bad, 3).ok());
  }
  EXPECT_EQ(minimum_should_match("two", 3).status().reason(), "For input string: \"two\"");
}

}  // namespace quarry::minimum_should_match_test
