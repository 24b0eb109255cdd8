// Phrase frequencies: exact by definition, sloppy as Lucene counts them.
#include "query/phrase_matcher.h"

#include "testing/test.h"

namespace quarry {
namespace {

PhraseShape shape(std::vector<uint32_t> offsets, std::vector<int> groups, uint32_t slop) {
  PhraseShape out;
  out.offsets = std::move(offsets);
  out.groups = std::move(groups);
  out.slop = slop;
  return out;
}

using Lists = std::vector<std::vector<uint32_t>>;

std::vector<PartPositions> views(const Lists& lists) { return {lists.begin(), lists.end()}; }

float sloppy(const PhraseShape& phrase, const Lists& parts) {
  return SloppyMatcher(phrase).frequency(views(parts), false);
}

uint32_t exact(const PhraseShape& phrase, const Lists& parts, uint32_t enough) {
  return count_exact(phrase, views(parts), enough);
}

TEST(PhraseMatcher, CountsExactOccurrences) {
  const PhraseShape phrase = shape({0, 1, 3}, {-1, -1, -1}, 0);
  EXPECT_EQ(exact(phrase, {{0, 5, 9}, {1, 6, 11}, {3, 8}}, 100), 2);
  EXPECT_EQ(exact(phrase, {{0, 5}, {1, 6}, {3, 8}}, 1), 1);
  EXPECT_EQ(exact(phrase, {{0}, {2}, {3}}, 100), 0);
}

TEST(PhraseMatcher, FindsTwoPartsAtTheirDistance) {
  const std::vector<uint32_t> first{0, 5, 9};
  const std::vector<uint32_t> second{1, 8, 11};
  EXPECT_TRUE(stand_apart(first, second, 2));
  EXPECT_TRUE(stand_apart(first, second, 3));
  EXPECT_FALSE(stand_apart(first, second, 4));
  EXPECT_FALSE(stand_apart(first, {}, 1));
}

TEST(PhraseMatcher, SlopCountsMoves) {
  const PhraseShape two = shape({0, 1}, {-1, -1}, 2);
  EXPECT_EQ(sloppy(two, {{0}, {1}}), 1.0F);
  EXPECT_EQ(sloppy(two, {{0}, {2}}), 0.5F);
  EXPECT_EQ(sloppy(two, {{1}, {0}}), 1.0F / 3);  // the other way round takes two moves
  EXPECT_EQ(sloppy(two, {{0}, {4}}), 0.0F);
  EXPECT_EQ(sloppy(two, {{0, 10}, {1, 12}}), 1.5F);
}

TEST(PhraseMatcher, ARepeatedTermNeedsAsManyOccurrences) {
  const PhraseShape twice = shape({0, 1}, {0, 0}, 1);
  EXPECT_EQ(sloppy(twice, {{3}, {3}}), 0.0F);
  EXPECT_EQ(sloppy(twice, {{3, 4}, {3, 4}}), 1.0F);
}

}  // namespace
}  // namespace quarry
