// Searches the best zones first, until there are enough hits and no remaining zone can have a
// better one.
#include "query/sort/sort_seed.h"

#include <algorithm>
#include <vector>

namespace quarry {
namespace {

constexpr size_t kMaxZones = 16;              // tried before giving up
constexpr uint32_t kMinDocs = 2 * kZoneDocs;  // a walk over fewer documents is as fast
constexpr uint32_t kMaxWindow = 1000;
constexpr uint32_t kStepsPerSeedDoc = 8;

/// Zones, best first. Usually only one or two are taken, for which a linear search is faster than a
/// heap.
class BestZones {
 public:
  BestZones(std::span<const Leaf> leaves, SortSource& source) {
    for (uint32_t i = 0; i < leaves.size(); i++) {
      source.start_leaf(leaves[i]);
      source.add_zones(i, zones_);
    }
  }
  bool empty() const { return zones_.empty(); }
  SortZone take() {
    const auto later = [](const SortZone& a, const SortZone& b) { return a.best > b.best; };
    taken_++;
    if (taken_ <= kLooks) {
      std::swap(*std::max_element(zones_.begin(), zones_.end(), later), zones_.back());
    } else {
      if (taken_ == kLooks + 1) std::make_heap(zones_.begin(), zones_.end(), later);
      std::pop_heap(zones_.begin(), zones_.end(), later);
    }
    const SortZone best = zones_.back();
    zones_.pop_back();
    return best;
  }

 private:
  static constexpr uint32_t kLooks = 3;

  std::vector<SortZone> zones_;
  uint32_t taken_ = 0;
};

/// The best values found so far. The heap is of their places, the last one on top: values are not
/// moved about.
class SeedHeap {
 public:
  SeedHeap(const SortSource& source, uint32_t window) : source_(source), window_(window) {
    places_.reserve(window);
    values_.reserve(window);
  }
  bool full() const { return places_.size() == window_; }
  const SortValue& last() const { return values_[places_.front()]; }
  /// Requires a value that sorts before last() if the heap is full.
  void add(SortValue value) {
    const auto before = [this](uint32_t a, uint32_t b) {
      return source_.compare_values(values_[a], values_[b]) < 0;
    };
    if (full()) {
      std::pop_heap(places_.begin(), places_.end(), before);
      values_[places_.back()] = std::move(value);
    } else {
      places_.push_back(static_cast<uint32_t>(values_.size()));
      values_.push_back(std::move(value));
    }
    std::push_heap(places_.begin(), places_.end(), before);
  }

 private:
  const SortSource& source_;
  uint32_t window_;
  std::vector<uint32_t> places_;
  std::vector<SortValue> values_;
};

bool is_after(SortSources& sources, uint32_t doc) {
  for (const auto& source : sources) {
    const int order = source->compare(SortSource::kAfter, doc, 0);
    if (order != 0) return order > 0;
  }
  return false;
}

void search_zone(const SortZone& zone, const Leaf& leaf, Weight& weight, SortSources& sources,
                 bool has_after, SeedHeap& heap) {
  const ScorerPtr scorer = weight.scorer(leaf, kZoneDocs);
  if (scorer == nullptr) return;
  for (const auto& source : sources) source->start_leaf(leaf);
  uint32_t doc = scorer->advance_to(zone.first_doc);
  for (; doc < zone.end_doc && !leaf.stop->step(kStepsPerSeedDoc); doc = scorer->next()) {
    if (leaf.live != nullptr && !leaf.live->test(doc)) continue;
    if (!scorer->matches()) continue;
    leaf.counters->docs_sorted++;
    if (heap.full() && sources[0]->compare(SortSource::kSeed, doc, 0) >= 0) continue;
    if (has_after && !is_after(sources, doc)) continue;
    heap.add(sources[0]->value(doc, 0));
    if (heap.full()) sources[0]->set_anchor(SortSource::kSeed, heap.last());
  }
}

}  // namespace

std::optional<SortValue> find_sort_seed(std::span<const Leaf> leaves, Weight& weight,
                                        SortSources& sources, uint32_t window, bool has_after) {
  uint64_t docs = 0;
  for (const Leaf& leaf : leaves) docs += leaf.max_doc;
  if (docs < kMinDocs || window == 0 || window > kMaxWindow) return std::nullopt;
  BestZones zones(leaves, *sources[0]);
  SeedHeap heap(*sources[0], window);
  for (size_t tried = 0; tried < kMaxZones && !zones.empty(); tried++) {
    const SortZone zone = zones.take();
    if (heap.full() && !sources[0]->is_better(zone)) break;
    search_zone(zone, leaves[zone.leaf], weight, sources, has_after, heap);
  }
  if (!heap.full()) return std::nullopt;
  return heap.last();
}

}  // namespace quarry
