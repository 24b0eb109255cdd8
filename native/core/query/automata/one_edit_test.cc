// Looking up every string at one edit finds the same terms as traversing the dictionary.
#include "query/automata/one_edit.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "postings/term_dictionary_writer.h"
#include "query/automata/automaton.h"
#include "testing/test_index.h"

namespace quarry::one_edit_test {

using testing::PlanFrame;
using testing::Query;
using testing::TestIndex;

using Terms = std::set<std::string>;

/// Short terms over few symbols, so that many are similar; `wide`: some of them have symbols beyond
/// ASCII, or invalid bytes.
Terms random_terms(size_t count, bool wide, Random& random) {
  const std::vector<std::string> symbols = {"a", "b", "c", "0", "\xc3\xa4", "\xe4\xb8\xad", "\xff"};
  Terms terms;
  while (terms.size() < count) {
    std::string term;
    const bool plain = !wide || random.below(4) > 0;
    for (uint64_t left = random.below(7); left > 0; --left)
      term += symbols[random.below(plain ? 4 : symbols.size())];
    terms.insert(term);
  }
  return terms;
}

std::vector<uint8_t> write(const Terms& terms) {
  TermDictionaryWriter writer(false);
  for (const std::string& term : terms) writer.add(term, {});
  return writer.finish();
}

struct DictionaryCounts {
  uint32_t looked_up = 0;  // dictionaries that were not traversed
  uint32_t walked = 0;
};

void compare(const TermDictionary& terms, const std::string& text, DictionaryCounts& found) {
  StopCheck never(nullptr, 0);
  const TermBloom filter(std::make_shared<const SegmentTotals>(TermBloom::make(terms, never)));
  for (const uint32_t fixed : {0U, 1U, 3U, 9U}) {
    for (const bool swaps : {false, true}) {
      const auto ordinals = OneEdit(text, fixed, swaps).find(terms, filter);
      (ordinals ? found.looked_up : found.walked)++;
      if (!ordinals) continue;
      const auto automaton = make_fuzzy_automaton(text, 1, fixed, swaps);
      const auto expected = match_terms(*automaton, terms, {0, terms.size()}, 0);
      ASSERT_OK(expected);
      EXPECT_TRUE(*ordinals == *expected);
    }
  }
}

TEST(OneEdit, FindsWhatTheWalkFinds) {
  Random random(41);
  for (const bool wide : {false, true}) {
    DictionaryCounts found;
    for (const size_t count : {1U, 5U, 70U, 700U}) {
      const std::vector<uint8_t> section = write(random_terms(count, wide, random));
      const Result<TermDictionary> terms = TermDictionary::open(section);
      ASSERT_OK(terms);
      for (uint32_t i = 0; i < 40; i++) {
        const bool of_dictionary = i % 2 == 0;
        std::string text(terms->term(static_cast<uint32_t>(random.below(terms->size()))));
        if (!of_dictionary && !text.empty()) text[random.below(text.size())] = 'b';
        compare(*terms, text, found);
      }
    }
    EXPECT_GT(found.looked_up, 300U);
    // Symbols beyond ASCII are left to the traversal.
    EXPECT_EQ(found.walked > 0, wide);
  }
}

TEST(OneEdit, LeavesToTheWalkWhatHasTooManySymbols) {
  Terms terms;
  for (char symbol = ' '; symbol < '\x7f'; symbol++) terms.insert(std::string(2, symbol));
  const std::vector<uint8_t> section = write(terms);
  const Result<TermDictionary> dictionary = TermDictionary::open(section);
  ASSERT_OK(dictionary);
  StopCheck never(nullptr, 0);
  const TermBloom filter(
      std::make_shared<const SegmentTotals>(TermBloom::make(*dictionary, never)));
  EXPECT_FALSE(OneEdit("ab", 0, true).find(*dictionary, filter).has_value());
  EXPECT_FALSE(OneEdit(std::string(100, 'a'), 0, true).find(*dictionary, filter).has_value());
}

TEST(OneEdit, SearchesEverySegmentOnceItsFilterExists) {
  Random random(43);
  TestIndex index(R"({"properties":{"t":{"type":"keyword"}}})");
  uint32_t id = 0;
  for (uint32_t segment = 0; segment < 3; segment++) {
    for (const std::string& term : random_terms(300, false, random))
      index.add(std::to_string(id++), "{\"t\":\"" + term + "\"}");
    index.refresh();
  }
  FilterCache cache(size_t{1} << 20);
  for (uint32_t i = 0; i < 60; i++) {
    PlanFrame frame;
    frame.window = 100;
    // Another string each time, because results are cached.
    std::string text;
    for (uint32_t left = i, at = 0; at < 3; at++, left /= 4) text += "abc0"[left % 4];
    frame.legs = {Query().fuzzy("t", text, "1")};
    index.use_cache(nullptr);
    const Result<ShardHits> walked = index.run(frame);
    index.use_cache(&cache);
    const Result<ShardHits> looked_up = index.run(frame);
    ASSERT_OK(walked);
    ASSERT_OK(looked_up);
    EXPECT_GT(walked->total, 0U);
    EXPECT_EQ(looked_up->total, walked->total);
    EXPECT_EQ(looked_up->legs[0].docs, walked->legs[0].docs);
    EXPECT_EQ(looked_up->legs[0].scores, walked->legs[0].scores);
  }
  EXPECT_GT(cache.bytes(), 3 * 300 * 12 / 8);  // a filter for each segment
}

}  // namespace quarry::one_edit_test
