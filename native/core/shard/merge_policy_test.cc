// Which adjacent segments are merged, and which are not.
#include "shard/merge_policy.h"

#include <vector>

#include "testing/test.h"

namespace quarry::merge_policy_test {

constexpr uint64_t kMb = uint64_t{1} << 20;

MergeCandidate segment(uint64_t bytes, bool on_disk = true, uint32_t deleted = 0) {
  return {bytes, 1000, 1000 - deleted, on_disk};
}

std::vector<MergeCandidate> many(size_t count, uint64_t bytes, bool on_disk = true) {
  return std::vector<MergeCandidate>(count, segment(bytes, on_disk));
}

TEST(MergePolicy, TenOfOneSizeAreMerged) {
  EXPECT_FALSE(choose_merge(many(9, kMb)).has_value());
  EXPECT_TRUE(choose_merge(many(10, kMb)) == MergeRange(0, 10));
  EXPECT_FALSE(choose_merge({}).has_value());
}

TEST(MergePolicy, ALargeSegmentIsNotRewrittenForSmallOnes) {
  std::vector<MergeCandidate> segments = {segment(1000 * kMb)};
  for (const MergeCandidate& one : many(10, kMb)) segments.push_back(one);
  EXPECT_TRUE(choose_merge(segments) == MergeRange(1, 11));
}

TEST(MergePolicy, MemoryAndDiskAreNotMixed) {
  std::vector<MergeCandidate> segments = many(5, kMb);
  for (const MergeCandidate& one : many(9, kMb, false)) segments.push_back(one);
  EXPECT_FALSE(choose_merge(segments).has_value());
  segments.push_back(segment(kMb, false));
  EXPECT_TRUE(choose_merge(segments) == MergeRange(5, 15));
}

TEST(MergePolicy, NothingGrowsBeyondTheCap) {
  EXPECT_FALSE(choose_merge(many(10, 600 * kMb)).has_value());
  EXPECT_TRUE(choose_merge(many(10, 500 * kMb)).has_value());
}

TEST(MergePolicy, AMostlyDeletedSegmentIsRewritten) {
  std::vector<MergeCandidate> segments = many(3, 100 * kMb);
  segments[1] = segment(100 * kMb, true, 400);
  EXPECT_TRUE(choose_merge(segments) == MergeRange(1, 2));
  segments[1] = segment(100 * kMb, true, 300);
  EXPECT_FALSE(choose_merge(segments).has_value());
}

TEST(MergePolicy, AdjacentUnbuiltSegmentsAreBuiltTogether) {
  std::vector<MergeCandidate> segments = many(5, kMb);
  segments[2].unbuilt = segments[3].unbuilt = true;
  EXPECT_TRUE(choose_merge(segments) == MergeRange(2, 4));
  segments[0].unbuilt = true;
  EXPECT_TRUE(choose_merge(segments) == MergeRange(0, 1));
  EXPECT_TRUE(choose_forced_merge(segments, 5) == MergeRange(0, 1));
  EXPECT_TRUE(choose_forced_merge(segments, 1) == MergeRange(0, 5));
  std::vector<MergeCandidate> memory = {segment(kMb, false)};
  memory[0].unbuilt = true;
  EXPECT_FALSE(choose_merge(memory).has_value());
  std::vector<MergeCandidate> large = {segment(4000 * kMb), segment(4000 * kMb)};
  large[0].unbuilt = large[1].unbuilt = true;
  EXPECT_TRUE(choose_merge(large) == MergeRange(0, 1));
}

TEST(MergePolicy, LooseSourcesArePackedWhenAMergeIsForced) {
  std::vector<MergeCandidate> segments = many(3, kMb);
  segments[1].loose = true;
  EXPECT_FALSE(choose_merge(segments).has_value());
  EXPECT_TRUE(choose_forced_merge(segments, 3) == MergeRange(1, 2));
  segments[1].loose = false;
  EXPECT_FALSE(choose_forced_merge(segments, 3).has_value());
}

TEST(MergePolicy, ForcedMergesEndAtTheWantedNumber) {
  std::vector<MergeCandidate> segments = many(4, kMb);
  segments[0] = segment(100 * kMb);
  EXPECT_TRUE(choose_forced_merge(segments, 3) == MergeRange(1, 3));
  EXPECT_TRUE(choose_forced_merge(segments, 1) == MergeRange(0, 4));
  EXPECT_FALSE(choose_forced_merge(segments, 4).has_value());
  EXPECT_FALSE(choose_forced_merge(many(1, kMb), 1).has_value());
  EXPECT_TRUE(choose_forced_merge(std::vector{segment(kMb, true, 1)}, 1) == MergeRange(0, 1));
}

}  // namespace quarry::merge_policy_test
