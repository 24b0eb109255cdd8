// Tokenizers: edge cases of the standard one (its rules are in the golden files), and all others.
#include <random>

#include "testing/analysis.h"
#include "text/analysis/utf8.h"
#include "text/tokenizers/standard_tokenizer.h"

namespace quarry::tokenizers_test {

static void tokenize(const Tokenizer& tokenizer, std::string_view text, TokenBuffer& out) {
  AnalysisBudget budget;
  budget.start_text(text.size());
  tokenizer.tokenize(text, out, budget);
}

TEST(StandardTokenizer, CutsLongWords) {
  EXPECT_EQ(tokenized("standard", {{"max_token_length", {"3"}}}, "abcdefg hi"),
            "abc[0-3] def[3-6] g[6-7] hi[8-10]");
  EXPECT_EQ(tokenized("standard", {{"max_token_length", {"2"}}}, "\u00e9\u00e9\u00e9"),
            "\u00e9\u00e9[0-4] \u00e9[4-6]");
}

TEST(StandardTokenizer, LeavesMalformedBytesOut) {
  EXPECT_EQ(tokenized("standard", {},
                      "a\xFF"
                      "b \xE2\x82 c\xC3"),
            "a[0-1] b[2-3] c[7-8]");
}

TEST(StandardTokenizer, JoinsAcrossAsciiAndOtherLetters) {
  EXPECT_EQ(tokenized("standard", {}, "a.\u00e9 1.\u0663 x\u0301y __ _\u00e9_"),
            "a.\u00e9[0-4] 1.\u0663[5-9] x\u0301y[10-14] _\u00e9_[18-22]");
}

TEST(StandardTokenizer, FindsEmojiSequences) {
  EXPECT_EQ(tokenized("standard", {},
                      "#\uFE0F\u20E3 \U0001F44D\U0001F3FD \u00a9 \U0001F1EB \u2764\uFE0F!"),
            "#\uFE0F\u20E3[0-7] \U0001F44D\U0001F3FD[8-16] \u00a9[17-19] \u2764\uFE0F[25-31]");
}

TEST(StandardTokenizer, KeepsPictographs) {
  EXPECT_EQ(tokenized("standard", {}, "sing \u266a \u2654\u2603"),
            "sing[0-4] \u266a[5-8] \u2654[9-12] \u2603[12-15]");
  const StandardTokenizer standard;
  size_t emoji = 0;
  for (uint32_t cp = 0; cp <= 0x10FFFF; cp++) {
    if (cp >= 0xD800 && cp <= 0xDFFF) continue;
    std::string text;
    append_utf8(text, cp);
    const WordSpan word = scan_word(text, 0, kDefaultMaxTokenLength);
    if (word.end == text.size() && std::string_view(word.type) == "<EMOJI>") emoji++;
  }
  EXPECT_EQ(emoji, 3798);  // the same number as in Lucene 9.12
}

TEST(StandardTokenizer, TakesSkinTonesToTheCharacterBefore) {
  EXPECT_EQ(tokenized("standard", {}, "a\U0001F3FBb _\U0001F3FB \U0001F3FB\u200D\u2764"),
            "a\U0001F3FBb[0-6] \U0001F3FB[8-12] \U0001F3FB\u200D\u2764[13-23]");
  EXPECT_EQ(tokenized("standard", {}, "_\u0e31 \u02c2x"), "\u0e31[1-4] \u02c2x[5-8]");
}

TEST(StandardTokenizer, FastPathAgreesWithTheFullRules) {
  constexpr std::string_view kEdges = "aZ09__..,,''::;;\"# \xC3\xA9";
  constexpr std::string_view kWords = "abcdefghijklmnopqrstuvwxyzAMZ059_ @[`{/^.'\xC3\xA9";
  std::mt19937 random(7);
  for (int round = 0; round < 6000; ++round) {
    const std::string_view alphabet = round % 2 == 0 ? kEdges : kWords;
    std::string text;
    for (size_t left = 12 + random() % 40; left > 0; --left) {
      text += alphabet[random() % alphabet.size()];
    }
    TokenBuffer fast;
    tokenize(StandardTokenizer(), text, fast);
    std::string expected;
    for (size_t at = 0; at < text.size();) {
      const WordSpan word = scan_word(text, at, kDefaultMaxTokenLength);
      if (word.end == at) {
        at += decode_utf8(text, at).bytes;
        continue;
      }
      expected += text.substr(at, word.end - at) + word.type + " ";
      at = word.end;
    }
    std::string found;
    for (const Token& token : fast.tokens) found += std::string(token.text) + token.type + " ";
    EXPECT_EQ(text + " gives " + found, text + " gives " + expected);
    TokenBuffer lower;
    tokenize(StandardTokenizer(kDefaultMaxTokenLength, true), text, lower);
    EXPECT_EQ(lower.tokens.size(), fast.tokens.size());
    for (size_t i = 0; i < fast.tokens.size() && i < lower.tokens.size(); ++i) {
      EXPECT_EQ(lower.tokens[i].text, lower_into(fast.tokens[i].text, lower.arena));
    }
  }
}

/// Words with their types, with a search that starts at every character in turn.
std::string from_every_character(std::string_view text, uint32_t max_length) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const WordSpan word = scan_word(text, at, max_length);
    if (word.end > at) out += std::string(text.substr(at, word.end - at)) + word.type + " ";
    at = word.end > at ? word.end : at + decode_utf8(text, at).bytes;
  }
  return out;
}

TEST(StandardTokenizer, FindsTheSameWordsInLongRuns) {
  // Letters, digits, connectors, marks, joiners, emoji, flags, a dash, an invalid byte.
  const std::vector<std::string> pieces = {
      "a",          "Z",      "7",      "_",      "_",          "_",          "\u203f",
      "\u203f",     "\u0301", "\u200d", "\u200d", "\U0001F44D", "\U0001F3FD", "\u2764",
      "\U0001F1EB", "\u2014", " ",      ".",      "\u00e9",     "\xff"};
  std::mt19937 random(11);
  for (int round = 0; round < 6000; ++round) {
    std::string text;
    for (size_t left = 4 + random() % 12; left > 0; --left) {
      const std::string& piece = pieces[random() % pieces.size()];
      for (size_t times = 1 + random() % (random() % 2 == 0 ? 2 : 14); times > 0; --times)
        text += piece;
    }
    const auto max_length = static_cast<uint32_t>(1 + random() % 10);
    TokenBuffer found;
    tokenize(StandardTokenizer(max_length), text, found);
    std::string words;
    for (const Token& token : found.tokens) words += std::string(token.text) + token.type + " ";
    EXPECT_EQ(words, from_every_character(text, max_length));
  }
}

/// Scanning to the end of the run from each of its parts would take hours.
TEST(StandardTokenizer, ATextMayBeOneWord) {
  constexpr size_t kBytes = size_t{24} << 20;
  for (const std::string& piece :
       {std::string("a"), std::string("_"), std::string("\u203f"), std::string("\u200d")}) {
    std::string text;
    text.reserve(kBytes + 2);
    while (text.size() < kBytes) text += piece;
    text += " b";
    TokenBuffer found;
    tokenize(StandardTokenizer(), text, found);
    const size_t parts = piece == "a" ? (text.size() - 2 + 254) / 255 : 0;
    EXPECT_EQ(found.tokens.size(), parts + 1);
  }
}

TEST(CharTokenizers, SplitByCharacterClass) {
  EXPECT_EQ(tokenized("whitespace", {}, " The 2-fox\u00a0jumps\u3000x\n"),
            "The[1-4] 2-fox\u00a0jumps[5-17] x[20-21]");
  EXPECT_EQ(tokenized("whitespace", {{"max_token_length", {"2"}}}, "abcde"),
            "ab[0-2] cd[2-4] e[4-5]");
  EXPECT_EQ(tokenized("letter", {}, "You're 2 Caf\u00e9s"), "You[0-3] re[4-6] Caf\u00e9s[9-15]");
  EXPECT_EQ(tokenized("lowercase", {}, "You're"), "you[0-3] re[4-6]");
  EXPECT_EQ(tokenized("keyword", {}, "New York"), "New York[0-8]");
  EXPECT_EQ(tokenized("keyword", {}, ""), "");
  EXPECT_EQ(
      tokenized("char_group", {{"tokenize_on_chars", {"whitespace", "-", "\\n"}}}, "a-b c\nd,e"),
      "a[0-1] b[2-3] c[4-5] d,e[6-9]");
}

TEST(NgramTokenizer, SlidesOverTheText) {
  EXPECT_EQ(tokenized("ngram", {}, "\u00e9ab"),
            "\u00e9[0-2] \u00e9"
            "a[0-3] a[2-3] ab[2-4] b[3-4]");
  EXPECT_EQ(
      tokenized("ngram",
                {{"min_gram", {"3"}}, {"max_gram", {"3"}}, {"token_chars", {"letter", "digit"}}},
                "2 Quick"),
      "Qui[2-5] uic[3-6] ick[4-7]");
  EXPECT_EQ(tokenized("edge_ngram",
                      {{"min_gram", {"2"}},
                       {"max_gram", {"10"}},
                       {"token_chars", {"letter", "custom"}},
                       {"custom_token_chars", {"-"}}},
                      "2 Qu-k fox"),
            "Qu[2-4] Qu-[2-5] Qu-k[2-6] fo[7-9] fox[7-10]");
}

TEST(NgramTokenizer, RefusesWideRangesAndUnknownClasses) {
  EXPECT_EQ(tokenized("ngram", {{"min_gram", {"1"}}, {"max_gram", {"3"}}}, ""),
            "tokenizer [t] of type [ngram]: The difference between max_gram and min_gram in NGram "
            "Tokenizer must be less than or equal to: [1] but was [2]. This limit can be set by "
            "changing the [index.max_ngram_diff] index level setting.");
  EXPECT_EQ(tokenized("ngram", {{"min_gram", {"3"}}, {"max_gram", {"2"}}}, ""),
            "tokenizer [t] of type [ngram]: [min_gram] must not be greater than [max_gram]");
  EXPECT_EQ(tokenized("edge_ngram", {{"token_chars", {"letters"}}}, ""),
            "tokenizer [t] of type [edge_ngram]: Unknown token type: 'letters', must be one of "
            "[symbol, letter, digit, punctuation, whitespace, custom]");
}

TEST(PatternTokenizer, SplitsOrTakesGroups) {
  EXPECT_EQ(tokenized("pattern", {}, "The foo_bar-size's."),
            "The[0-3] foo_bar[4-11] size[12-16] s[17-18]");
  EXPECT_EQ(tokenized("pattern", {{"pattern", {","}}}, ",a,,b"), "a[1-2] b[4-5]");
  EXPECT_EQ(tokenized("pattern", {{"pattern", {"\"((?:\\\\\"|[^\"])+)\""}}, {"group", {"1"}}},
                      "\"v\", \"x\\\"y\""),
            "v[1-2] x\\\"y[6-10]");
  EXPECT_EQ(tokenized("pattern", {{"pattern", {"X"}}, {"flags", {"CASE_INSENSITIVE"}}}, "axbXc"),
            "a[0-1] b[2-3] c[4-5]");
  EXPECT_EQ(tokenized("pattern", {{"pattern", {"a"}}, {"group", {"1"}}}, ""),
            "tokenizer [t] of type [pattern]: option [group] is [1] but the pattern has 0 groups");
}

TEST(PathTokenizer, GivesEveryAncestor) {
  EXPECT_EQ(tokenized("path_hierarchy", {}, "/one/two/three"),
            "/one[0-4] /one/two[0-8] /one/two/three[0-14]");
  EXPECT_EQ(
      tokenized("path_hierarchy", {{"delimiter", {"-"}}, {"replacement", {"/"}}, {"skip", {"2"}}},
                "one-two-three-four-five"),
      "/three[7-13] /three/four[7-18] /three/four/five[7-23]");
  EXPECT_EQ(tokenized("path_hierarchy", {{"delimiter", {"."}}, {"reverse", {"true"}}}, "a.b.c"),
            "a.b.c[0-5] b.c[2-5] c[4-5]");
  EXPECT_EQ(tokenized("path_hierarchy", {{"reverse", {"true"}}, {"skip", {"1"}}}, "a/b/c"),
            "a/b/[0-4] b/[2-4]");
}

}  // namespace quarry::tokenizers_test
