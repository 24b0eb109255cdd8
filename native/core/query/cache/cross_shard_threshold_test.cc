// Thresholds that a search takes over from previous shards change neither the hits of the page nor
// the total.
#include "query/cache/cross_shard_threshold.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "testing/random_corpus.h"

namespace quarry::cross_shard_threshold_test {

using testing::Corpus;
using testing::NodeBytes;
using testing::PlanFrame;
using testing::Query;
using testing::random_clause;
using testing::TestIndex;

/// Score, sequence number: best first, with ties resolved as in the coordinator.
using Hit = std::pair<float, uint64_t>;

struct MergedHits {
  std::vector<Hit> hits;
  uint64_t total = 0;
  bool lower_bound = false;
  uint64_t scored = 0;
};

/// Searches all shards sequentially, and merges the hits as the coordinator does.
MergedHits search(const TestIndex& index, size_t shards, const PlanFrame& frame, bool carried) {
  const std::vector<uint8_t> bytes = frame.bytes();
  const Result<Plan> plan = decode_plan(bytes);
  EXPECT_OK(plan);
  MergedHits out;
  CrossShardThreshold before;
  for (size_t shard = 0; shard < shards; shard++) {
    const SearchContext context = index.context(shard);
    const Result<ShardHits> hits =
        carried ? search_next(context, *plan, before) : execute_search(context, *plan);
    EXPECT_OK(hits);
    if (!hits.ok()) return out;
    before.add(*plan, *hits);
    const LegHits& leg = hits->legs[0];
    for (size_t i = 0; i < leg.docs.size(); i++)
      out.hits.emplace_back(leg.scores[i], leg.seq_nos[i]);
    out.total += hits->total;
    out.lower_bound = out.lower_bound || hits->total_is_lower_bound;
    out.scored += hits->docs_scored;
  }
  std::sort(out.hits.begin(), out.hits.end(), [](const Hit& a, const Hit& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  out.hits.resize(std::min<size_t>(out.hits.size(), plan->window));
  const bool capped = plan->track_total_hits != kExactTotal && out.total > plan->track_total_hits;
  if (capped) out.total = plan->track_total_hits;
  out.lower_bound = out.lower_bound || capped;
  return out;
}

TEST(CrossShardThreshold, ChangesNoHitAndNoTotalOfRandomQueries) {
  constexpr size_t kShards = 3;
  for (uint64_t seed = 31; seed <= 33; seed++) {
    Random random(seed);
    const Corpus corpus(random, seed == 33 ? 3000 : 300, 4, kShards);
    for (uint64_t i = 0; i < 120; i++) {
      PlanFrame frame;
      frame.legs.push_back(random_clause(random, 2));
      for (const uint32_t window : {0U, 1U, 10U, 50U}) {
        for (const uint32_t track : {0U, 7U, 50U, kExactTotal}) {
          frame.window = window;
          frame.track_total_hits = track;
          const MergedHits apart = search(corpus.index, kShards, frame, false);
          const MergedHits carried = search(corpus.index, kShards, frame, true);
          const std::string what = "seed " + std::to_string(seed) + " query " + std::to_string(i) +
                                   " window " + std::to_string(window);
          if (carried.hits != apart.hits) EXPECT_EQ(what, "");
          if (track == 0) continue;
          if (carried.total != apart.total || carried.lower_bound != apart.lower_bound)
            EXPECT_EQ(what + " track " + std::to_string(track), "");
        }
      }
    }
  }
}

TestIndex three_shards() {
  TestIndex index;
  for (uint32_t doc = 0; doc < 3000; doc++) {
    if (doc == 1000 || doc == 2000) {
      index.refresh();
      index.start_shard();
    }
    // The first shard has the best documents.
    index.add(std::to_string(doc),
              doc < 20 ? R"({"t":"fox fox fox"})" : R"({"t":"fox and hound"})");
  }
  index.refresh();
  return index;
}

TEST(CrossShardThreshold, LaterShardsScoreOnlyCompetitiveDocuments) {
  const TestIndex index = three_shards();
  PlanFrame frame;
  frame.legs.push_back(Query().term("t", "fox"));
  frame.track_total_hits = 0;
  const MergedHits apart = search(index, 3, frame, false);
  const MergedHits carried = search(index, 3, frame, true);
  EXPECT_EQ(carried.hits, apart.hits);
  EXPECT_LT(carried.scored * 2, apart.scored);
}

TEST(CrossShardThreshold, TotalsStopAtTheCapOfAllShards) {
  const TestIndex index = three_shards();
  PlanFrame frame;
  frame.legs.push_back(Query().term("t", "fox"));
  frame.window = 0;
  for (const uint32_t cap : {999U, 1000U, 1001U, 2000U, 2999U, 3000U, 3001U}) {
    frame.track_total_hits = cap;
    const MergedHits found = search(index, 3, frame, true);
    EXPECT_EQ(found.total, std::min(cap, 3000U));
    EXPECT_EQ(found.lower_bound, cap < 3000);
  }
}

}  // namespace quarry::cross_shard_threshold_test
