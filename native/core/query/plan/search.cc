// Runs the legs of a plan over the segments of a shard and gathers their hits.
#include "query/plan/search.h"

#include <memory>
#include <utility>

#include "query/aggs/frame/agg_run.h"
#include "query/cache/cross_shard_threshold.h"
#include "query/plan/leaves.h"
#include "query/plan/leg_search.h"

namespace quarry {
namespace {

Status run_aggregations(SearchRun& run, ShardHits& out) {
  if (run.aggs == nullptr) return {};
  QUARRY_ASSIGN_OR_RETURN(out.aggs, run.aggs->finish());
  if (!only_aggregates(run)) return {};
  HitCounter counter(run.plan.track_total_hits);
  counter.start_leaf(static_cast<int64_t>(run.aggs->matched()));
  out.total = counter.total();
  out.total_is_lower_bound = counter.lower_bound() || run.progress.stop.stopped();
  out.terminated_early = run.aggs->terminated_early();
  return {};
}

Result<ShardHits> run_plan(const SearchContext& context, const Plan& plan,
                           const CrossShardThreshold& before) {
  SearchProgress progress{context.stop_check(plan.timeout_us), {}};
  if (progress.stop.expired() && !progress.stop.timed_out()) return progress.status();
  SearchRun run{
      context, plan, before, make_leaves(*context.view, progress), progress, sorts_by_score(plan)};
  std::unique_ptr<AggRun> aggs;
  if (!plan.aggs.empty()) {
    QUARRY_ASSIGN_OR_RETURN(aggs, AggRun::make(context, plan, run.leaves, progress));
    run.aggs = aggs.get();
  }
  ShardHits out;
  out.generation = context.view->generation;
  out.mapping_version = context.mapping->version();
  out.index_number = context.index_number;
  out.shard = context.shard;
  for (const PlanNode& leg : plan.legs) {
    LegSearch search(run);
    QUARRY_RETURN_IF_ERROR(search.compile(leg, nullptr));
    QUARRY_RETURN_IF_ERROR(search.find(out));
    QUARRY_RETURN_IF_ERROR(progress.status());
  }
  QUARRY_RETURN_IF_ERROR(run_aggregations(run, out));
  QUARRY_RETURN_IF_ERROR(progress.status());
  out.timed_out = progress.stop.timed_out();
  out.postings = progress.counters.postings;
  out.docs_scored = progress.counters.docs_scored;
  out.docs_sorted = progress.counters.docs_sorted;
  out.terms_visited = progress.counters.terms_visited;
  out.vectors = progress.counters.vectors;
  return out;
}

}  // namespace

Result<ShardHits> execute_search(const SearchContext& context, const Plan& plan) {
  return search_next(context, plan, {});
}

Result<ShardHits> search_next(const SearchContext& context, const Plan& plan,
                              const CrossShardThreshold& before) {
  Result<ShardHits> found = run_plan(context, plan, before);
  // Hits and errors alike may come from work that was left undone.
  if (context.out_of_budget()) return budget_ended();
  return found;
}

}  // namespace quarry
