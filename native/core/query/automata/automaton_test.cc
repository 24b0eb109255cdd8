// Automata compared with naive definitions: wildcards by backtracking, edits by dynamic
// programming, both over random terms.
#include "query/automata/automaton.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "postings/inverted_field.h"
#include "query/automata/regexp_automaton.h"
#include "query/automata/regexp_syntax.h"
#include "testing/test.h"

namespace quarry::automaton_test {

bool accepts(TermAutomaton& automaton, std::string_view text) {
  TermAutomaton::State state = automaton.start();
  for (size_t at = 0; at < text.size();) {
    state = automaton.step(state, next_code_point(text, at));
    if (state == TermAutomaton::kDead) return false;
  }
  return automaton.accepts(state);
}

bool naive_wildcard(std::u32string_view pattern, std::u32string_view text) {
  if (pattern.empty()) return text.empty();
  if (pattern[0] == U'*') {
    return naive_wildcard(pattern.substr(1), text) ||
           (!text.empty() && naive_wildcard(pattern, text.substr(1)));
  }
  if (text.empty() || (pattern[0] != U'?' && pattern[0] != text[0])) return false;
  return naive_wildcard(pattern.substr(1), text.substr(1));
}

/// Optimal string alignment distance.
size_t naive_edits(std::u32string_view a, std::u32string_view b, bool transpositions) {
  std::vector<std::vector<size_t>> d(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); i++) d[i][0] = i;
  for (size_t j = 0; j <= b.size(); j++) d[0][j] = j;
  for (size_t i = 1; i <= a.size(); i++) {
    for (size_t j = 1; j <= b.size(); j++) {
      d[i][j] = std::min(
          {d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (transpositions && swapped) d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

std::string random_text(Random& random, std::string_view alphabet, uint64_t most) {
  std::string out;
  for (uint64_t left = random.below(most + 1); left > 0; left--)
    out += alphabet[random.below(alphabet.size())];
  return out;
}

TEST(Automaton, WildcardsEqualBacktracking) {
  Random random(1);
  for (int i = 0; i < 4000; i++) {
    const std::string pattern = random_text(random, "ab*?", 8);
    const std::string text = random_text(random, "ab", 9);
    const auto automaton = make_wildcard_automaton(pattern, false);
    EXPECT_EQ(accepts(*automaton, text), naive_wildcard(decode_utf8(pattern), decode_utf8(text)));
  }
}

TEST(Automaton, WildcardEscapesAndFolding) {
  EXPECT_TRUE(accepts(*make_wildcard_automaton("a\\*b", false), "a*b"));
  EXPECT_FALSE(accepts(*make_wildcard_automaton("a\\*b", false), "axb"));
  EXPECT_TRUE(accepts(*make_wildcard_automaton("A?c*", true), "abCdef"));
  EXPECT_TRUE(accepts(*make_wildcard_automaton("?", false), "\u00e9"));
  EXPECT_FALSE(accepts(*make_wildcard_automaton("\u00c9", true), "\u00e9"));
  EXPECT_TRUE(accepts(*make_folded_automaton("Ab", true), "aBc"));
  EXPECT_FALSE(accepts(*make_folded_automaton("Ab", false), "aBc"));
}

TEST(Automaton, LongPatternsStayLinear) {
  std::string pattern;
  for (int i = 0; i < 300; i++) pattern += "*a?";
  const auto automaton = make_wildcard_automaton(pattern + "*b", false);
  EXPECT_FALSE(accepts(*automaton, std::string(5000, 'a')));
  EXPECT_TRUE(accepts(*automaton, std::string(5000, 'a') + "b"));
}

TEST(Automaton, EditsEqualDynamicProgramming) {
  Random random(2);
  for (int i = 0; i < 6000; i++) {
    const std::string text = random_text(random, "abc", 7);
    const std::string term = random_text(random, "abc", 8);
    const auto edits = static_cast<uint32_t>(random.below(3));
    const bool transpositions = random.below(2) == 0;
    const auto prefix = static_cast<uint32_t>(random.below(3));
    const auto automaton = make_fuzzy_automaton(text, edits, prefix, transpositions);
    const size_t fixed = std::min<size_t>(prefix, text.size());
    const bool same_start = term.size() >= fixed && term.compare(0, fixed, text, 0, fixed) == 0;
    const bool expected =
        same_start && naive_edits(decode_utf8(text.substr(fixed)), decode_utf8(term.substr(fixed)),
                                  transpositions) <= edits;
    if (accepts(*automaton, term) != expected) {
      EXPECT_EQ(text + " " + term + " " + std::to_string(edits) + " " + std::to_string(prefix), "");
    }
  }
}

TEST(Automaton, FuzzyCountsCharactersNotBytes) {
  EXPECT_TRUE(accepts(*make_fuzzy_automaton("k\u00e4se", 1, 0, true), "kase"));
  const std::string longer(70, 'x');
  EXPECT_TRUE(accepts(*make_fuzzy_automaton(longer, 2, 0, true), longer.substr(2)));
  EXPECT_FALSE(accepts(*make_fuzzy_automaton(longer, 2, 0, true), longer.substr(3)));
}

bool regexp_accepts(std::string_view pattern, std::string_view text, bool fold = false,
                    uint32_t flags = kRegexpAll) {
  const auto automaton = make_regexp_automaton(pattern, flags, fold, 10000);
  EXPECT_OK(automaton);
  return automaton.ok() && accepts(**automaton, text);
}

TEST(Automaton, RegexpOperators) {
  EXPECT_TRUE(regexp_accepts("ab{2,3}c?", "abbb"));
  EXPECT_FALSE(regexp_accepts("ab{2,3}c?", "abc"));
  EXPECT_TRUE(regexp_accepts("(ab)+|x.z", "xyz"));
  EXPECT_TRUE(regexp_accepts("[a-c1][^x]", "1y"));
  EXPECT_FALSE(regexp_accepts("[a-c1][^x]", "1x"));
  EXPECT_TRUE(regexp_accepts("a~(bc)d", "abd"));
  EXPECT_FALSE(regexp_accepts("a~(bc)d", "abcd"));
  EXPECT_TRUE(regexp_accepts("a.+&.*z", "abcz"));
  EXPECT_FALSE(regexp_accepts("a.+&.*z", "abc"));
  EXPECT_TRUE(regexp_accepts("foo<1-100>", "foo42"));
  EXPECT_TRUE(regexp_accepts("foo<1-100>", "foo007"));
  EXPECT_FALSE(regexp_accepts("foo<1-100>", "foo101"));
  EXPECT_FALSE(regexp_accepts("foo<01-50>", "foo7"));
  EXPECT_TRUE(regexp_accepts("foo<01-50>", "foo07"));
  EXPECT_TRUE(regexp_accepts("@", "anything"));
  EXPECT_FALSE(regexp_accepts("#", ""));
  EXPECT_TRUE(regexp_accepts("\"a.b\"", "a.b"));
  EXPECT_FALSE(regexp_accepts("\"a.b\"", "axb"));
  EXPECT_TRUE(regexp_accepts("a\\.b\\d", "a.b7"));
  EXPECT_TRUE(regexp_accepts("()", ""));
  EXPECT_TRUE(regexp_accepts("", ""));
  EXPECT_TRUE(regexp_accepts("k\u00e4.e", "k\u00e4\u00dfe"));
  EXPECT_TRUE(regexp_accepts("[A-C]x", "bX", true));
  EXPECT_TRUE(regexp_accepts("a&b@", "a&b@", false, 0));
}

TEST(Automaton, RegexpRefusals) {
  const auto reason = [](std::string_view pattern) {
    const auto automaton = make_regexp_automaton(pattern, kRegexpAll, false, 10000);
    return automaton.ok() ? std::string() : automaton.status().reason();
  };
  EXPECT_EQ(reason("a(b"), "expected ')' at position 3");
  EXPECT_EQ(reason("a[b"), "expected ']' at position 3");
  EXPECT_EQ(reason("a{x}"), "integer expected at position 2");
  EXPECT_EQ(reason("a{2"), "expected '}' at position 3");
  EXPECT_EQ(reason("a)"), "end-of-string expected at position 1");
  EXPECT_EQ(reason("\"a"), "expected '\"' at position 2");
  EXPECT_EQ(reason("<a-b>"), "interval syntax error at position 4");
  EXPECT_EQ(reason("a|"), "unexpected end-of-string");
  EXPECT_FALSE(reason(std::string(500, '(') + std::string(500, ')')).empty());
  EXPECT_FALSE(parse_regexp_flags("ALL|SOME").ok());
}

TEST(Automaton, RegexpStatesAreLimited) {
  const auto automaton = make_regexp_automaton("(a|b)*a(a|b){14}", kRegexpAll, false, 100);
  ASSERT_OK(automaton);
  Random random(3);
  for (int i = 0; i < 200; i++)
    static_cast<void>(accepts(**automaton, random_text(random, "ab", 40)));
  EXPECT_FALSE((*automaton)->status().ok());
}

/// Advances by a second at each reading.
class HurriedClock final : public Clock {
 public:
  int64_t wall_ms() const override { return 0; }
  int64_t steady_ns() const override { return now_ += 1'000'000'000; }

 private:
  mutable int64_t now_ = 0;
};

TEST(Automaton, WalksADictionary) {
  Random random(4);
  std::set<std::string> terms;
  while (terms.size() < 3000) terms.insert(random_text(random, "abcd\xc3", 7));
  InvertedFieldWriter writer({}, {});
  for (const std::string& term : terms) {
    writer.start_term(term);
    writer.add(0, 1, {});
  }
  const InvertedSections sections = writer.finish();
  const Result<InvertedField> field = InvertedField::open(sections.terms, sections.blocks,
                                                          sections.postings, sections.positions, 1);
  ASSERT_OK(field);
  const std::vector<std::string> sorted(terms.begin(), terms.end());
  for (const std::string_view pattern : {"a*", "*b?d", "?", "*", "abc", "*aa*bb*"}) {
    const auto automaton = make_wildcard_automaton(pattern, false);
    const auto found = match_terms(*automaton, field->terms(), {0, field->terms().size()}, 0);
    ASSERT_OK(found);
    std::vector<uint32_t> expected;
    for (uint32_t i = 0; i < sorted.size(); i++) {
      if (naive_wildcard(decode_utf8(pattern), decode_utf8(sorted[i]))) expected.push_back(i);
    }
    EXPECT_TRUE(*found == expected);
  }
  const HurriedClock clock;
  StopCheck stop(&clock, 1);
  const auto everything = make_wildcard_automaton("*", false);
  const auto found = match_terms(*everything, field->terms(), {0, field->terms().size()}, 0, &stop);
  ASSERT_OK(found);
  EXPECT_TRUE(stop.timed_out());
  EXPECT_LT(found->size(), sorted.size());
}

}  // namespace quarry::automaton_test
