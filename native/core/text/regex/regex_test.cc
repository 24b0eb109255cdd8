// Regular expressions: matches, errors, and the bounded cost of hostile ones.
#include "text/regex/regex.h"

#include "testing/test.h"

namespace quarry::regex_test {
/// "start-end" of each group of the first match, "none" without one, or the reason of an error.
std::string match(std::string_view pattern, std::string_view text, RegexFlags flags = {}) {
  const auto regex = Regex::compile(pattern, flags);
  if (!regex.ok()) return regex.status().reason();
  Regex::Groups groups;
  AnalysisBudget budget;
  budget.start_text(text.size());
  if (!regex->search(text, 0, budget, groups)) return "none";
  std::string out;
  for (const auto& [start, end] : groups) {
    if (!out.empty()) out += ' ';
    out +=
        start == std::string_view::npos ? "-" : std::to_string(start) + "-" + std::to_string(end);
  }
  return out;
}

std::string refusal(std::string_view pattern) {
  const std::string reason = match(pattern, "");
  const std::string prefix = "Invalid regular expression [" + std::string(pattern) + "]: ";
  return reason.starts_with(prefix) ? reason.substr(prefix.size()) : "accepted: " + reason;
}

TEST(Regex, MatchesTheLeftmostAndPrefersTheFirstAlternative) {
  EXPECT_EQ(match("b+", "abbb"), "1-4");
  EXPECT_EQ(match("b+?", "abbb"), "1-2");
  EXPECT_EQ(match("a|ab", "ab"), "0-1");
  EXPECT_EQ(match("(a|ab)(c|bcd)", "abcd"), "0-4 0-1 1-4");
  EXPECT_EQ(match("x*", "ax"), "0-0");
  EXPECT_EQ(match("c", "ab"), "none");
}

TEST(Regex, RepeatsAndGroups) {
  EXPECT_EQ(match("(\\d{2,3})-(?:x)?(?<rest>[a-f]*)", "1234-abz"), "1-7 1-4 5-7");
  EXPECT_EQ(match("a{3}", "aaaa"), "0-3");
  EXPECT_EQ(match("(a)|(b)", "b"), "0-1 - 0-1");
  EXPECT_EQ(match("(?:a*)*b", "aaab"), "0-4");
  EXPECT_EQ(match("(?:){5}x", "x"), "0-1");
}

TEST(Regex, ClassesAndEscapes) {
  EXPECT_EQ(match("[^\\w\\s]+", "ab !?c"), "3-5");
  EXPECT_EQ(match("[]a-]+", "x]-a"), "1-4");
  EXPECT_EQ(match("\\p{L}+", "1\u00e9t\u00e92"), "1-6");
  EXPECT_EQ(match("\\P{L}", "\u00e91"), "2-3");
  EXPECT_EQ(match("\\p{Lu}\\p{Ll}", "aBc"), "1-3");
  EXPECT_EQ(match("\\x41\\u00e9\\Q.*\\E", "A\u00e9.*"), "0-5");
  EXPECT_EQ(match(".", "\n\u65e5"), "1-4");
}

TEST(Regex, AnchorsAndFlags) {
  EXPECT_EQ(match("^b$", "a\nb\n"), "none");
  EXPECT_EQ(match("(?m)^b$", "a\nb\n"), "2-3");
  EXPECT_EQ(match("b$", "b\n"), "0-1");
  EXPECT_EQ(match("b\\z", "b\n"), "none");
  EXPECT_EQ(match("\\bfox\\b", "foxes fox"), "6-9");
  EXPECT_EQ(match("(?i)\u00c9A", "\u00e9a"), "none");
  EXPECT_EQ(match("(?iu)\u00c9A", "\u00e9a"), "0-3");
  EXPECT_EQ(match("(?i:A)b", "aB"), "none");
  EXPECT_EQ(match("a.b", "a\nb", {.dot_all = true}), "0-3");
  EXPECT_EQ(match("a.b", "axb a.b", {.literal = true}), "4-7");
  EXPECT_EQ(match("a b # rest", "ab", {.comments = true}), "0-2");
}

TEST(Regex, RefusesByName) {
  EXPECT_EQ(refusal("(?=(a))"), "a group in a look-around captures nothing; write [(?:]");
  EXPECT_EQ(refusal("(a)\\1"), "back references are not supported; write out what may be repeated");
  EXPECT_EQ(refusal("(?>a)"),
            "atomic groups are not supported; write [(?:], which takes linear time");
  EXPECT_EQ(refusal("a++"),
            "possessive quantifiers are not supported; leave out the second [+], matching takes "
            "linear time without it");
  EXPECT_EQ(refusal("[a&&]"), "an intersection of character classes has an empty side");
  EXPECT_EQ(refusal("\\p{Greek}"),
            "property [Greek] is not supported; write its characters as ranges, such as "
            "[\\u0370-\\u03FF]");
  EXPECT_EQ(refusal(std::string(30, '[')), "too deeply nested");
  EXPECT_EQ(refusal("\\G"), "escape [\\G] is not supported");
  EXPECT_EQ(refusal("(a"), "unclosed group");
  EXPECT_EQ(refusal("a)"), "unmatched closing [)]");
  EXPECT_EQ(refusal("[a"), "unclosed character class");
  EXPECT_EQ(refusal("*a"), "dangling quantifier");
  EXPECT_EQ(refusal("a{2,1}"), "bad repetition count");
  EXPECT_EQ(refusal("\\"), "ends with a backslash");
  EXPECT_EQ(refusal("(?:(?:a{100}){100}){100}"), "the pattern is too large");
  EXPECT_EQ(refusal("(?:(?:(?:){1000}){1000}){1000}"), "the pattern is too large");
  EXPECT_EQ(refusal(std::string(500, '(')), "too deeply nested");
}

TEST(Regex, PropertiesOfUnicode) {
  EXPECT_EQ(match("\\p{Cf}+", "a\u200D\u00ADb"), "1-6");
  EXPECT_EQ(match("\\p{Lt}", "a\u01C5"), "1-3");
  EXPECT_EQ(match("[\\p{M}\\p{Sc}]+", "a\u0301\u20ACb"), "1-6");
  EXPECT_EQ(match("\\p{gc=Nl}", "5\u2167"), "1-4");
  EXPECT_EQ(match("\\p{IsHan}+", "a\u65E5\u672C\u306E"), "1-7");
  EXPECT_EQ(match("\\p{script=hira}", "\u65E5\u306E"), "3-6");
  EXPECT_EQ(match("\\P{IsLatin}", "a\u03B1"), "1-3");
  EXPECT_EQ(match("\\p{InCombiningDiacriticalMarks}+", "a\u0301\u0302"), "1-5");
  EXPECT_EQ(match("\\p{InGreek}", "a\u03B1"), "1-3");
  EXPECT_EQ(match("\\p{javaLetterOrDigit}+", "-\u00E94-"), "1-4");
}

TEST(Regex, ClassesWithinClasses) {
  EXPECT_EQ(match("[\\p{L}&&[^\\p{Lu}]]+", "ABcdE"), "2-4");
  EXPECT_EQ(match("[a[x-z]]+", "bxaz"), "1-4");
  EXPECT_EQ(match("[a-z&&b-y&&[^m]]+", "ambcz"), "2-4");
  EXPECT_EQ(match("[^a-z&&[^0-9]]+", "1a?"), "0-1");
  EXPECT_EQ(match("(?i)[a-c&&[b]]+", "aBbc"), "1-3");
}

TEST(Regex, LooksAheadAndBehind) {
  EXPECT_EQ(match("a(?=b)", "aab"), "1-2");
  EXPECT_EQ(match("a(?!b)", "aba"), "2-3");
  EXPECT_EQ(match("(?<=a)b", "bab"), "2-3");
  EXPECT_EQ(match("(?<!a)b", "abb"), "2-3");
  EXPECT_EQ(match("(?<=^|\\s)b+", "ab bb"), "3-5");
  EXPECT_EQ(match("(?<=\\p{L})[.](\\p{L})(?=\\P{L}|$)", "U.S.A. x"), "1-3 2-3");
  EXPECT_EQ(match("x(?=(?:ab|a)c$)", "xabcd xabc"), "6-7");
  EXPECT_EQ(match("(?<=a(?=b))b", "bab"), "2-3");
  EXPECT_EQ(match("(?<=a{2,3})b", "abaab"), "4-5");
  EXPECT_EQ(match("(?i)(?<=\u00e9)A(?=B)", "\u00e9ab"), "2-3");
  EXPECT_EQ(match("(?:(?=a)a){3}", "aaa"), "0-3");
  EXPECT_EQ(match("(?=a)*b", "ab"), "1-2");
}

TEST(Regex, CamelCaseIsSplitByLookArounds) {
  const auto regex = Regex::compile(
      "([^\\p{L}\\d]+)|(?<=\\D)(?=\\d)|(?<=\\d)(?=\\D)|(?<=[\\p{L}&&[^\\p{Lu}]])(?=\\p{Lu})|"
      "(?<=\\p{Lu})(?=\\p{Lu}[\\p{L}&&[^\\p{Lu}]])");
  ASSERT_OK(regex);
  const std::string_view text = "MooseX::FTPClass2_beta";
  std::string parts;
  size_t from = 0;
  AnalysisBudget budget;
  budget.start_text(text.size());
  const auto add = [&](size_t start, size_t end) {
    if (start < end) parts += std::string(text.substr(start, end - start)) + " ";
  };
  regex->for_each_match(text, budget, [&](const Regex::Groups& groups) {
    add(from, groups[0].first);
    from = groups[0].second;
  });
  add(from, text.size());
  EXPECT_EQ(parts, "Moose X FTP Class 2 beta ");
}

TEST(Regex, LookAroundsTakeOnePassOverTheText) {
  const auto regex = Regex::compile("(?<=a.*)a(?=.*a.*b)");
  ASSERT_OK(regex);
  const std::string text(100000, 'a');
  AnalysisBudget budget;
  budget.start_text(text.size());
  Regex::Groups groups;
  EXPECT_TRUE(!regex->search(text, 0, budget, groups));
  EXPECT_TRUE(budget.steps() < 100 * text.size());
}

TEST(Regex, CatastrophicPatternsAreLinear) {
  const std::string text(5000, 'a');
  EXPECT_EQ(match("(a*)*b", text), "none");
  EXPECT_EQ(match("(a|aa)+$", text).substr(0, 6), "0-5000");
}

TEST(Regex, EmptyMatchesMoveOn) {
  const auto regex = Regex::compile("x*");
  ASSERT_OK(regex);
  std::string found;
  AnalysisBudget budget;
  budget.start_text(4);
  regex->for_each_match("\u00e9xx", budget, [&](const Regex::Groups& groups) {
    found += std::to_string(groups[0].first) + "-" + std::to_string(groups[0].second) + " ";
  });
  EXPECT_EQ(found, "0-0 2-4 4-4 ");
}

}  // namespace quarry::regex_test
