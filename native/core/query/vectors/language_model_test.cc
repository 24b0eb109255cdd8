// Language models: the values of Lucene 9.12 and what the search for the best documents relies on.
#include "query/vectors/language_model.h"

#include <cmath>

#include "query/vectors/similarity_score.h"
#include "testing/test.h"

namespace quarry::language_model_test {

Similarity with_model(Similarity::Model model) {
  Similarity similarity;
  similarity.model = model;
  return similarity;
}

TEST(LanguageModel, dirichlet_is_the_logarithm_of_the_smoothed_probability) {
  const Similarity similarity = with_model(Similarity::Model::kDirichlet);
  const LanguageModel model(similarity, 2, 99, std::vector<uint64_t>{4});
  const double expected = 2 * (std::log(1 + 3 / (2000 * 0.05)) + std::log(2000.0 / (7 + 2000)));
  EXPECT_EQ(model.score(3, 7), static_cast<float>(expected));
  EXPECT_EQ(model.score(1, 200), 0.0F);
}

TEST(LanguageModel, jelinek_mercer_mixes_the_document_with_all_documents) {
  const Similarity similarity = with_model(Similarity::Model::kJelinekMercer);
  const LanguageModel model(similarity, 1, 99, std::vector<uint64_t>{4});
  const double document = (1.0F - 0.1F) * 3.0 / 7;
  EXPECT_EQ(model.score(3, 7), static_cast<float>(std::log(1 + document / (0.1F * 0.05))));
}

TEST(LanguageModel, a_phrase_scores_the_sum_of_its_words) {
  const Similarity similarity = with_model(Similarity::Model::kJelinekMercer);
  const LanguageModel one(similarity, 1, 99, std::vector<uint64_t>{4});
  const LanguageModel other(similarity, 1, 99, std::vector<uint64_t>{9});
  const LanguageModel both(similarity, 1, 99, std::vector<uint64_t>{4, 9});
  EXPECT_EQ(both.score(2, 5), one.score(2, 5) + other.score(2, 5));
}

TEST(LanguageModel, scores_grow_with_the_frequency_and_fall_with_the_length) {
  for (const auto model : {Similarity::Model::kDirichlet, Similarity::Model::kJelinekMercer}) {
    SimilarityFacts facts;
    facts.similarity = with_model(model);
    facts.totals = {100, 5000};
    facts.occurrences = {7};
    const TermSimilarity similarity(facts, find_norm_table(facts.similarity, facts.totals));
    for (int norm = 1; norm < 255; norm++) {
      for (const float freq : {1.0F, 2.0F, 3.0F, 100.0F, 1e6F}) {
        const float score = similarity.score(freq, static_cast<uint8_t>(norm));
        EXPECT_TRUE(similarity.score(freq * 2, static_cast<uint8_t>(norm)) >= score);
        EXPECT_TRUE(similarity.score(freq, static_cast<uint8_t>(norm + 1)) <= score);
        EXPECT_TRUE(score <= similarity.bound());
      }
    }
  }
}

TEST(LanguageModel, a_block_scores_like_its_documents) {
  SimilarityFacts facts;
  facts.similarity = with_model(Similarity::Model::kDirichlet);
  facts.totals = {100, 5000};
  facts.occurrences = {7};
  const TermSimilarity similarity(facts, find_norm_table(facts.similarity, facts.totals));
  const std::vector<uint32_t> docs = {0, 2, 3};
  const std::vector<uint32_t> freqs = {1, 5, 2};
  const uint8_t norms[] = {9, 1, 40, 80};
  float scores[3];
  similarity.score_block(docs, freqs, norms, scores);
  for (size_t i = 0; i < docs.size(); i++)
    EXPECT_EQ(scores[i], similarity.score(static_cast<float>(freqs[i]), norms[docs[i]]));
  similarity.score_block(docs, freqs, nullptr, scores);
  EXPECT_EQ(scores[1], similarity.score(5, kNoNorms));
}

}  // namespace quarry::language_model_test
