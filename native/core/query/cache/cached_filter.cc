// A weight that consults the cache, for all segments at once or for each, before the inner clause.
#include "query/cache/cached_filter.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "query/cache/filter_cache.h"
#include "query/plan/live_count.h"

namespace quarry {
namespace {

constexpr uint32_t kMinCachedDocs = 4096;  // smaller segments evaluate any filter fast enough

/// The sets of one clause in all segments of a shard, so that one look-up finds all of them. Each
/// set is also an entry of its own, which remains when the list of segments changes.
class KeptSets final : public JointEntry {
 public:
  struct Kept {
    DocIdSetPtr set;  // null: the segment is small
    LiveCount live;
  };
  explicit KeptSets(size_t segments) : sets(segments) {}
  size_t bytes() const override {
    size_t sum = sizeof(KeptSets) + sets.size() * sizeof(Kept);
    for (const Kept& kept : sets) sum += kept.set == nullptr ? 0 : kept.set->bytes();
    return sum;
  }
  uint64_t filters() const override {
    return static_cast<uint64_t>(std::count_if(
        sets.begin(), sets.end(), [](const Kept& kept) { return kept.set != nullptr; }));
  }

  std::vector<Kept> sets;  // by Leaf::ord
};

class CachedFilterWeight final : public Weight {
 public:
  CachedFilterWeight(WeightPtr inner, const PlanNode& node, const Compiler& compiler, float score)
      : inner_(std::move(inner)),
        cache_(*compiler.context().filters),
        segments_(compiler.joint_segments()),
        own_(compiler.context().view->segments.size()),
        mapping_version_(compiler.mapping().version()),
        stop_(compiler.progress().stop),
        score_(score) {
    const auto op = static_cast<uint16_t>(node.op);
    key_.assign(reinterpret_cast<const char*>(&op), sizeof(op));
    key_ += as_text(node.payload);
    set_bound(inner_->bound());
    set_extent_of(*inner_);
  }

  uint64_t cost(const Leaf& leaf) override {
    if (has_runs(leaf)) return inner_->cost(leaf);
    const DocIdSetPtr& set = find(leaf);
    return set != nullptr ? set->count() : inner_->cost(leaf);
  }
  ScorerPtr scorer(const Leaf& leaf, uint64_t lead_cost) override {
    if (has_runs(leaf)) return inner_->scorer(leaf, lead_cost);
    if (const DocIdSetPtr& set = find(leaf); set != nullptr)
      return make_doc_id_set_scorer(set, score_);
    State& state = states_[leaf.ord];
    if (!state.admit) return inner_->scorer(leaf, lead_cost);
    const ScorerPtr all = inner_->scorer(leaf, leaf.max_doc);
    state.set = all == nullptr ? std::make_shared<DocIdSet>(std::vector<uint32_t>(), leaf.max_doc)
                               : collect_doc_id_set(*all, leaf.max_doc, stop_);
    if (!stop_.stopped()) cache_.put(*leaf.handle, mapping_version_, key_, state.set);
    return make_doc_id_set_scorer(state.set, score_);
  }
  LeafPlan plan(const Leaf& leaf, Counting counting) override {
    LeafPlan plan = inner_->plan(leaf, Counting::kNone);
    if (counting == Counting::kNone) return plan;
    plan.count =
        plan.runs != nullptr ? inner_->plan(leaf, counting).count : count_cached(leaf, counting);
    return plan;
  }
  Explanation explain(const Leaf& leaf, uint32_t doc) override {
    return inner_->explain(leaf, doc);
  }
  void report_matches(const Leaf& leaf, uint32_t doc, MatchSink& sink) override {
    inner_->report_matches(leaf, doc, sink);
  }
  std::string describe() const override { return inner_->describe(); }

 private:
  struct State {
    bool looked_up = false;
    bool admit = false;
    DocIdSetPtr set;
  };

  bool is_joint(const Leaf& leaf) const {
    return joint_ != nullptr && leaf.ord < own_ && joint_->sets[leaf.ord].set != nullptr;
  }

  /// The number of live matches, -1 if scorer() will build the set and cache it.
  int64_t count_cached(const Leaf& leaf, Counting counting) {
    if (const DocIdSetPtr& set = find(leaf); set != nullptr) {
      const auto count_set = [&] { return count_live(*set, leaf.live); };
      if (!is_joint(leaf)) return static_cast<int64_t>(count_set());
      return joint_->sets[leaf.ord].live.get(leaf, false, count_set);
    }
    return states_[leaf.ord].admit ? -1 : inner_->plan(leaf, counting).count;
  }

  bool has_runs(const Leaf& leaf) { return inner_->plan(leaf, Counting::kNone).runs != nullptr; }

  /// The cached set of a segment, null if there is none. Ensures that states_ has an entry for it.
  const DocIdSetPtr& find(const Leaf& leaf) {
    if (!std::exchange(looked_up_, true)) find_joint();
    if (is_joint(leaf)) return joint_->sets[leaf.ord].set;
    if (states_.size() <= leaf.ord) states_.resize(leaf.ord + 1);
    State& state = states_[leaf.ord];
    if (!state.looked_up && leaf.handle != nullptr && leaf.max_doc >= kMinCachedDocs)
      ask(*leaf.handle, state);
    return state.set;
  }

  void ask(const std::shared_ptr<const Segment>& segment, State& state) {
    state.looked_up = true;
    FilterCache::Lookup found = cache_.find(segment, mapping_version_, key_);
    state.set = std::move(found.set);
    state.admit = found.admit;
  }

  /// Looks up the sets of all segments at once, if they were requested before.
  void find_joint() {
    const auto may_have_set = [](const std::shared_ptr<const Segment>* segment) {
      return (*segment)->max_doc() >= kMinCachedDocs;
    };
    if (segments_.empty() ||
        std::none_of(segments_.begin(), segments_.begin() + static_cast<ptrdiff_t>(own_),
                     may_have_set)) {
      return;
    }
    const std::string name =
        FilterCache::joint_name("sets", std::to_string(mapping_version_), key_);
    const FilterCache::Joint known = cache_.find_joint(segments_, name);
    if (known.entry != nullptr) {
      joint_ = std::static_pointer_cast<const KeptSets>(known.entry);
    } else if (known.requested_before && look_up_all()) {
      cache_.put_joint(segments_, name, joint_);
    }
  }

  /// Looks up the set of every segment. If all segments that may have one do, stores them in joint_
  /// and returns true.
  bool look_up_all() {
    states_.resize(own_);
    auto all = std::make_shared<KeptSets>(own_);
    for (size_t i = 0; i < own_; i++) {
      if ((*segments_[i])->max_doc() < kMinCachedDocs) continue;
      ask(*segments_[i], states_[i]);
      if (states_[i].set == nullptr) return false;
      all->sets[i].set = states_[i].set;
    }
    joint_ = std::move(all);
    return true;
  }

  WeightPtr inner_;
  FilterCache& cache_;
  const SegmentList segments_;  // of the shard under search first; empty: no joint entries
  const size_t own_;
  uint64_t mapping_version_;
  StopCheck& stop_;
  const float score_;
  std::string key_;
  bool looked_up_ = false;     // whether find_joint() was called
  std::vector<State> states_;  // by Leaf::ord, of segments that are not in joint_
  std::shared_ptr<const KeptSets> joint_;
};

}  // namespace

WeightPtr make_cached_filter(WeightPtr inner, const PlanNode& node, const Compiler& compiler,
                             float score) {
  if (inner->matches_nothing() || inner->matches_everything()) return inner;
  return std::make_unique<CachedFilterWeight>(std::move(inner), node, compiler, score);
}

}  // namespace quarry
