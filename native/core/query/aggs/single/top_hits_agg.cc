// top_hits: the best documents of each bucket, by score or by sort keys; the coordinator fetches
// them.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "query/aggs/frame/kinds.h"
#include "query/plan/hits.h"
#include "query/sort/sort_collector.h"
#include "query/sort/sort_key.h"

namespace quarry {
namespace {

constexpr uint32_t kMaxWindow = 10000;
constexpr float kNoScore = std::numeric_limits<float>::quiet_NaN();
constexpr uint64_t kHitBytes = 64;

class TopHitsAggregator final : public Aggregator {
 public:
  TopHitsAggregator(AggContext& context, uint32_t window, bool track_scores, SortSources sources)
      : context_(context),
        window_(window),
        sources_(std::move(sources)),
        scores_(track_scores || sources_.empty()),
        owners_(context.budget) {
    for (const auto& source : sources_) sorts_by_score_ = sorts_by_score_ || source->needs_scores();
  }

  bool needs_scores() const override { return scores_ || sorts_by_score_; }

  void start_leaf(const Leaf& leaf) override {
    base_ = leaf.base;
    for (const auto& source : sources_) source->start_leaf(leaf);
  }

  void collect(const AggBatch& batch) override {
    owners_.reach(batch.owner_count);
    for (size_t entry = 0; entry < batch.docs.size(); entry++) {
      Owner& owner = owners_[batch.owner(entry)];
      const float score = batch.score(entry);
      owner.total++;
      owner.max_score = std::isnan(owner.max_score) ? score : std::max(owner.max_score, score);
      add(owner, batch.docs[entry], score);
    }
  }

  void emit(AggWriter& out, std::span<const uint32_t> owners) override {
    AggWriter::Head head;
    head.op = PlanOp::kAggTopHits;
    head.owners = owners.size();
    head.extra = static_cast<uint32_t>(sources_.size());
    const size_t node = out.begin(head);
    std::vector<uint32_t> sizes;
    std::vector<double> totals;
    std::vector<double> best;
    LegHits leg;
    for (const auto& source : sources_) leg.sort.push_back(source->make_column());
    for (const uint32_t number : owners) {
      Owner owner = owners_.get(number);
      std::sort(owner.hits.begin(), owner.hits.end(),
                [this](const SortedHit& a, const SortedHit& b) { return before(a, b); });
      sizes.push_back(static_cast<uint32_t>(owner.hits.size()));
      totals.push_back(static_cast<double>(owner.total));
      best.push_back(scores_ && owner.total > 0 ? owner.max_score : kNoScore);
      for (const SortedHit& hit : owner.hits) add_hit(hit, leg);
    }
    out.column(sizes);
    out.column(totals);
    out.column(best);
    put_leg(out.bytes(), leg);
    out.end(node);
  }

 private:
  struct Owner {
    std::vector<SortedHit> hits;  // a heap with the worst hit on top
    uint64_t total = 0;
    float max_score = kNoScore;
  };

  bool before(const SortedHit& a, const SortedHit& b) const {
    if (sources_.empty() && a.score != b.score) return a.score > b.score;
    for (size_t i = 0; i < sources_.size(); i++) {
      const int order = sources_[i]->compare_values(a.values[i], b.values[i]);
      if (order != 0) return order < 0;
    }
    return a.doc < b.doc;
  }

  void add(Owner& owner, uint32_t doc, float score) {
    if (window_ == 0) return;
    SortedHit hit;
    hit.doc = base_ + doc;
    hit.score = score;
    for (const auto& source : sources_) hit.values.push_back(source->value(doc, score));
    const auto order = [this](const SortedHit& a, const SortedHit& b) { return before(a, b); };
    if (owner.hits.size() < window_) {
      owner.hits.push_back(std::move(hit));
      context_.budget.charge(kHitBytes + sources_.size() * sizeof(SortValue));
    } else {
      if (!before(hit, owner.hits.front())) return;
      std::pop_heap(owner.hits.begin(), owner.hits.end(), order);
      owner.hits.back() = std::move(hit);
    }
    std::push_heap(owner.hits.begin(), owner.hits.end(), order);
  }

  void add_hit(const SortedHit& hit, LegHits& leg) const {
    const auto after =
        std::upper_bound(context_.leaves.begin(), context_.leaves.end(), hit.doc,
                         [](uint32_t value, const Leaf& leaf) { return value < leaf.base; });
    const Leaf& leaf = *(after - 1);
    leg.docs.push_back(hit.doc);
    leg.scores.push_back(scores_ || sorts_by_score_ ? hit.score : kNoScore);
    leg.seq_nos.push_back(leaf.segment->ids().seq_no(hit.doc - leaf.base));
    for (size_t i = 0; i < sources_.size(); i++) sources_[i]->append(hit.values[i], leg.sort[i]);
  }

  AggContext& context_;
  uint32_t window_;
  SortSources sources_;
  bool scores_;
  bool sorts_by_score_ = false;
  uint32_t base_ = 0;
  BucketArray<Owner> owners_;
};

}  // namespace

Result<AggregatorPtr> make_top_hits_agg(AggNode& node) {
  const auto window = node.reader.get<uint32_t>();
  const bool track_scores = read_agg_flag(node.reader);
  std::vector<SortKey> keys;
  QUARRY_RETURN_IF_ERROR(read_sort_keys(node.reader, keys));
  QUARRY_RETURN_IF_ERROR(check_no_children(node));
  if (window > kMaxWindow) {
    return Status(ErrorType::kIllegalArgument,
                  "Top hits result window is too large, the top hits aggregator [" +
                      node.head.name + "]'s from + size must be less than or equal to: [" +
                      std::to_string(kMaxWindow) + "] but was [" + std::to_string(window) + "]");
  }
  QUARRY_ASSIGN_OR_RETURN(SortSources sources, make_sort_sources(node.context.compiler, keys));
  return AggregatorPtr(
      std::make_unique<TopHitsAggregator>(node.context, window, track_scores, std::move(sources)));
}

}  // namespace quarry
