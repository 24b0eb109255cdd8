// Finds the hits of one leg of a plan.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "query/cache/cross_shard_threshold.h"
#include "query/plan/collapse.h"
#include "query/plan/compiler.h"
#include "query/plan/hits.h"
#include "query/plan/plan.h"
#include "query/plan/query.h"
#include "query/sort/sort_key.h"

namespace quarry {

class AggRun;  // query/aggs/frame/agg_run.h

/// State that all legs of one search share.
struct SearchRun {
  const SearchContext& context;
  const Plan& plan;
  const CrossShardThreshold& before;
  std::vector<Leaf> leaves;
  SearchProgress& progress;
  bool by_score = true;    // see sorts_by_score()
  AggRun* aggs = nullptr;  // null: none requested
};

/// Whether the hits are only counted: the aggregations visit every document of the only leg, so the
/// hits need no collection of their own.
bool only_aggregates(const SearchRun& run);

/// A leg that is compiled once and finds its hits in the leaves that the run has at the time, which
/// may be others from call to call. Not thread-safe.
class LegSearch {
 public:
  /// `run` must outlive it.
  explicit LegSearch(SearchRun& run)
      : run_(run), compiler_(run.context, run.plan.now_ms, run.progress) {}

  /// `restriction`: of the documents that match; null: there is none. The first call of an object.
  Status compile(const PlanNode& node, WeightPtr restriction);
  /// Adds the hits and their number to `out`.
  Status find(ShardHits& out);

 private:
  Status compile_order();
  Status find_by_score(ShardHits& out);
  Status find_sorted(ShardHits& out);
  Status find_collapsed(ShardHits& out);
  Status count_sorted(ShardHits& out);
  void add_columns(const std::vector<ScoredHit>& hits, LegHits& leg);

  SearchRun& run_;
  Compiler compiler_;
  WeightPtr weight_;  // of the hits
  bool scores_ = false;
  SortSources sources_;
  std::vector<SortValue> after_;         // search_after of an order by keys
  std::optional<float> score_after_;     // that of an order by score
  std::unique_ptr<GroupSource> groups_;  // null: hits are not collapsed
};

}  // namespace quarry
