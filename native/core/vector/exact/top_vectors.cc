// TopVectors: a heap with the worst entry at the front.
#include <algorithm>
#include <limits>

#include "vector/vector_search.h"

namespace quarry {

TopVectors::TopVectors(uint32_t k, std::optional<float> min_score)
    : k_(k),
      threshold_(min_score.has_value() ? static_cast<double>(*min_score)
                                       : -std::numeric_limits<double>::infinity()) {}

bool TopVectors::better(const Entry& a, const Entry& b) {
  return a.score != b.score ? a.score > b.score : a.doc < b.doc;
}

void TopVectors::push(uint32_t doc, double score) {
  constexpr double kMost = std::numeric_limits<float>::max();
  const Entry entry = {static_cast<float>(std::clamp(score, -kMost, kMost)), doc};
  if (!(entry.score >= threshold_) || k_ == 0) return;  // also rejects NaN
  if (heap_.size() == k_) {
    if (!better(entry, heap_.front())) return;
    std::pop_heap(heap_.begin(), heap_.end(), better);
    heap_.back() = entry;
  } else {
    heap_.push_back(entry);
  }
  std::push_heap(heap_.begin(), heap_.end(), better);
  if (heap_.size() == k_) threshold_ = heap_.front().score;
}

std::vector<VectorHit> TopVectors::take() {
  std::sort_heap(heap_.begin(), heap_.end(), better);
  std::vector<VectorHit> hits;
  hits.reserve(heap_.size());
  for (const Entry& entry : heap_) hits.push_back({entry.doc, static_cast<float>(entry.score)});
  heap_.clear();
  return hits;
}

}  // namespace quarry
