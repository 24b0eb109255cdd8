// Compiles a leg and collects its hits in the order of the plan.
#include "query/plan/leg_search.h"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "query/aggs/frame/agg_run.h"
#include "query/clauses/bool_query.h"
#include "query/plan/count_matches.h"
#include "query/plan/rescore.h"
#include "query/scorers/term_scorer.h"
#include "query/scorers/top_score.h"
#include "query/sort/sort_collector.h"
#include "query/sort/sort_seed.h"

namespace quarry {

bool only_aggregates(const SearchRun& run) {
  const Plan& plan = run.plan;
  return run.aggs != nullptr && plan.window == 0 && plan.legs.size() == 1 &&
         !plan.has_post_filter && plan.sort.empty() && plan.search_after.empty();
}

namespace {

bool hits_need_scores(const SearchRun& run) {
  const Plan& plan = run.plan;
  if (only_aggregates(run)) return false;
  if (plan.window == 0 && run.by_score && !plan.has_min_score && plan.collapse_field.empty())
    return false;
  if (run.by_score || plan.has_min_score || (plan.flags & kPlanTrackScores) != 0) return true;
  return std::any_of(plan.sort.begin(), plan.sort.end(), [](const SortKey& key) {
    return key.field == "_score" || key.field == kScriptSort;
  });
}

CollectorOptions collector_options(const SearchRun& run) {
  const Plan& plan = run.plan;
  CollectorOptions options;
  options.window = plan.window;
  options.track_total_hits = run.before.track_total_hits(plan);
  options.min_competitive_score = run.before.min_competitive_score(plan);
  options.terminate_after = plan.terminate_after;
  options.min_score = plan.min_score;
  options.has_min_score = plan.has_min_score;
  return options;
}

/// The weight of the hits of a leg: `whole` restricted by the post_filter, which does not apply to
/// aggregations.
Result<WeightPtr> filter_hits(Compiler& compiler, const Plan& plan, WeightPtr whole) {
  if (!plan.has_post_filter) return whole;
  QUARRY_ASSIGN_OR_RETURN(WeightPtr filter, compiler.compile_filter(plan.post_filter));
  return make_filtered(std::move(whole), std::move(filter));
}

Status wrong_search_after_count(size_t values, size_t keys) {
  return {ErrorType::kIllegalArgument, "search_after has " + std::to_string(values) +
                                           " value(s) but sort has " + std::to_string(keys) + "."};
}

Result<std::vector<SortValue>> parse_search_after(const Plan& plan, const SortSources& sources) {
  std::vector<SortValue> values;
  if (plan.search_after.empty()) return values;
  if (plan.search_after.size() != sources.size()) {
    return wrong_search_after_count(plan.search_after.size(), sources.size());
  }
  for (size_t i = 0; i < sources.size(); i++) {
    QUARRY_ASSIGN_OR_RETURN(SortValue value, sources[i]->parse(plan.search_after[i]));
    values.push_back(std::move(value));
  }
  return values;
}

/// The number of live hits of a segment, if the collector counts hits and counting them first pays;
/// -1 if they are counted while they are collected.
int64_t count_leaf(const SearchRun& run, Weight& weight, const Leaf& leaf,
                   const Collector& collector, StopCheck& stop) {
  const uint64_t wanted = collector.wants_counted();
  const LeafPlan plan = weight.plan(leaf, wanted > 0 ? Counting::kQuickly : Counting::kKnown);
  const bool counts = run.plan.window == 0 ? !collector.needs_scores() : plan.counts_first;
  if (plan.count >= 0 || wanted == 0 || !counts) return plan.count;
  const ScorerPtr scorer = weight.scorer(leaf, leaf.max_doc);
  if (scorer == nullptr) return 0;
  return static_cast<int64_t>(count_matches(*scorer, leaf, weight.cost(leaf), wanted, stop));
}

/// True if the hits of earlier segments beat every document that this segment may hold.
bool cannot_compete(const Weight& weight, const Collector& collector) {
  return collector.threshold() != kNoThreshold && weight.bound() <= collector.threshold();
}

void collect_all(SearchRun& run, Weight& weight, Collector& collector) {
  // What a list holds was found in time and is shown, even if no time is left.
  StopCheck of_list = run.context.stop_check_without_deadline();
  StopCheck& stop = weight.is_list() ? of_list : run.progress.stop;
  for (const Leaf& leaf : run.leaves) {
    if (collector.done() || stop.expired()) return;
    // The bound is index-wide, so later segments cannot compete either.
    if (collector.wants_counted() == 0 && cannot_compete(weight, collector)) return;
    const int64_t known = count_leaf(run, weight, leaf, collector, stop);
    collector.start_leaf(leaf, known);
    const bool only_counts =
        run.plan.window == 0 && run.plan.terminate_after == 0 && !collector.needs_scores();
    if (known == 0 || collector.done() || (known > 0 && only_counts)) continue;
    if (known > 0 && cannot_compete(weight, collector)) continue;
    if (const std::unique_ptr<BulkScorer> bulk = weight.bulk_scorer(leaf); bulk != nullptr) {
      bulk->run(collector, stop);
      continue;
    }
    const ScorerPtr scorer = weight.scorer(leaf, leaf.max_doc);
    if (scorer != nullptr) run_scorer(*scorer, leaf, collector, stop);
  }
  if (of_list.stopped()) run.progress.stop.expired();  // it ends the rest of the search, too
}

/// About what it takes to order a hit and to add it to the reply.
constexpr uint64_t kNanosPerHit = 200;

/// A page of the collector's hits is larger than what is left of the budget.
template <typename Finished>
bool out_of_budget(SearchRun& run, const Finished& collector) {
  const uint64_t hits = std::min<uint64_t>(run.plan.window, collector.counter().total());
  return hits > 0 && run.progress.stop.out_of_budget_within(kNanosPerHit * hits);
}

const Leaf& leaf_of(const SearchRun& run, uint32_t doc) {
  const auto after =
      std::upper_bound(run.leaves.begin(), run.leaves.end(), doc,
                       [](uint32_t value, const Leaf& leaf) { return value < leaf.base; });
  return *(after - 1);
}

void reserve_hits(size_t count, LegHits& leg) {
  if (count == 0) return;
  leg.docs.reserve(count);
  leg.scores.reserve(count);
  leg.seq_nos.reserve(count);
}

void add_hit(const SearchRun& run, uint32_t doc, float score, LegHits& out) {
  const Leaf& leaf = leaf_of(run, doc);
  out.docs.push_back(doc);
  out.scores.push_back(score);
  out.seq_nos.push_back(leaf.segment->ids().seq_no(doc - leaf.base));
}

/// Adds the counts of a finished collector to the reply; with several legs the largest count is
/// kept.
template <typename Finished>
void add_totals(const Finished& collector, bool complete, ShardHits& out) {
  const HitCounter& counter = collector.counter();
  const bool first = out.legs.empty();
  out.total = first ? counter.total() : std::max(out.total, counter.total());
  out.total_is_lower_bound =
      out.total_is_lower_bound || counter.lower_bound() || !complete || !first;
  out.terminated_early = out.terminated_early || collector.terminated_early();
}

Result<std::optional<float>> score_after(const Plan& plan) {
  if (plan.search_after.empty()) return std::optional<float>();
  if (plan.search_after.size() != 1) return wrong_search_after_count(plan.search_after.size(), 1);
  QUARRY_ASSIGN_OR_RETURN(const float score,
                          search_after_number<float>(plan.search_after[0].text, "_score"));
  return std::optional<float>(score);
}

/// Zones may be skipped only if not every hit has to be visited.
bool may_seed(const SearchRun& run, Weight& weight, bool scores) {
  if (scores || run.plan.terminate_after != 0) return false;
  if (run.plan.track_total_hits != kExactTotal) return true;
  // For a term, count_leaf() counts the live matches before any zone is skipped.
  return std::all_of(run.leaves.begin(), run.leaves.end(), [&weight](const Leaf& leaf) {
    return weight.count(leaf) >= 0 || weight.cost(leaf) == 0 || weight.term_clause() != nullptr;
  });
}

}  // namespace

Status LegSearch::compile(const PlanNode& node, WeightPtr restriction) {
  scores_ = hits_need_scores(run_);
  const bool aggs_score = run_.aggs != nullptr && run_.aggs->needs_scores();
  Result<WeightPtr> whole = compiler_.compile(node, {1.0F, scores_ || aggs_score});
  if (!whole.ok()) return compiler_.error_of(whole.status());
  weight_ = std::move(whole).value();
  if (restriction != nullptr) weight_ = make_filtered(std::move(weight_), std::move(restriction));
  if (run_.aggs != nullptr) QUARRY_RETURN_IF_ERROR(run_.aggs->add_leg(*weight_));
  if (only_aggregates(run_)) return {};
  Result<WeightPtr> filtered = filter_hits(compiler_, run_.plan, std::move(weight_));
  if (!filtered.ok()) return compiler_.error_of(filtered.status());
  weight_ = std::move(filtered).value();
  return compile_order();
}

Status LegSearch::compile_order() {
  const Plan& plan = run_.plan;
  if (!plan.collapse_field.empty()) {
    QUARRY_ASSIGN_OR_RETURN(
        groups_, GroupSource::make(compiler_, plan.collapse_field, plan.collapse_by_terms));
  } else if (run_.by_score) {
    QUARRY_ASSIGN_OR_RETURN(score_after_, score_after(plan));
  }
  QUARRY_ASSIGN_OR_RETURN(sources_, make_sort_sources(compiler_, plan.sort));
  if (groups_ == nullptr && run_.by_score) return {};
  QUARRY_ASSIGN_OR_RETURN(after_, parse_search_after(plan, sources_));
  return {};
}

Status LegSearch::find(ShardHits& out) {
  if (only_aggregates(run_)) {
    out.legs.emplace_back();
    return {};
  }
  if (groups_ != nullptr) return find_collapsed(out);
  if (!run_.by_score) return find_sorted(out);
  QUARRY_RETURN_IF_ERROR(find_by_score(out));
  return add_rescores(compiler_, run_.leaves, run_.plan.rescores, run_.progress.stop,
                      out.legs.back());
}

/// Appends the columns of an order by score: the values of keys behind the score and the place.
void LegSearch::add_columns(const std::vector<ScoredHit>& hits, LegHits& leg) {
  for (const auto& source : sources_) leg.sort.push_back(source->make_column());
  if (sources_.empty()) return;
  const Leaf* inside = nullptr;
  for (const ScoredHit& hit : hits) {
    const Leaf& leaf = leaf_of(run_, hit.doc);
    for (size_t i = 0; i < sources_.size(); i++) {
      if (&leaf != inside) sources_[i]->start_leaf(leaf);
      sources_[i]->append(sources_[i]->value(hit.doc - leaf.base, hit.score), leg.sort[i]);
    }
    inside = &leaf;
  }
}

Status LegSearch::find_by_score(ShardHits& out) {
  TopScoreCollector collector(collector_options(run_), score_after_ ? &*score_after_ : nullptr);
  collect_all(run_, *weight_, collector);
  add_totals(collector, !run_.progress.stop.stopped(), out);
  if (out_of_budget(run_, collector)) return budget_ended();
  LegHits leg;
  const std::vector<ScoredHit> hits = collector.take();
  reserve_hits(hits.size(), leg);
  // Scores are shown where nothing else orders; otherwise only if they are requested.
  const bool shown = sources_.size() < 2 || (run_.plan.flags & kPlanTrackScores) != 0;
  for (const ScoredHit& hit : hits) {
    add_hit(run_, hit.doc, shown ? hit.score : std::numeric_limits<float>::quiet_NaN(), leg);
  }
  add_columns(hits, leg);
  leg.has_max_score = shown && !leg.scores.empty() && !score_after_;
  if (leg.has_max_score) leg.max_score = leg.scores[0];
  out.legs.push_back(std::move(leg));
  return {};
}

/// Only counts the hits: a window of 0 needs no order.
Status LegSearch::count_sorted(ShardHits& out) {
  TopScoreCollector collector(collector_options(run_), nullptr);
  collect_all(run_, *weight_, collector);
  add_totals(collector, !run_.progress.stop.stopped(), out);
  LegHits& leg = out.legs.emplace_back();
  for (const auto& source : sources_) leg.sort.push_back(source->make_column());
  return {};
}

Status LegSearch::find_sorted(ShardHits& out) {
  const Plan& plan = run_.plan;
  if (plan.window == 0 && !scores_) return count_sorted(out);
  const bool track_scores = (plan.flags & kPlanTrackScores) != 0;
  const size_t in_order = keys_in_index_order(sources_, run_.context.mapping->context().sort);
  SortCollector collector(collector_options(run_), sources_, in_order, after_, track_scores);
  // The first hits of segments in order are a seed already.
  if (in_order == 0 && may_seed(run_, *weight_, scores_)) {
    const auto seed =
        find_sort_seed(run_.leaves, *weight_, sources_, plan.window, !plan.search_after.empty());
    if (seed) collector.set_seed(*seed);
  }
  collect_all(run_, *weight_, collector);
  add_totals(collector, !run_.progress.stop.stopped(), out);
  if (out_of_budget(run_, collector)) return budget_ended();
  LegHits leg;
  for (const auto& source : sources_) leg.sort.push_back(source->make_column());
  const std::vector<SortedHit> hits = collector.take();
  reserve_hits(hits.size(), leg);
  for (const SortedHit& hit : hits) {
    // min_score and script sorts may compute scores that the response does not show.
    const float shown = track_scores ? hit.score : std::numeric_limits<float>::quiet_NaN();
    add_hit(run_, hit.doc, shown, leg);
    for (size_t i = 0; i < sources_.size(); i++) sources_[i]->append(hit.values[i], leg.sort[i]);
  }
  leg.has_max_score = track_scores && !leg.docs.empty();
  leg.max_score = collector.max_score();
  out.legs.push_back(std::move(leg));
  return {};
}

/// Collects one hit for each value of the collapse field, with the value in an additional column.
Status LegSearch::find_collapsed(ShardHits& out) {
  LegHits leg;
  for (size_t i = 0; i < run_.plan.sort.size(); i++) leg.sort.push_back(sources_[i]->make_column());
  if (sources_.empty()) sources_.push_back(make_score_sort(true));
  GroupCollector collector(collector_options(run_), sources_, *groups_, after_, scores_);
  collect_all(run_, *weight_, collector);
  if (groups_->saw_several()) return groups_->several_values();
  add_totals(collector, !run_.progress.stop.stopped(), out);
  if (out_of_budget(run_, collector)) return budget_ended();
  SortColumn values;
  values.kind = SortColumnKind::kString;
  for (const GroupCollector::Head& head : collector.take()) {
    const SortedHit& hit = head.hit;
    add_hit(run_, hit.doc, scores_ ? hit.score : std::numeric_limits<float>::quiet_NaN(), leg);
    for (size_t i = 0; i < leg.sort.size(); i++) sources_[i]->append(hit.values[i], leg.sort[i]);
    values.nulls.push_back(0);
    values.strings.push_back(groups_->value(head.group));
  }
  leg.sort.push_back(std::move(values));
  leg.has_max_score = scores_ && !leg.docs.empty();
  leg.max_score = collector.max_score();
  out.legs.push_back(std::move(leg));
  return {};
}

}  // namespace quarry
