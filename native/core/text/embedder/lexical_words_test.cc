#include "text/embedder/lexical_words.h"

#include <string>
#include <string_view>
#include <vector>

#include "testing/test.h"

namespace quarry::lexical_words_test {

/// The words, joined by "|".
std::string words(std::string_view text, HanWords han = HanWords::kPairs) {
  std::string out;
  LexicalScanner scanner(text, han);
  for (LexicalWord word; scanner.next(word);) {
    if (!out.empty()) out += '|';
    out += word.text;
  }
  return out;
}

TEST(LexicalWords, RunsOfLettersAndDigitsInLowerCase) {
  EXPECT_EQ(words("Flight BA-117, 7 May 2023: 3.5kg!"), "flight|ba|117|7|may|2023|3|5kg");
  EXPECT_EQ(words("snake_case e-mail"), "snake|case|e|mail");
  EXPECT_EQ(words(""), "");
  EXPECT_EQ(words(" \n-- "), "");
}

TEST(LexicalWords, ApostrophesGoAndAPossessiveWithThem) {
  EXPECT_EQ(words("Caroline's dog doesn't bite"), "caroline|dog|doesnt|bite");
  EXPECT_EQ(words("Caroline\u2019s rock'n'roll O'Brien's"), "caroline|rocknroll|obrien");
  EXPECT_EQ(words("'Caroline's' k\u2019s\u2019"), "caroline|k");
  EXPECT_EQ(words("'quoted' the boss' a''b 's"), "quoted|the|boss|a|b|s");
}

TEST(LexicalWords, AccentsAndCompatibilityFormsGo) {
  EXPECT_EQ(words("Zoë CAFÉ Straße Ærø İstanbul ŁÓDŹ"), "zoe|cafe|strasse|aero|istanbul|lodz");
  EXPECT_EQ(words("cafe\u0301 co\u00ADoperate ﬁne ＡＢＣ １２ x²"),
            "cafe|cooperate|fine|abc|12|x2");
  EXPECT_EQ(words("½ ㎏ №5 ⒈"), "1|2|kg|no5|1");
  EXPECT_EQ(words("ΣΊΣΥΦΟΣ Йод"), "σισυφοσ|иод");
}

TEST(LexicalWords, MarksThatAreVowelsStay) {
  EXPECT_EQ(words("हिन्दी भाषा"), "हिन्दी|भाषा");
  EXPECT_EQ(words("\u05E9\u05C1\u05DC\u05D5\u05B9\u05DD"), "\u05E9\u05DC\u05D5\u05DD");  // Hebrew
}

TEST(LexicalWords, HangulIsDecomposed) {
  EXPECT_EQ(words("한가"), "\u1112\u1161\u11AB\u1100\u1161");
}

TEST(LexicalWords, ScriptsWithoutSpacesGivePairs) {
  EXPECT_EQ(words("東京都 is 大 です"), "東京|京都|is|大|てす");
  EXPECT_EQ(words("abc東京def"), "abc|東京|def");
  EXPECT_EQ(words("東"), "東");
  EXPECT_EQ(words("東京。北京"), "東京|北京");
}

TEST(LexicalWords, SingleHanCharactersAreWordsOnRequest) {
  const auto singles = [](std::string_view text) {
    return words(text, HanWords::kPairsAndSingles);
  };
  EXPECT_EQ(singles("東京都 is 大 です"), "東|東京|京|京都|都|is|大|てす");
  EXPECT_EQ(singles("abc東京def"), "abc|東|東京|京|def");
  EXPECT_EQ(singles("食べる人"), "食|食へ|へる|る人|人");
  EXPECT_EQ(singles("東。京 カレー"), "東|京|カレー");
  EXPECT_EQ(singles("東"), "東");
}

TEST(LexicalWords, LongRunsAreCut) {
  EXPECT_EQ(words(std::string(64, 'a')), std::string(64, 'a'));
  EXPECT_EQ(words(std::string(130, 'a')),
            std::string(64, 'a') + "|" + std::string(64, 'a') + "|aa");
  std::string greek;
  for (int i = 0; i < 65; ++i) greek += "λ";
  EXPECT_EQ(words(greek), greek.substr(0, 128) + "|λ");
}

TEST(LexicalWords, RangesAreBytesOfTheText) {
  const std::string_view text = "Zoë's  東京都!";
  LexicalScanner scanner(text);
  LexicalWord word;
  std::string out;
  while (scanner.next(word)) {
    out += "[";
    out += text.substr(word.start, word.end - word.start);
    out += "]";
  }
  EXPECT_EQ(out, "[Zoë's][東京][京都]");
}

TEST(LexicalWords, MalformedBytesEndWords) {
  EXPECT_EQ(words("ab\xFF"
                  "cd\xE6\x9D"),
            "ab|cd");
  for (size_t length = 0; length <= 12; ++length) {
    LexicalScanner scanner(std::string_view("é東京ﬁ½").substr(0, length));
    for (LexicalWord word; scanner.next(word);) EXPECT_TRUE(word.end <= length);
  }
}

}  // namespace quarry::lexical_words_test
