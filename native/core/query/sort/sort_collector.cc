// A heap of the first hits. A document is compared with the last of them in the segment's own
// encoding before its values are read.
#include "query/sort/sort_collector.h"

#include <algorithm>
#include <utility>

namespace quarry {

/// Initial capacity for hits: enough for a usual page.
constexpr size_t kRoom = 64;

/// The strict order of kept hits.
struct SortCollector::Before {
  const SortSources& sources;
  bool operator()(const SortedHit& a, const SortedHit& b) const {
    for (size_t i = 0; i < sources.size(); i++) {
      const int order = sources[i]->compare_values(a.values[i], b.values[i]);
      if (order != 0) return order < 0;
    }
    return a.doc < b.doc;
  }
};

SortCollector::SortCollector(const CollectorOptions& options, SortSources& sources,
                             size_t keys_in_order, std::vector<SortValue> after, bool track_scores)
    : options_(options),
      counter_(options.track_total_hits),
      sources_(sources),
      keys_in_order_(keys_in_order),
      has_after_(!after.empty()),
      needs_scores_(track_scores || options.has_min_score),
      track_scores_(track_scores) {
  heap_.reserve(std::min<size_t>(options_.window, kRoom));
  for (size_t i = 0; i < sources_.size(); i++) {
    needs_scores_ = needs_scores_ || sources_[i]->needs_scores();
    if (has_after_) sources_[i]->set_anchor(SortSource::kAfter, after[i]);
  }
}

void SortCollector::start_leaf(const Leaf& leaf, int64_t known_count) {
  base_ = leaf.base;
  counters_ = leaf.counters;
  leaf_done_ = options_.window == 0;
  counter_.start_leaf(options_.terminate_after == 0 && !options_.has_min_score ? known_count : -1);
  for (const auto& source : sources_) source->start_leaf(leaf);
}

SortCollector::Order SortCollector::compare(SortSource::Anchor anchor, uint32_t doc, float score) {
  for (size_t i = 0; i < sources_.size(); i++) {
    const int order = sources_[i]->compare(anchor, doc, score);
    if (order != 0) return {order, i};
  }
  return {0, sources_.size()};
}

void SortCollector::collect(uint32_t doc, float score) {
  if (options_.has_min_score && !(score >= options_.min_score)) return;
  counter_.add();
  if (track_scores_) max_score_ = std::max(max_score_, score);
  if (!leaf_done_) consider(doc, score);
  if (options_.terminate_after != 0 && ++collected_ >= options_.terminate_after)
    done_ = terminated_ = true;
  if (options_.window == 0 && !counter_.wanted() && !track_scores_) done_ = true;
}

void SortCollector::consider(uint32_t doc, float score) {
  counters_->docs_sorted++;
  if (has_after_ && compare(SortSource::kAfter, doc, score).order <= 0) return;
  if (has_seed_ && sources_[0]->compare(SortSource::kSeed, doc, score) > 0) return;
  if (full()) {
    const Order to_last = compare(SortSource::kBottom, doc, score);
    // A document equal to the last kept hit sorts after it, because it is later. So do all that
    // follow, if they are in the order of the keys that were compared.
    if (to_last.order >= 0) {
      leaf_done_ = to_last.key < keys_in_order_ || keys_in_order_ == sources_.size();
      return;
    }
  }
  insert(doc, score);
}

void SortCollector::insert(uint32_t doc, float score) {
  SortedHit hit;
  hit.doc = base_ + doc;
  hit.score = score;
  hit.values.reserve(sources_.size());
  for (const auto& source : sources_) hit.values.push_back(source->value(doc, score));
  if (full()) {
    std::pop_heap(heap_.begin(), heap_.end(), Before{sources_});
    heap_.back() = std::move(hit);
  } else {
    heap_.push_back(std::move(hit));
  }
  std::push_heap(heap_.begin(), heap_.end(), Before{sources_});
  if (full()) update_bottom();
}

void SortCollector::update_bottom() {
  for (size_t i = 0; i < sources_.size(); i++)
    sources_[i]->set_anchor(SortSource::kBottom, heap_.front().values[i]);
}

uint32_t SortCollector::next_competitive(uint32_t doc) {
  if (options_.window == 0 || counter_.counting() || options_.terminate_after != 0 ||
      track_scores_) {
    return doc;
  }
  if (leaf_done_) return kNoMoreDocs;
  if (has_after_) doc = sources_[0]->next_after(doc);
  if (doc == kNoMoreDocs) return doc;
  if (has_seed_) doc = sources_[0]->next_competitive(SortSource::kSeed, doc, true);
  if (!full() || doc == kNoMoreDocs) return doc;
  return sources_[0]->next_competitive(SortSource::kBottom, doc, sources_.size() > 1);
}

void SortCollector::set_seed(const SortValue& value) {
  has_seed_ = true;
  sources_[0]->set_anchor(SortSource::kSeed, value);
}

std::vector<SortedHit> SortCollector::take() {
  std::sort_heap(heap_.begin(), heap_.end(), Before{sources_});
  return std::move(heap_);
}

}  // namespace quarry
