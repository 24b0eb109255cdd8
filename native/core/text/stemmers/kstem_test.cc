// Krovetz's stemmer, compared with the stems of Lucene 9.12 (test/golden/analysis/kstem.tsv): words
// of the lexicon with endings glued on, words of random letters, of other letters, of all lengths.
#include "text/stemmers/kstem.h"

#include <fstream>
#include <string>

#include "testing/test.h"
#include "text/analysis/token.h"
#include "text/stemmers/kstem_lexicon.h"
#include "text/stemmers/stem_filter.h"

namespace quarry::kstem_test {

std::string stem(std::string_view word) { return std::string(KStemmer().stem(word)); }

TEST(KStem, StemsAreThoseOfLucene) {
  std::ifstream in(std::string(QUARRY_SOURCE_DIR) + "/test/golden/analysis/kstem.tsv");
  const StemFilter filter{std::string(kKStem)};
  KStemmer stemmer;
  size_t words = 0;
  for (std::string line; std::getline(in, line); ++words) {
    const size_t tab = line.find('\t');
    const std::string word = line.substr(0, tab);
    const std::string expected = line.substr(tab + 1);
    EXPECT_EQ(word + " " + std::string(stemmer.stem(word)), word + " " + expected);
    TokenBuffer buffer;
    buffer.tokens.push_back({word, 0, 1, 0, static_cast<uint32_t>(word.size()), "word", false});
    AnalysisBudget budget;
    filter.apply(buffer, budget);
    EXPECT_EQ(word + " " + std::string(buffer.tokens[0].text), word + " " + expected);
  }
  EXPECT_TRUE(words > 5000);
}

TEST(KStem, FindsTheWordThatAnEndingComesFrom) {
  EXPECT_EQ(stem("ponies"), "pony");
  EXPECT_EQ(stem("hoping"), "hope");
  EXPECT_EQ(stem("hopping"), "hop");
  EXPECT_EQ(stem("probabilities"), "probability");
  EXPECT_EQ(stem("generalizations"), "generalization");
  EXPECT_EQ(stem("chattily"), "chatty");
  EXPECT_EQ(stem("italians"), "italy");
}

TEST(KStem, ReplacesTheEndingsOfUnknownWords) {
  EXPECT_EQ(stem("quarrified"), "quarrify");
  EXPECT_EQ(stem("zorbings"), "zorb");
  EXPECT_EQ(stem("zorbabilities"), "zorbable");
  EXPECT_EQ(stem("zorbizations"), "zorbize");
}

TEST(KStem, LeavesOtherTextsAlone) {
  for (const std::string word :
       {"", "as", "Running", "running2", "caf\u00e9s", "it's", "\xff\xfe"}) {
    EXPECT_EQ(stem(word), word);
  }
  EXPECT_EQ(stem(std::string(48, 'z') + "s"), std::string(48, 'z'));
  EXPECT_EQ(stem(std::string(49, 'z') + "s"), std::string(49, 'z') + "s");
}

TEST(KStemLexicon, KnowsRootsAndExceptions) {
  const KStemLexicon& lexicon = KStemLexicon::shared();
  EXPECT_EQ(std::string(lexicon.find("aging")->root), "age");
  EXPECT_EQ(std::string(lexicon.find("zulu")->root), "zulu");
  EXPECT_TRUE(lexicon.find("bathe")->is_exception);
  EXPECT_FALSE(lexicon.find("bath")->is_exception);
  for (const std::string word : {"", "zulus", "Zulu", "a b"}) {
    EXPECT_FALSE(lexicon.find(word).has_value());
  }
}

}  // namespace quarry::kstem_test
