// The beam of a graph search compared with a sorted list.
#include "vector/hnsw/beam.h"

#include <algorithm>
#include <vector>

#include "base/random.h"
#include "testing/test.h"

namespace quarry::beam_test {

std::vector<int32_t> scores_of(Beam& beam) {
  std::vector<Beam::Entry> entries;
  beam.sorted(entries);
  std::vector<int32_t> scores;
  for (const Beam::Entry& entry : entries) scores.push_back(entry.score);
  return scores;
}

void push_if_good(Beam& beam, uint32_t node, int32_t score, bool counted = true) {
  if (score >= beam.floor()) beam.push(node, score, counted);
}

TEST(Beam, PopsTheBestFirst) {
  Beam beam;
  beam.start(10, 0, 0, 1000);
  for (const int32_t score : {5, 900, 17, 450})
    push_if_good(beam, static_cast<uint32_t>(score), score);
  EXPECT_EQ(beam.pop(), 900);
  push_if_good(beam, 800, 800);
  EXPECT_EQ(beam.pop(), 800);
  EXPECT_EQ(beam.pop(), 450);
  EXPECT_EQ(beam.pop(), 17);
  EXPECT_EQ(beam.pop(), 5);
  EXPECT_EQ(beam.pop(), Beam::kNone);
}

TEST(Beam, KeepsTheBestOfManyWhetherPoppedOrNot) {
  Random random(11);
  Beam beam;
  for (uint32_t round = 0; round < 20; ++round) {
    const uint32_t width = 1 + static_cast<uint32_t>(random.below(100));
    beam.start(width, 0, -500000, 900000);
    std::vector<int32_t> all;
    for (uint32_t node = 0; node < 3000; ++node) {
      const auto score = static_cast<int32_t>(random.below(1200000)) - 500000;
      all.push_back(score);
      push_if_good(beam, node, score);
      if (node % 3 == 0) static_cast<void>(beam.pop());
      if (node % 16 == 0) beam.refine();
    }
    std::sort(all.rbegin(), all.rend());
    std::vector<int32_t> kept = scores_of(beam);
    std::sort(kept.rbegin(), kept.rend());
    ASSERT_GE(kept.size(), width);
    EXPECT_TRUE(std::equal(kept.begin(), kept.begin() + width, all.begin()));
  }
}

TEST(Beam, SortedGoesDownByBuckets) {
  Random random(12);
  Beam beam;
  beam.start(200, 0, 0, 1 << 20);
  for (uint32_t node = 0; node < 2000; ++node) {
    push_if_good(beam, node, static_cast<int32_t>(random.below(1 << 20)));
  }
  const std::vector<int32_t> scores = scores_of(beam);
  for (size_t i = 1; i < scores.size(); ++i)
    EXPECT_LT(scores[i] - scores[i - 1], beam.bucket_width());
}

TEST(Beam, SortedGoesDownBeyondTheRangeToo) {
  Random random(5);
  Beam beam;
  for (const uint32_t width : {10U, 300U, 2000U}) {
    beam.start(width, 0, 0, 1 << 16);
    std::vector<int32_t> all;
    for (uint32_t node = 0; node < 1000; ++node) {
      const auto score = static_cast<int32_t>(random.below(1 << 20)) - (1 << 19);
      all.push_back(score);
      push_if_good(beam, node, score);
    }
    const std::vector<int32_t> kept = scores_of(beam);
    EXPECT_EQ(kept.front(), *std::max_element(all.begin(), all.end()));
    int32_t least = kept.front();
    for (const int32_t score : kept) {
      EXPECT_LT(score, least + beam.bucket_width());
      least = std::min(least, score);
    }
  }
}

TEST(Beam, DistinguishesScoresOfOneBucketOnceItIsRefined) {
  Beam beam;
  beam.start(4, 0, 0, 1 << 28);
  const int32_t base = 1 << 27;
  for (uint32_t node = 0; node < 4; ++node)
    push_if_good(beam, node, base + static_cast<int32_t>(node));
  EXPECT_LT(base + 10,
            beam.floor());  // coarse: it would reject the following nodes, although they are better
  while (base + 10 < beam.floor()) {
    const int32_t before = beam.bucket_width();
    beam.refine();
    ASSERT_TRUE(beam.bucket_width() < before);
  }
  push_if_good(beam, 10, base + 10);
  EXPECT_EQ(beam.pop(), 10);
  EXPECT_EQ(beam.pop(), 3);
}

TEST(Beam, ScoresBeyondTheRangeAreKept) {
  Beam beam;
  beam.start(3, 0, 100, 200);
  for (const int32_t score : {-1000000, 1000000, 2000000, 3000000, INT_MAX}) {
    push_if_good(beam, static_cast<uint32_t>(score & 0xff), score);
    beam.refine();
  }
  std::vector<int32_t> kept = scores_of(beam);
  EXPECT_TRUE(std::find(kept.begin(), kept.end(), INT_MAX) != kept.end());
  EXPECT_TRUE(std::find(kept.begin(), kept.end(), -1000000) == kept.end());
}

TEST(Beam, GrowsUntilEnoughAreCounted) {
  Beam beam;
  beam.start(10, 5, 0, 1000);
  for (uint32_t node = 0; node < 100; ++node) {
    push_if_good(beam, node, 1000 - static_cast<int32_t>(node), node >= 50);
  }
  EXPECT_EQ(scores_of(beam).size(), 55);
}

TEST(Beam, IsEmptyAgainAfterStart) {
  Beam beam;
  beam.start(2, 0, 0, 10);
  beam.push(1, 5, true);
  beam.start(2, 0, 0, 10);
  EXPECT_EQ(beam.pop(), Beam::kNone);
  EXPECT_TRUE(scores_of(beam).empty());
}

}  // namespace quarry::beam_test
