// Sentences and words as java.text.BreakIterator finds them, and laws of all boundaries.
#include "text/analysis/boundaries.h"

#include <string>

#include "base/random.h"
#include "testing/test.h"

namespace quarry::boundaries_test {

/// The text with a bar at every boundary.
std::string cut(const std::u32string& text, const Boundaries& boundaries) {
  std::string out;
  size_t next = 0;
  for (uint32_t at = 0; at <= text.size(); at++) {
    if (next < boundaries.size() && boundaries[next] == at) {
      out += '|';
      next++;
    }
    if (at < text.size()) out += text[at] < 0x80 ? static_cast<char>(text[at]) : '~';
  }
  return out;
}

std::string sentences(const std::u32string& text) { return cut(text, sentence_boundaries(text)); }
std::string words(const std::u32string& text) { return cut(text, word_boundaries(text)); }

TEST(Boundaries, AFullStopEndsASentenceBeforeACapitalOnly) {
  EXPECT_EQ(sentences(U"One two. Three"), "|One two. |Three|");
  EXPECT_EQ(sentences(U"e.g. this, No. 5 and 3.5"), "|e.g. this, No. 5 and 3.5|");
  EXPECT_EQ(sentences(U"one. two.  three.\n\nfour.\nfive. \t6"),
            "|one. two.  |three.\n\n|four.\nfive. \t6|");
  EXPECT_EQ(sentences(U"one.)\n two.\"  (three) \u0301 four"),
            "|one.)\n |two.\"  |(three) ~ four|");
  EXPECT_EQ(sentences(U"It was \"great.\" He left"), "|It was \"great.\" |He left|");
  EXPECT_EQ(sentences(U"one. \"Two"), "|one. |\"Two|");
  EXPECT_EQ(sentences(U"a! b? c"), "|a! |b? |c|");
  EXPECT_EQ(sentences(U"\u6771\u4eac\u3002\u6b21"), "|~~~|~|");
  EXPECT_EQ(sentences(U"a\u2029b"), "|a~|b|");
}

TEST(Boundaries, Words) {
  EXPECT_EQ(words(U"don't fox-trot, a.b"), "|don't| |fox-trot|,| |a.b|");
  EXPECT_EQ(words(U"fox_1 3.14% $5"), "|fox|_|1| |3.14%| |$5|");
  EXPECT_EQ(words(U"\u6771\u4eac\u30ab\u304b x"), "|~~|~|~| |x|");
  EXPECT_EQ(words(U"a\u0301b  \n c"), "|a~b|  \n| |c|");
}

TEST(Boundaries, EveryTextIsCutFromItsStartToItsEnd) {
  constexpr std::u32string_view kLetters =
      U"aB .,!?\"'()-_1%$\n\u3002\u6771\u30ab\u2029\u0301\U0001f98a";
  Random random(11);
  for (int round = 0; round < 2000; round++) {
    std::u32string text;
    for (uint64_t left = random.next() % 12; left > 0; left--)
      text += kLetters[random.next() % kLetters.size()];
    for (const Boundaries& found : {sentence_boundaries(text), word_boundaries(text)}) {
      EXPECT_EQ(found.front(), 0);
      EXPECT_EQ(found.back(), text.size());
      for (size_t i = 1; i < found.size(); i++) EXPECT_GT(found[i], found[i - 1]);
    }
  }
}

TEST(Boundaries, FindsTheBoundariesAroundAPlace) {
  const Boundaries found = {0, 4, 9};
  EXPECT_EQ(boundary_before(found, 0), 0);
  EXPECT_EQ(boundary_before(found, 4), 0);
  EXPECT_EQ(boundary_before(found, 5), 4);
  EXPECT_EQ(boundary_after(found, 4), 9);
  EXPECT_EQ(boundary_after(found, 9), 9);
}

}  // namespace quarry::boundaries_test
