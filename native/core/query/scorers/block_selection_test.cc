// Selecting the documents of a block within a range and above a score, for any number of them.
#include "query/scorers/block_selection.h"

#include <vector>

#include "base/random.h"
#include "testing/test.h"

namespace quarry::block_selection_test {

TEST(BlockSelection, TakesWhatLiesInTheRangeAndScoresAbove) {
  Random random(8);
  for (uint32_t size = 0; size <= kBlockDocs; size++) {
    std::vector<uint32_t> docs;
    std::vector<float> scores;
    for (uint32_t i = 0; i < size; i++) {
      docs.push_back(10 + 3 * i);
      scores.push_back(static_cast<float>(random.below(8)));
    }
    const auto begin = static_cast<uint32_t>(random.below(200));
    const uint32_t end = begin + static_cast<uint32_t>(random.below(300));
    BlockSelection selected(docs, scores, begin, end, 3.0F);
    for (uint32_t i = 0; i < size; i++) {
      if (docs[i] < begin || docs[i] >= end || scores[i] <= 3.0F) continue;
      ASSERT_TRUE(!selected.empty());
      EXPECT_EQ(selected.pop(), i);
    }
    EXPECT_TRUE(selected.empty());
  }
}

}  // namespace quarry::block_selection_test
