// Counters as arrays and as tables, and their top terms, compared with a map.
#include "query/aggs/terms/term_counts.h"

#include <algorithm>
#include <map>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

#include "query/aggs/terms/top_terms.h"
#include "testing/test.h"

namespace quarry::term_counts_test {

TEST(TermCounts, AnArrayAndATableCountTheSame) {
  std::mt19937 random(1);
  AggBudget budget;
  TermCounts counts(budget);
  // Few values with many ordinals use a table, which grows if there are more values than expected.
  for (const auto& [numbers, expected, added] : {std::tuple{10U, 5U, 50U},
                                                 {100000U, 10U, 10U},
                                                 {100000U, 10U, 5000U},
                                                 {5000U, 5000U, 9000U}}) {
    counts.start(numbers, expected);
    EXPECT_EQ(counts.sparse(), numbers > 10 && expected < numbers);
    std::map<uint32_t, uint32_t> plain;
    for (uint32_t i = 0; i < added; i++) {
      const auto number = static_cast<uint32_t>(random() % std::min<uint64_t>(numbers, 3000));
      plain[number]++;
      if (counts.sparse()) {
        counts.add(number);
      } else {
        counts.array()[number]++;
      }
    }
    std::map<uint32_t, uint32_t> found;
    counts.each([&](uint32_t number, uint32_t count) { found[number] += count; });
    EXPECT_TRUE(found == plain);
  }
}

TEST(TopTerms, KeepTheFirstByCountThenNumber) {
  std::mt19937 random(2);
  for (const size_t keep : {0U, 1U, 10U, 500U}) {
    for (const uint32_t most : {3U, 1000U}) {
      TopTerms top(keep, [](uint32_t a, uint32_t b) { return a < b; });
      std::vector<std::pair<uint64_t, uint32_t>> all;
      for (uint32_t number = 0; number < 2000; number++) {
        const uint64_t count = 1 + random() % most;
        all.emplace_back(count, number);
        top.offer(number, count);
      }
      std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
        return a.first != b.first ? a.first > b.first : a.second < b.second;
      });
      const std::vector<CountedTerm> kept = top.take();
      ASSERT_EQ(kept.size(), keep);
      for (size_t i = 0; i < keep; i++) {
        EXPECT_EQ(kept[i].number, all[i].second);
        EXPECT_EQ(kept[i].count, all[i].first);
      }
    }
  }
}

}  // namespace quarry::term_counts_test
