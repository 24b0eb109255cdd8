// Consults the cache per segment before the clause itself.
#include "query/cached_filter.h"

#include <string>
#include <utility>
#include <vector>

namespace quarry {
namespace {

constexpr uint32_t kMinCachedDocs = 4096;  // smaller segments answer any filter quickly

class CachedFilterWeight final : public Weight {
 public:
  CachedFilterWeight(WeightPtr inner, const PlanNode& node, FilterCache& cache,
                     uint64_t mapping_version, const StopCheck& stop, float score)
      : inner_(std::move(inner)),
        cache_(cache),
        mapping_version_(mapping_version),
        stop_(stop),
        score_(score) {
    const auto op = static_cast<uint16_t>(node.op);
    key_.assign(reinterpret_cast<const char*>(&op), sizeof(op));
    key_ += as_text(node.payload);
  }

  uint64_t cost(const Leaf& leaf) override {
    if (inner_->runs(leaf) != nullptr) return inner_->cost(leaf);
    const DocSetPtr& set = look_up(leaf).set;
    return set != nullptr ? set->count() : inner_->cost(leaf);
  }
  ScorerPtr scorer(const Leaf& leaf, uint64_t lead_cost) override {
    if (inner_->runs(leaf) != nullptr) return inner_->scorer(leaf, lead_cost);
    State& state = look_up(leaf);
    if (state.set == nullptr && state.admit) {
      const ScorerPtr all = inner_->scorer(leaf, leaf.max_doc);
      if (all == nullptr) return nullptr;
      state.set = collect_doc_set(*all, leaf.max_doc);
      if (!stop_.timed_out()) cache_.put(*leaf.handle, mapping_version_, key_, state.set);
    }
    if (state.set != nullptr) return make_doc_set_scorer(state.set, score_);
    return inner_->scorer(leaf, lead_cost);
  }
  int64_t count(const Leaf& leaf) override {
    if (inner_->runs(leaf) != nullptr) return inner_->count(leaf);
    const State& state = look_up(leaf);
    if (state.set != nullptr) return static_cast<int64_t>(count_live(*state.set, leaf.live));
    // scorer() will make the set, and keep it.
    return state.admit ? -1 : inner_->count(leaf);
  }
  int64_t count_quickly(const Leaf& leaf) override { return inner_->count_quickly(leaf); }
  const std::vector<DocRun>* runs(const Leaf& leaf) override { return inner_->runs(leaf); }
  bool counts_by_bits(const Leaf& leaf) override { return inner_->counts_by_bits(leaf); }
  float bound() const override { return inner_->bound(); }
  bool matches_nothing() const override { return inner_->matches_nothing(); }
  bool matches_everything() const override { return inner_->matches_everything(); }
  Explanation explain(const Leaf& leaf, uint32_t doc) override {
    return inner_->explain(leaf, doc);
  }
  void mark(const Leaf& leaf, uint32_t doc, MarkSink& sink) override {
    inner_->mark(leaf, doc, sink);
  }
  std::string describe() const override { return inner_->describe(); }

 private:
  struct State {
    bool asked = false;
    bool admit = false;
    DocSetPtr set;
  };

  State& look_up(const Leaf& leaf) {
    if (states_.size() <= leaf.ord) states_.resize(leaf.ord + 1);
    State& state = states_[leaf.ord];
    if (state.asked || leaf.handle == nullptr || leaf.max_doc < kMinCachedDocs) return state;
    state.asked = true;
    FilterCache::Lookup found = cache_.find(*leaf.handle, mapping_version_, key_);
    state.set = std::move(found.set);
    state.admit = found.admit;
    return state;
  }

  WeightPtr inner_;
  FilterCache& cache_;
  uint64_t mapping_version_;
  const StopCheck& stop_;
  const float score_;
  std::string key_;
  std::vector<State> states_;  // by Leaf::ord
};

}  // namespace

bool is_cacheable_filter(PlanOp op) {
  switch (op) {
    case PlanOp::kTerm:
    case PlanOp::kIds:
    case PlanOp::kMatchAll:
    case PlanOp::kMatchNone:
    case PlanOp::kMatch:
      return false;
    default:
      return true;
  }
}

WeightPtr make_cached_filter(WeightPtr inner, const PlanNode& node, FilterCache& cache,
                             uint64_t mapping_version, const StopCheck& stop, float score) {
  if (inner->matches_nothing() || inner->matches_everything()) return inner;
  return std::make_unique<CachedFilterWeight>(std::move(inner), node, cache, mapping_version,
                                              stop, score);
}

bool is_costly_constant(PlanOp op) { return op == PlanOp::kWildcard; }

}  // namespace quarry
