#include "text/tokenizers/passages.h"

#include <string>

#include "testing/test.h"

namespace quarry::passages_test {

/// `count` words of three letters, each preceded by a space.
std::string text_of(size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) text += " the";
  return text;
}

TEST(Passages, TextsUpToTheLimitStayWhole) {
  EXPECT_EQ(split_passages("").size(), 0);
  EXPECT_EQ(split_passages(text_of(250)).size(), 0);
}

TEST(Passages, PassagesOverlapByAThird) {
  const auto passages = split_passages(text_of(251));
  ASSERT_EQ(passages.size(), 3);
  EXPECT_TRUE((passages[0] == ByteRange{1, 480}));
  EXPECT_TRUE((passages[1] == ByteRange{321, 800}));
  EXPECT_TRUE((passages[2] == ByteRange{641, 1004}));
}

TEST(Passages, TheLastOneEndsWithTheLastWord) {
  const auto passages = split_passages(text_of(280) + " ...");
  ASSERT_EQ(passages.size(), 3);
  EXPECT_TRUE((passages[2] == ByteRange{641, 1120}));
  EXPECT_EQ(split_passages(text_of(281)).size(), 4);
}

TEST(Passages, EveryWordIsInOne) {
  for (size_t count = 251; count < 600; count += 7) {
    const auto passages = split_passages(text_of(count));
    EXPECT_EQ(passages.front().start, 1);
    EXPECT_EQ(passages.back().end, count * 4);
    for (size_t i = 1; i < passages.size(); ++i) {
      EXPECT_EQ(passages[i].start, passages[i - 1].start + 320);
      EXPECT_TRUE(passages[i].start < passages[i - 1].end);
    }
  }
}

}  // namespace quarry::passages_test
