// The literal pieces of patterns, and that a wildcard field finds the same with them as a keyword
// field by a traversal.
#include "query/automata/pattern_pieces.h"

#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "segment/segment_merger.h"
#include "testing/test_index.h"

namespace quarry::pattern_pieces_test {

using testing::PlanFrame;
using testing::Query;
using testing::TestIndex;

std::string shown(const std::vector<TermPiece>& pieces) {
  std::string out;
  for (const TermPiece& piece : pieces) out += piece.text + (piece.at_end ? "$ " : " ");
  return out;
}
std::string of_wildcard(std::string_view pattern) { return shown(wildcard_pieces(pattern)); }
std::string of_regexp(std::string_view pattern, bool fold = false) {
  RegexpPool pool;
  const auto root = parse_regexp(pattern, kRegexpAll, fold, pool);
  return root.ok() ? shown(regexp_pieces(pool, *root)) : "refused";
}

TEST(PatternPieces, OfWildcards) {
  EXPECT_EQ(of_wildcard("*abc"), "abc$ ");
  EXPECT_EQ(of_wildcard("*abc*"), "abc ");
  EXPECT_EQ(of_wildcard("a?b*cd"), "a b cd$ ");
  EXPECT_EQ(of_wildcard("*a\\*b*"), "a*b ");
  EXPECT_EQ(of_wildcard("**"), "");
  EXPECT_EQ(of_wildcard("*a\\"), "a\\$ ");
}

TEST(PatternPieces, OfRegexps) {
  EXPECT_EQ(of_regexp(".*abc"), "abc$ ");
  EXPECT_EQ(of_regexp(".*abc.*d\\.e.+"), "abc d.e ");
  EXPECT_EQ(of_regexp("@ab\"c.d\""), "abc.d$ ");
  EXPECT_EQ(of_regexp("ab[cd]ef?"), "ab e ");
  EXPECT_EQ(of_regexp("a(bc)d"), "abcd$ ");
  EXPECT_EQ(of_regexp("ab(cd)*ef"), "ab ef$ ");
  EXPECT_EQ(of_regexp("ab|cd"), "");
  EXPECT_EQ(of_regexp(".*abc&.*def"), "");
  EXPECT_EQ(of_regexp("~(abc)"), "");
  EXPECT_EQ(of_regexp("k\xc3\xa4.e"), "k\xc3\xa4 e$ ");
  EXPECT_EQ(of_regexp(".*a-1", true), "-1$ ");
}

constexpr std::string_view kMapping =
    "{\"properties\":{\"w\":{\"type\":\"wildcard\"},\"k\":{\"type\":\"keyword\"}}}";

std::string random_value(Random& random) {
  static const std::vector<std::string> kParts = {"ab", "cd", "err", "log", "7",  "/", "\xc3\xa4",
                                                  "x",  "yz", "qu",  "E",   "42", ".", " "};
  std::string value;
  for (uint64_t left = 1 + random.below(8); left > 0; --left)
    value += kParts[random.below(kParts.size())];
  return value;
}

/// The same values in both fields, in three segments, with some deleted documents.
void fill(TestIndex& index, uint32_t documents, Random& random) {
  for (uint32_t i = 0; i < documents; i++) {
    std::string source = "{\"w\":\"";
    const std::string value = random_value(random);
    source += value;
    source += "\",\"k\":\"";
    source += value;
    source += "\"}";
    index.add(std::to_string(i), source);
    if (i % (documents / 3) == documents / 3 - 1) index.refresh();
  }
  index.refresh();
  for (uint32_t i = 0; i < documents; i += 7) index.remove(std::to_string(i));
}

/// The result of `query`, and the number of terms it examined.
struct SearchResult {
  std::string ids;
  uint64_t terms = 0;
};
SearchResult run(const TestIndex& index, const testing::NodeBytes& query) {
  PlanFrame frame;
  frame.legs.push_back(query);
  frame.window = 10000;
  const Result<ShardHits> hits = index.run(frame);
  EXPECT_OK(hits);
  return {index.ids(frame), hits.ok() ? hits->terms_visited : 0};
}

TEST(PatternGrams, WildcardFieldsFindWhatKeywordsFind) {
  Random random(85);
  TestIndex index(kMapping);
  fill(index, 6000, random);
  uint64_t by_grams = 0;
  uint64_t by_walk = 0;
  uint32_t with_hits = 0;
  for (uint32_t i = 0; i < 300; i++) {
    std::string text = random_value(random).substr(0, 1 + random.below(9));
    for (size_t at = 0; at < text.size(); at++) {
      const uint64_t change = random.below(12);
      if (change < 2 && (text[at] & 0x80) == 0) text[at] = change == 0 ? '*' : '?';
    }
    if (random.below(3) > 0) text.insert(0, "*");
    if (random.below(3) == 0) text += "*";
    const bool fold = random.below(8) == 0;
    const SearchResult narrowed = run(index, Query().wildcard("w", text, fold));
    const SearchResult walked = run(index, Query().wildcard("k", text, fold));
    EXPECT_EQ(narrowed.ids, walked.ids);
    with_hits += narrowed.ids.empty() ? 0 : 1;
    by_grams += narrowed.terms;
    by_walk += walked.terms;
  }
  EXPECT_GT(with_hits, 100U);
  EXPECT_LT(3 * by_grams, by_walk);
}

TEST(PatternGrams, RegexpsToo) {
  Random random(86);
  TestIndex index(kMapping);
  fill(index, 3000, random);
  for (const std::string_view pattern :
       {".*err/", ".*log.*7.*", ".*(qu|yz)42", "ab.*cd7", "@42\\.", ".*\xc3\xa4\xc3\xa4.*",
        ".*[a-c]b7", ".*E7|x.*", ".*7{2}.*", ".*nowhere.*"}) {
    for (const bool fold : {false, true}) {
      const SearchResult narrowed = run(index, Query().regexp("w", pattern, fold));
      const SearchResult walked = run(index, Query().regexp("k", pattern, fold));
      EXPECT_EQ(narrowed.ids, walked.ids);
      EXPECT_LE(narrowed.terms, walked.terms);
    }
  }
  const SearchResult narrowed = run(index, Query().regexp("w", ".*err/"));
  EXPECT_LT(8 * narrowed.terms, run(index, Query().regexp("k", ".*err/")).terms);
}

TEST(PatternGrams, MergesWriteThem) {
  Random random(87);
  TestIndex index(kMapping);
  fill(index, 900, random);
  const SearchContext context = index.context();
  std::vector<MergeInput> inputs;
  for (const SegmentView& view : context.view->segments)
    inputs.push_back({view.segment.get(), view.live.get()});
  Result<SegmentImage> image = merge_segments(inputs, nullptr);
  ASSERT_OK(image);
  const auto merged = Segment::open(std::move(image).value());
  ASSERT_OK(merged);
  const SegmentField* field = (*merged)->field("w");
  ASSERT_TRUE(field != nullptr && (*merged)->grams(*field) != nullptr);
  const Bytes found = (*merged)->grams(*field)->section();
  EXPECT_TRUE(std::vector<uint8_t>(found.begin(), found.end()) ==
              write_term_grams(field->inverted->terms()));
  EXPECT_TRUE((*merged)->grams(*(*merged)->field("k")) == nullptr);
}

}  // namespace quarry::pattern_pieces_test
