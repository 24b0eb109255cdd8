// Searches zone after zone, best first, until there are enough hits and no zone left could hold a
// better one.
#include "query/sort_seed.h"

#include <algorithm>
#include <vector>

namespace quarry {
namespace {

constexpr size_t kMaxZones = 16;      // tried before giving up
constexpr uint32_t kMinDocs = 16384;  // smaller indexes are walked as quickly
constexpr uint32_t kMaxWindow = 1000;

struct Candidate {
  const Leaf* leaf;
  SortZone zone;
};

std::vector<Candidate> promising_zones(std::span<const Leaf> leaves, SortSource& source) {
  std::vector<Candidate> out;
  for (const Leaf& leaf : leaves) {
    source.start_leaf(leaf);
    for (const SortZone& zone : source.zones()) {
      if (!zone.before_after) out.push_back({&leaf, zone});
    }
  }
  const size_t tried = std::min(out.size(), kMaxZones + 1);
  std::partial_sort(
      out.begin(), out.begin() + static_cast<std::ptrdiff_t>(tried), out.end(),
      [](const Candidate& a, const Candidate& b) { return a.zone.best < b.zone.best; });
  out.resize(tried);
  return out;
}

/// The best values found so far, the last of them on top.
class SeedHeap {
 public:
  SeedHeap(const SortSource& source, uint32_t window) : source_(source), window_(window) {}
  bool full() const { return values_.size() == window_; }
  const SortValue& last() const { return values_.front(); }
  void add(SortValue value) {
    const auto before = [this](const SortValue& a, const SortValue& b) {
      return source_.compare_values(a, b) < 0;
    };
    if (full()) {
      if (!before(value, last())) return;
      std::pop_heap(values_.begin(), values_.end(), before);
      values_.pop_back();
    }
    values_.push_back(std::move(value));
    std::push_heap(values_.begin(), values_.end(), before);
  }

 private:
  const SortSource& source_;
  uint32_t window_;
  std::vector<SortValue> values_;
};

bool is_after(SortSources& sources, uint32_t doc) {
  for (const auto& source : sources) {
    const int order = source->compare(SortSource::kAfter, doc, 0);
    if (order != 0) return order > 0;
  }
  return false;
}

void search_zone(const Candidate& candidate, Weight& weight, SortSources& sources, bool has_after,
                 SeedHeap& heap) {
  const Leaf& leaf = *candidate.leaf;
  const ScorerPtr scorer = weight.scorer(leaf, kZoneDocs);
  if (scorer == nullptr) return;
  for (const auto& source : sources) source->start_leaf(leaf);
  uint32_t doc = scorer->advance_match(candidate.zone.first_doc);
  for (; doc < candidate.zone.end_doc; doc = scorer->next_match()) {
    if (leaf.live != nullptr && !leaf.live->test(doc)) continue;
    if (!has_after || is_after(sources, doc)) heap.add(sources[0]->value(doc, 0));
  }
}

}  // namespace

std::optional<SortValue> find_sort_seed(std::span<const Leaf> leaves, Weight& weight,
                                        SortSources& sources, uint32_t window, bool has_after) {
  uint64_t docs = 0;
  for (const Leaf& leaf : leaves) docs += leaf.max_doc;
  if (docs < kMinDocs || window == 0 || window > kMaxWindow) return std::nullopt;
  const std::vector<Candidate> zones = promising_zones(leaves, *sources[0]);
  SeedHeap heap(*sources[0], window);
  for (size_t i = 0; i < std::min(zones.size(), kMaxZones); i++) {
    search_zone(zones[i], weight, sources, has_after, heap);
    if (!heap.full()) continue;
    sources[0]->set_anchor(SortSource::kSeed, heap.last());
    const bool better_left = i + 1 < zones.size() && sources[0]->is_better(zones[i + 1].zone);
    if (!better_left) break;
  }
  if (!heap.full()) return std::nullopt;
  return heap.last();
}

}  // namespace quarry
