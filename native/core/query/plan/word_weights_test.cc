// Weights of the words of a query: sqrt(idf) of the terms that the field's analyzer produces.
#include "query/plan/word_weights.h"

#include <cmath>
#include <map>
#include <string>

#include "testing/test_index.h"

namespace quarry::word_weights_test {

using testing::TestIndex;

/// The words of `text` in field "t" with their document frequencies.
std::map<std::string, uint64_t> frequencies(const TestIndex& index, std::string_view text) {
  const SearchContext context = index.context();
  SearchProgress progress{StopCheck(nullptr, 0), {}};
  Compiler compiler(context, 0, progress);
  WordWeights weights(compiler, *context.mapping->find("t"), text);
  LexicalEmbedder embedder(0);
  std::vector<float> vector(16);
  embedder.embed(text, vector, [&](const LexicalTerm& term) { return weights.weigh(term); });
  std::map<std::string, uint64_t> found;
  for (const WordWeights::Word& word : weights.words()) {
    found[word.word] = word.doc_freq;
    const auto n = static_cast<double>(word.doc_freq),
               all = static_cast<double>(weights.doc_count());
    EXPECT_NEAR(word.weight, std::sqrt(std::log(1 + (all - n + 0.5) / (n + 0.5))), 1e-6);
  }
  return found;
}

TestIndex index_of(const std::string& field, const std::vector<std::string>& texts) {
  TestIndex index(R"({"properties":{"t":{)" + field + "}}}");
  for (size_t i = 0; i < texts.size(); i++) {
    index.add(std::to_string(i), R"({"t":")" + texts[i] + "\"}");
    if (i % 2 == 1) index.refresh();
    if (i == 2) {
      index.refresh();
      index.start_shard();
    }
  }
  index.refresh();
  return index;
}

using TermFrequencies = std::map<std::string, uint64_t>;

TEST(WordWeights, CountDocumentsOfAllShardsThatHaveTheWord) {
  const TestIndex index =
      index_of(R"("type":"semantic_text")", {"run dog", "dog dog", "the dog", "runs", "running"});
  EXPECT_TRUE(frequencies(index, "Run the dogs, dog!") ==
              (TermFrequencies{{"run", 1}, {"dogs", 0}, {"dog", 3}}));
}

TEST(WordWeights, StemAsTheAnalyzerOfTheFieldDoes) {
  const TestIndex index = index_of(R"("type":"semantic_text","analyzer":"english")",
                                   {"run dog", "dog dog", "the dog", "runs", "running"});
  EXPECT_TRUE(frequencies(index, "running dogs") == (TermFrequencies{{"running", 3}, {"dogs", 3}}));
}

TEST(WordWeights, TakeTheCommonerSpelling) {
  const TestIndex index =
      index_of(R"("type":"semantic_text")", {"café", "Café au lait", "cafe", "Anna's", "anna"});
  EXPECT_TRUE(frequencies(index, "café") == (TermFrequencies{{"cafe", 2}}));
  EXPECT_TRUE(frequencies(index, "cafe") == (TermFrequencies{{"cafe", 1}}));
  EXPECT_TRUE(frequencies(index, "Anna's") == (TermFrequencies{{"anna", 1}}));
}

TEST(WordWeights, WhatTheAnalyzerDropsOrCutsIsCommonOrAsRareAsItsRarestPart) {
  const TestIndex german = index_of(R"("type":"semantic_text","analyzer":"german")",
                                    {"hund und katze", "katze", "maus"});
  EXPECT_TRUE(frequencies(german, "und katze") == (TermFrequencies{{"und", 3}, {"katze", 2}}));
  const TestIndex pairs =
      index_of(R"("type":"semantic_text")", {"\u6771\u4eac", "\u6771", "\u6771"});
  EXPECT_TRUE(frequencies(pairs, "\u6771\u4eac") == (TermFrequencies{{"\u6771\u4eac", 1}}));
}

TEST(WordWeights, WithoutAnIndexAllWordsWeighTheSame) {
  const TestIndex index = index_of(R"("type":"semantic_text","index":false)", {"dog", "cat dog"});
  EXPECT_TRUE(frequencies(index, "dog cat") == (TermFrequencies{{"dog", 0}, {"cat", 0}}));
}

}  // namespace quarry::word_weights_test
