// Cached tables of tf norms: correct for each request, whatever was requested before.
#include "query/vectors/similarity_score.h"

#include <vector>

#include "postings/norms.h"
#include "testing/test.h"

namespace quarry::similarity_score_test {

Similarity with_b(float b) {
  Similarity similarity;
  similarity.b = b;
  return similarity;
}

void expect_right(const Similarity& similarity, const FieldTotals& totals) {
  const std::shared_ptr<const NormTable> table = find_norm_table(similarity, totals);
  const float average = totals.average_length();
  for (const size_t norm : {0, 1, 40, 255}) {
    const float length = similarity.b * static_cast<float>(norm_lengths()[norm]) / average;
    EXPECT_EQ((*table)[norm], 1.0F / (similarity.k1 * ((1.0F - similarity.b) + length)));
  }
}

TEST(SimilarityScore, ATableIsMadeOnceForAnAverage) {
  const auto first = find_norm_table({}, {10, 55});
  EXPECT_TRUE(find_norm_table({}, {10, 55}) == first);
  EXPECT_TRUE(find_norm_table({}, {20, 110}) == first);
  EXPECT_TRUE(find_norm_table({}, {10, 56}) != first);
  EXPECT_TRUE(find_norm_table(with_b(0.5F), {10, 55}) != first);
  Similarity boolean;
  boolean.model = Similarity::Model::kBoolean;
  EXPECT_TRUE(find_norm_table(boolean, {10, 55}) != first);
}

TEST(SimilarityScore, InterleavedFieldsHaveTheirOwnTables) {
  for (int time = 0; time < 3; time++) {
    for (uint64_t tokens = 40; tokens < 64; tokens += 1 + tokens % 2) {
      expect_right({}, {10, tokens});
      expect_right(with_b(0.3F), {10, tokens});
    }
  }
}

}  // namespace quarry::similarity_score_test
