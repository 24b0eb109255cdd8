// Candidates of grams compared with the terms themselves; damaged sections are rejected or read
// within their bytes.
#include "postings/term_grams.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "postings/term_dictionary_writer.h"
#include "testing/damage.h"
#include "testing/test.h"

namespace quarry::term_grams_test {

/// Random terms over a few byte values, including zero and 255.
std::vector<uint8_t> random_dictionary(size_t count, uint32_t longest, Random& random) {
  constexpr char kAlphabet[] = {'\0', 'a', 'b', 'c', 'd', 'e', 'z', '\xff'};
  std::set<std::string> terms;
  while (terms.size() < count) {
    std::string term;
    for (uint64_t left = random.below(longest + 1); left > 0; --left)
      term += kAlphabet[random.below(sizeof(kAlphabet))];
    terms.insert(term);
  }
  TermDictionaryWriter writer(false);
  for (const std::string& term : terms) writer.add(term, {});
  return writer.finish();
}

bool holds(std::string_view term, const TermPiece& piece) {
  return piece.at_end ? term.ends_with(piece.text)
                      : term.find(piece.text) != std::string_view::npos;
}

struct GramStatistics {
  uint32_t narrowed = 0;
  uint32_t walked = 0;
  uint64_t candidates = 0;
  uint64_t matches = 0;
};

void ask(const TermGrams& grams, const TermDictionary& terms, const std::vector<TermPiece>& pieces,
         TermDictionary::Range range, GramStatistics& statistics) {
  const auto found = grams.candidates(pieces, range);
  (found ? statistics.narrowed : statistics.walked)++;
  if (!found) return;
  EXPECT_TRUE(std::is_sorted(found->begin(), found->end()));
  EXPECT_TRUE(std::adjacent_find(found->begin(), found->end()) == found->end());
  if (!found->empty()) EXPECT_TRUE(found->front() >= range.begin && found->back() < range.end);
  statistics.candidates += found->size();
  for (uint32_t ordinal = range.begin; ordinal < range.end; ordinal++) {
    const bool matches = std::all_of(pieces.begin(), pieces.end(), [&](const TermPiece& piece) {
      return holds(terms.term(ordinal), piece);
    });
    statistics.matches += matches ? 1 : 0;
    if (matches) EXPECT_TRUE(std::binary_search(found->begin(), found->end(), ordinal));
  }
}

TEST(TermGrams, CandidatesHoldEveryMatch) {
  Random random(83);
  GramStatistics statistics;
  for (const size_t count : {1U, 40U, 3000U}) {
    const std::vector<uint8_t> dictionary = random_dictionary(count, 14, random);
    const Result<TermDictionary> terms = TermDictionary::open(dictionary);
    ASSERT_OK(terms);
    const std::vector<uint8_t> section = write_term_grams(*terms);
    const Result<TermGrams> grams = TermGrams::open(section, terms->size());
    if (section.empty()) continue;  // of the empty term alone
    ASSERT_OK(grams);
    for (uint32_t i = 0; i < 500; i++) {
      std::vector<TermPiece> pieces;
      for (uint64_t left = 1 + random.below(3); left > 0; --left) {
        const std::string_view from =
            terms->term(static_cast<uint32_t>(random.below(terms->size())));
        if (from.empty()) continue;
        const size_t at = random.below(from.size());
        const bool at_end = random.below(3) == 0;
        pieces.push_back(
            {std::string(at_end ? from.substr(at) : from.substr(at, 1 + random.below(5))), at_end});
      }
      const auto begin = static_cast<uint32_t>(random.below(terms->size()));
      const auto end = begin + static_cast<uint32_t>(random.below(terms->size() - begin + 1));
      ask(*grams, *terms, pieces, {0, terms->size()}, statistics);
      ask(*grams, *terms, pieces, {begin, end}, statistics);
    }
  }
  EXPECT_GT(statistics.narrowed, 600U);
  EXPECT_GT(statistics.walked, 100U);
  EXPECT_GT(statistics.matches, 1000U);
  EXPECT_LT(statistics.candidates, 4 * statistics.matches);
}

TEST(TermGrams, ShortPiecesAndEnds) {
  TermDictionaryWriter writer(false);
  for (uint32_t i = 100; i < 300; i++) {
    std::string term = "n";
    term += std::to_string(i);
    term += "x";
    writer.add(term, {});
  }
  for (const char* term : {"ox", "qu", "zqy"}) writer.add(term, {});
  const std::vector<uint8_t> dictionary = writer.finish();
  const Result<TermDictionary> terms = TermDictionary::open(dictionary);
  ASSERT_OK(terms);
  const std::vector<uint8_t> section = write_term_grams(*terms);
  const Result<TermGrams> grams = TermGrams::open(section, terms->size());
  ASSERT_OK(grams);
  const auto found = [&](const std::string& text, bool at_end) {
    const std::vector<TermPiece> pieces{{text, at_end}};
    std::string out;
    for (const uint32_t i : grams->candidates(pieces, {0, 203}).value_or(std::vector<uint32_t>{}))
      out += std::string(terms->term(i)) + " ";
    return out;
  };
  EXPECT_EQ(found("q", false), "qu zqy ");
  EXPECT_EQ(found("qu", false), "qu ");
  EXPECT_EQ(found("y", true), "zqy ");
  EXPECT_EQ(found("ox", true), "ox ");
  EXPECT_EQ(found("123", false), "n123x ");
  EXPECT_EQ(found("22x", true), "n122x n222x ");
  EXPECT_EQ(found("none", false), "");
  EXPECT_FALSE(grams->candidates(std::vector<TermPiece>{{"x", true}}, {0, 203}).has_value());
  EXPECT_FALSE(grams->candidates({}, {0, 203}).has_value());
}

TEST(TermGrams, SurvivesDamage) {
  Random random(84);
  const std::vector<uint8_t> dictionary = random_dictionary(300, 9, random);
  const Result<TermDictionary> terms = TermDictionary::open(dictionary);
  ASSERT_OK(terms);
  const std::vector<uint8_t> section = write_term_grams(*terms);
  const auto try_out = [&](std::vector<uint8_t> bytes) {
    bytes.shrink_to_fit();
    const Result<TermGrams> grams = TermGrams::open(bytes, terms->size());
    if (!grams.ok()) {
      EXPECT_TRUE(grams.status().type() == ErrorType::kCorrupt);
      return;
    }
    for (const char* text : {"a", "ab", "abc", "zzab"}) {
      for (const bool at_end : {false, true}) {
        const std::vector<TermPiece> pieces{{text, at_end}};
        const auto found = grams->candidates(pieces, {0, terms->size()});
        if (found && !found->empty()) EXPECT_LT(found->back(), terms->size());
      }
    }
  };
  EXPECT_FALSE(TermGrams::open(section, terms->size() + 1).ok());
  for (size_t size = 0; size < section.size(); size += size < 200 ? 1 : 37)
    try_out({section.begin(), section.begin() + static_cast<std::ptrdiff_t>(size)});
  for (int i = 0; i < 2000; i++) {
    std::vector<uint8_t> bytes = section;
    testing::damage(bytes, random);
    try_out(std::move(bytes));
  }
}

}  // namespace quarry::term_grams_test
