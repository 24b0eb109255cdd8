// Sketches compared with the values that they estimate.
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "query/aggs/frame/value_sketch.h"
#include "query/aggs/metrics/compensated_sum.h"
#include "query/aggs/metrics/hyper_log_log.h"
#include "query/aggs/terms/term_filter.h"
#include "testing/test.h"

namespace quarry::sketches_test {

TEST(Sketches, HyperLogLogIsWithinItsError) {
  EXPECT_EQ(hll_precision(3000), 14U);
  EXPECT_EQ(hll_precision(0), 4U);
  EXPECT_EQ(hll_precision(40000), 18U);
  for (const uint32_t count : {10U, 1000U, 20000U, 300000U}) {
    std::vector<uint8_t> registers(1U << 14);
    for (uint32_t i = 0; i < count; i++) hll_add(registers, 14, hash_integer(i));
    // Standard error 1.04 / sqrt(2^14) = 0.8 %.
    EXPECT_LT(std::fabs(hll_estimate(registers, 14) - count), 0.03 * count + 1);
  }
}

TEST(Sketches, WholeNumbersHashAlikeWhateverTheirType) {
  EXPECT_EQ(hash_number(5.0), hash_integer(5));
  EXPECT_NE(hash_number(5.5), hash_integer(5));
}

TEST(Sketches, FewValuesAreKept) {
  AggBudget budget;
  ValueSketch sketch;
  for (int i = 1000; i-- > 0;) sketch.add(i % 100, 100, budget);
  sketch.settle(100, budget);
  EXPECT_TRUE(sketch.exact());
  EXPECT_EQ(sketch.means().size(), size_t{100});
  EXPECT_EQ(sketch.weights()[7], 10.0);
  EXPECT_EQ(sketch.percentile(0), 0.0);
  EXPECT_EQ(sketch.percentile(100), 99.0);
  EXPECT_EQ(sketch.percentile(50), 49.5);
  EXPECT_EQ(sketch.percentile_rank(49), 50.0);
}

TEST(Sketches, ManyValuesBecomeCentroids) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal(100, 15);
  AggBudget budget;
  ValueSketch sketch;
  std::vector<double> values;
  for (int i = 0; i < 400000; i++) {
    values.push_back(normal(random));
    sketch.add(values.back(), 100, budget);
  }
  sketch.settle(100, budget);
  std::sort(values.begin(), values.end());
  EXPECT_FALSE(sketch.exact());
  EXPECT_LT(sketch.means().size(), size_t{600});
  EXPECT_TRUE(std::is_sorted(sketch.means().begin(), sketch.means().end()));
  double weight = 0;
  for (const double one : sketch.weights()) weight += one;
  EXPECT_EQ(weight, 400000.0);
  EXPECT_EQ(sketch.min(), values.front());
  EXPECT_EQ(sketch.max(), values.back());
  for (const double percent : {0.1, 1.0, 25.0, 50.0, 75.0, 99.0, 99.9}) {
    const double exact = values[static_cast<size_t>(percent / 100 * 399999)];
    EXPECT_LT(std::fabs(sketch.percentile(percent) - exact), 0.3);
  }
}

TEST(Sketches, SumsDoNotLoseSmallNumbers) {
  CompensatedSum sum;
  for (int i = 0; i < 10; i++) sum.add(0.1);
  EXPECT_EQ(sum.value(), 1.0);
  sum.add(1e100);
  sum.add(1);
  sum.add(-1e100);
  EXPECT_TRUE(std::isfinite(sum.value()));
  sum.add(std::numeric_limits<double>::infinity());
  sum.add(1);
  EXPECT_EQ(sum.value(), std::numeric_limits<double>::infinity());
}

}  // namespace quarry::sketches_test
