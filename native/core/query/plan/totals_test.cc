// Totals, windows, post_filter, min_score, terminate_after and search_after by score.
#include <algorithm>

#include "query/plan/explanation.h"
#include "query/plan/search.h"
#include "testing/test_index.h"

namespace quarry::totals_test {

using testing::PlanFrame;
using testing::Query;
using testing::TestIndex;

/// 300 documents in three segments; "common" occurs id % 7 + 1 times in each.
struct Many {
  TestIndex index{R"({"properties":{"t":{"type":"text"},"n":{"type":"long"}}})"};
  Many() {
    for (int i = 0; i < 300; i++) {
      std::string text = "x";
      for (int j = 0; j <= i % 7; j++) text += " common";
      index.add(std::to_string(i), "{\"t\":\"" + text + "\",\"n\":" + std::to_string(i) + "}");
      if (i % 100 == 99) index.refresh();
    }
  }
  ShardHits run(const PlanFrame& frame) const {
    Result<ShardHits> hits = index.run(frame);
    EXPECT_OK(hits);
    return hits.ok() ? std::move(hits).value() : ShardHits();
  }
};

PlanFrame common() {
  PlanFrame frame;
  frame.legs.push_back(
      Query().boolean({}, {}, {Query().term("t", "common"), Query().term("t", "x")}));
  return frame;
}

TEST(Totals, ExactCappedAndNone) {
  const Many many;
  PlanFrame frame = common();
  EXPECT_EQ(many.run(frame).total, 300);
  EXPECT_FALSE(many.run(frame).total_is_lower_bound);
  frame.track_total_hits = 50;
  EXPECT_EQ(many.run(frame).total, 50);
  EXPECT_TRUE(many.run(frame).total_is_lower_bound);
  frame.track_total_hits = 300;
  EXPECT_EQ(many.run(frame).total, 300);
  EXPECT_FALSE(many.run(frame).total_is_lower_bound);
  frame.track_total_hits = 0;
  EXPECT_TRUE(many.run(frame).total_is_lower_bound);
  EXPECT_EQ(many.run(frame).legs[0].docs.size(), 10);
}

TEST(Totals, SizeZeroOnlyCounts) {
  const Many many;
  PlanFrame frame = common();
  frame.window = 0;
  const ShardHits hits = many.run(frame);
  EXPECT_EQ(hits.total, 300);
  EXPECT_EQ(hits.legs[0].docs.size(), 0);
  EXPECT_FALSE(hits.legs[0].has_max_score);
}

TEST(Totals, TiesAreInInsertionOrderAtEveryWindow) {
  const Many many;
  PlanFrame frame = common();
  frame.window = 300;
  const std::vector<uint32_t> all = many.run(frame).legs[0].docs;
  for (const uint32_t window : {1U, 10U, 42U, 43U, 44U, 100U}) {
    for (const uint32_t track : {0U, 5U, kExactTotal}) {
      frame.window = window;
      frame.track_total_hits = track;
      const std::vector<uint32_t> some = many.run(frame).legs[0].docs;
      EXPECT_TRUE(std::equal(some.begin(), some.end(), all.begin()));
    }
  }
}

TEST(Totals, PostFilterAndMinScoreNarrowHitsAndTotal) {
  const Many many;
  PlanFrame frame = common();
  frame.post_filter = Query().range("n", 8, {"20"});
  EXPECT_EQ(many.run(frame).total, 20);
  frame = common();
  frame.window = 300;
  const std::vector<float> scores = many.run(frame).legs[0].scores;
  const float best = scores[0];
  frame.min_score = best;
  EXPECT_EQ(many.run(frame).total, std::count(scores.begin(), scores.end(), best));
  frame.min_score = best * 2;
  EXPECT_EQ(many.run(frame).total, 0);
}

TEST(Totals, TerminateAfterStopsEarly) {
  const Many many;
  PlanFrame frame = common();
  frame.terminate_after = 25;
  const ShardHits hits = many.run(frame);
  EXPECT_TRUE(hits.terminated_early);
  EXPECT_EQ(hits.total, 25);
}

TEST(Totals, SearchAfterScoreGoesOnBelowIt) {
  const Many many;
  PlanFrame frame = common();
  frame.window = 42;
  const ShardHits first = many.run(frame);
  SortKey key;
  key.field = "_score";
  key.descending = true;
  frame.sort.push_back(key);
  frame.search_after.push_back({Scalar::Kind::kNumber, float_text(first.legs[0].scores.back())});
  const ShardHits second = many.run(frame);
  EXPECT_EQ(second.legs[0].docs.size(), 42);
  EXPECT_LT(second.legs[0].scores[0], first.legs[0].scores.back());
  EXPECT_EQ(second.total, 300);
  EXPECT_EQ(second.legs[0].sort.size(), 1);
}

TEST(Totals, ACountOfOneTermReadsNoPostings) {
  const Many many;
  PlanFrame frame;
  frame.legs.push_back(Query().constant_score(Query().term("t", "common")));
  frame.window = 0;
  const ShardHits hits = many.run(frame);
  EXPECT_EQ(hits.total, 300);
}

TEST(Totals, TimeIsUpAtOnce) {
  const Many many;
  PlanFrame frame = common();
  std::vector<uint8_t> bytes = frame.bytes();
  store(bytes.data() + 24, uint64_t{1});  // one microsecond
  const Result<Plan> plan = decode_plan(bytes);
  ASSERT_OK(plan);
  SearchContext context = many.index.context();
  struct FastClock final : Clock {
    mutable int64_t now = 0;
    int64_t wall_ms() const override { return 0; }
    int64_t steady_ns() const override { return now += 1000000; }
  };
  const FastClock clock;
  context.clock = &clock;
  const Result<ShardHits> hits = execute_search(context, *plan);
  ASSERT_OK(hits);
  EXPECT_TRUE(hits->timed_out);
  EXPECT_TRUE(hits->total_is_lower_bound);
}

}  // namespace quarry::totals_test
