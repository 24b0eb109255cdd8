// Moves a scorer of each rescore query through the hits in document order.
#include "query/plan/rescore.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "query/scorers/document_matches.h"

namespace quarry {
namespace {

constexpr uint32_t kStepsPerHit = 8;  // a hit is looked up in the postings of every clause

SortColumn empty_column(size_t hits) {
  SortColumn column;
  column.kind = SortColumnKind::kScore;
  column.nulls.assign(hits, 1);
  column.doubles.assign(hits, 0.0);
  return column;
}

void score_hits(Weight& weight, const std::vector<Leaf>& leaves, const LegHits& leg,
                const std::vector<uint32_t>& in_order, StopCheck& stop, SortColumn& column) {
  size_t at = 0;
  for (const Leaf& leaf : leaves) {
    const uint32_t end = leaf.base + leaf.max_doc;
    if (at == in_order.size() || leg.docs[in_order[at]] >= end) continue;
    const ScorerPtr scorer = weight.scorer(leaf, in_order.size());
    for (; at < in_order.size() && leg.docs[in_order[at]] < end; at++) {
      if (stop.step(kStepsPerHit)) return;
      const uint32_t doc = leg.docs[in_order[at]] - leaf.base;
      if (scorer == nullptr || !has_match(*scorer, doc)) continue;
      leaf.counters->docs_scored++;
      column.nulls[in_order[at]] = 0;
      column.doubles[in_order[at]] = static_cast<double>(scorer->score());
    }
  }
}

}  // namespace

Status add_rescores(Compiler& compiler, const std::vector<Leaf>& leaves,
                    const std::vector<PlanNode>& queries, StopCheck& stop, LegHits& leg) {
  if (queries.empty()) return {};
  const size_t before = leg.sort.size();
  std::vector<uint32_t> in_order(leg.docs.size());
  std::iota(in_order.begin(), in_order.end(), 0U);
  std::sort(in_order.begin(), in_order.end(),
            [&leg](uint32_t a, uint32_t b) { return leg.docs[a] < leg.docs[b]; });
  for (const PlanNode& query : queries) {
    compiler.start_over();
    Result<WeightPtr> weight = compiler.compile(query, {1.0F, true});
    if (!weight.ok()) return compiler.error_of(weight.status());
    SortColumn column = empty_column(leg.docs.size());
    score_hits(**weight, leaves, leg, in_order, stop, column);
    leg.sort.push_back(std::move(column));
  }
  if (stop.expired()) {
    for (size_t i = before; i < leg.sort.size(); i++) leg.sort[i] = empty_column(leg.docs.size());
  }
  return {};
}

}  // namespace quarry
