// Cached results over all documents: they are cached at the second request, and stay correct when
// segments change.
#include "query/aggs/frame/shard_result_cache.h"

#include <string>
#include <utility>
#include <vector>

#include "query/plan/leaves.h"
#include "testing/agg_builder.h"
#include "testing/agg_text.h"
#include "testing/test_index.h"

namespace quarry::shard_result_cache_test {

using namespace testing;

constexpr const char* kMapping = R"({"properties":{"k":{"type":"keyword"},"t":{"type":"text"},
    "d":{"type":"date"},"n":{"type":"long"}}})";

struct World {
  FilterCache cache{1 << 20};
  TestIndex index{kMapping};
  uint32_t added = 0;

  explicit World(uint32_t segments) {
    index.use_cache(&cache);
    for (uint32_t i = 0; i < segments; i++) add_segment(40);
  }
  /// A document's term is longer than most.
  void add_segment(uint32_t docs) {
    for (uint32_t i = 0; i < docs; i++, added++) {
      const std::string number = std::to_string(added);
      index.add(number, R"({"k":")" + number + std::string(40, 'k') +
                            R"(","t":"now and then","n":)" + number + R"(,"d":)" +
                            std::to_string(int64_t{added} * 86400000) + "}");
    }
    index.refresh();
  }
  void ask(const PlanFrame& frame, uint32_t times) const {
    for (uint32_t i = 0; i < times; i++) EXPECT_OK(index.run(frame));
  }
  bool keeps(const PlanFrame& frame) const {
    const std::vector<uint8_t> bytes = frame.bytes();
    const Result<Plan> plan = decode_plan(bytes);
    EXPECT_OK(plan);
    if (!plan.ok()) return false;
    const SearchContext context = index.context();
    SearchProgress progress{StopCheck(nullptr, 0), {}};
    const Compiler compiler(context, plan->now_ms, progress);
    const std::vector<Leaf> leaves = make_leaves(*context.view, progress);
    return ShardResultCache(compiler, *plan, leaves).get() != nullptr;
  }
};

PlanFrame everything(NodeBytes agg) {
  PlanFrame frame;
  frame.legs = {Query().match_all()};
  frame.aggs = {std::move(agg)};
  frame.window = 0;
  return frame;
}

NodeBytes terms() {
  TermsOptions options;
  options.shard_size = 10000;
  return terms_agg("k", options, {stats_agg("n")});
}

NodeBytes cardinality() {
  return AggBuilder(PlanOp::kAggCardinality, "cardinality")
      .source("k")
      .put(uint32_t{3000})
      .put(uint8_t{1})
      .finish();
}

NodeBytes months() {
  RoundingSpec spec;
  spec.unit = 3;
  return date_histogram_agg("d", spec);
}

void compare(World& world) {
  for (const NodeBytes& agg : {terms(), cardinality(), months(), stats_agg("n")}) {
    const PlanFrame frame = everything(agg);
    world.index.use_cache(nullptr);
    const Result<ShardHits> made = world.index.run(frame);
    ASSERT_OK(made);
    world.index.use_cache(&world.cache);
    for (uint32_t time = 0; time < 3; time++) {
      const Result<ShardHits> hits = world.index.run(frame);
      ASSERT_OK(hits);
      EXPECT_EQ(hits->total, made->total);
      EXPECT_EQ(read_aggs(hits->aggs), read_aggs(made->aggs));
    }
    EXPECT_TRUE(world.keeps(frame));
  }
}

TEST(ShardResultCache, EqualsAnUncachedResultAfterEveryChange) {
  World world(2);
  compare(world);
  for (const char* id : {"0", "41", "42", "79"}) {
    world.index.remove(id);
    compare(world);
  }
  world.add_segment(10);
  compare(world);
  world.index.remove("85");
  compare(world);
}

TEST(ShardResultCache, IsDroppedWithItsSegments) {
  World world(2);
  const PlanFrame frame = everything(stats_agg("n"));
  world.ask(frame, 1);
  EXPECT_FALSE(world.keeps(frame));
  world.ask(frame, 1);
  EXPECT_TRUE(world.keeps(frame));
  EXPECT_FALSE(world.keeps(everything(stats_agg("d"))));
  world.index.remove("50");
  EXPECT_FALSE(world.keeps(frame));
  world.ask(frame, 1);
  EXPECT_TRUE(world.keeps(frame));
  world.add_segment(5);
  EXPECT_FALSE(world.keeps(frame));
  world.ask(frame, 1);
  EXPECT_TRUE(world.keeps(frame));
  // After a new field, the names of the plan may have another meaning.
  world.index.add("new", R"({"other":1})");
  EXPECT_FALSE(world.keeps(frame));
}

TEST(ShardResultCache, CachesOneSegmentOnlyAfterDeletions) {
  World world(1);
  const PlanFrame frame = everything(stats_agg("n"));
  world.ask(frame, 3);
  EXPECT_FALSE(world.keeps(frame));
  EXPECT_EQ(world.cache.bytes(), 0U);
  world.index.remove("3");
  world.ask(frame, 2);
  EXPECT_TRUE(world.keeps(frame));
}

TEST(ShardResultCache, CachesNothingThatDependsOnOtherInput) {
  World world(2);
  std::vector<PlanFrame> frames(6, everything(stats_agg("n")));
  frames[0].legs = {Query().term("t", "then")};
  frames[1].legs = {Query().match_all(), Query().match_all()};
  frames[2].min_score = 0.5F;
  frames[3].terminate_after = 3;
  frames[4].aggs = {AggBuilder(PlanOp::kAggFilters, "filters")
                        .put(uint8_t{0})
                        .put(uint32_t{1})
                        .node(Query().term("t", "then"))
                        .finish()};
  frames[5].aggs = {AggBuilder(PlanOp::kAggStats, "stats")
                        .source("d", string_scalar("now-1d"))
                        .put(uint8_t{0})
                        .finish()};
  for (const PlanFrame& frame : frames) {
    world.ask(frame, 3);
    EXPECT_FALSE(world.keeps(frame));
  }
}

/// Advances by a second between two readings.
class RunningClock final : public Clock {
 public:
  int64_t wall_ms() const override { return now_ns_ / 1000000; }
  int64_t steady_ns() const override { return now_ns_ += 1000000000; }

 private:
  mutable int64_t now_ns_ = 0;
};

TEST(ShardResultCache, CachesNothingAfterATimeout) {
  World world(2);
  PlanFrame frame = everything(stats_agg("n"));
  frame.timeout_us = 1;
  const std::vector<uint8_t> bytes = frame.bytes();
  const Result<Plan> plan = decode_plan(bytes);
  ASSERT_OK(plan);
  const RunningClock clock;
  SearchContext context = world.index.context();
  context.clock = &clock;
  for (uint32_t time = 0; time < 3; time++) {
    const Result<ShardHits> hits = execute_search(context, *plan);
    ASSERT_OK(hits);
    EXPECT_TRUE(hits->timed_out);
  }
  EXPECT_FALSE(world.keeps(frame));
}

TEST(ShardResultCache, CachesNoLargeResult) {
  World world(2);
  world.add_segment(1500);
  world.ask(everything(terms()), 3);
  EXPECT_FALSE(world.keeps(everything(terms())));
}

}  // namespace quarry::shard_result_cache_test
