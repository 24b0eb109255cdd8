// The counting of cells.
#include "query/aggs/frame/place_counting.h"

#include <random>
#include <vector>

#include "testing/test.h"

namespace quarry::place_counting_test {

TEST(CountCells, CountsEveryOne) {
  std::mt19937_64 random(8);
  for (uint32_t size = 0; size < 70; size++) {
    std::vector<uint32_t> cells;
    std::vector<uint32_t> expected(5);
    for (uint32_t i = 0; i < size; i++) {
      cells.push_back(static_cast<uint32_t>(random() % 5));
      expected[cells.back()]++;
    }
    std::vector<uint32_t> counts(5);
    count_cells(cells, counts.data());
    EXPECT_TRUE(counts == expected);
  }
}

}  // namespace quarry::place_counting_test
