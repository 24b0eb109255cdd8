// TopVectors: a heap with the worst entry at the front.
#include <algorithm>
#include <limits>

#include "vector/vector_search.h"

namespace quarry {

TopVectors::TopVectors(uint32_t k, std::optional<float> min_score, TopOf of)
    : k_(k),
      threshold_(min_score.has_value() ? static_cast<double>(*min_score)
                                       : -std::numeric_limits<double>::infinity()),
      of_(of) {}

bool TopVectors::better(const Entry& a, const Entry& b) {
  return a.score != b.score ? a.score > b.score : a.doc < b.doc;
}

void TopVectors::push(uint32_t doc, uint32_t outer, double score) {
  constexpr double kMost = std::numeric_limits<float>::max();
  const Entry entry = {static_cast<float>(std::clamp(score, -kMost, kMost)), doc, outer};
  if (!(entry.score >= threshold_) || k_ == 0) return;  // also rejects NaN
  of_ == TopOf::kRows ? push_row(entry) : push_of_outer(entry);
}

void TopVectors::push_row(const Entry& entry) {
  if (heap_.size() == k_) {
    if (!better(entry, heap_.front())) return;
    pop_worst();
  }
  heap_.push_back(entry);
  std::push_heap(heap_.begin(), heap_.end(), better);
  if (heap_.size() == k_) threshold_ = heap_.front().score;
}

/// An entry that a better one of the same document replaces stays in the heap until it is at the
/// front.
void TopVectors::push_of_outer(const Entry& entry) {
  if (best_.size() == k_ && !better(entry, heap_.front())) return;
  const auto [at, is_first] = best_.try_emplace(entry.outer, entry);
  if (!is_first) {
    if (!better(entry, at->second)) return;
    at->second = entry;
  }
  heap_.push_back(entry);
  std::push_heap(heap_.begin(), heap_.end(), better);
  while (!is_best_of_outer(heap_.front())) pop_worst();
  if (best_.size() > k_) {
    best_.erase(heap_.front().outer);
    pop_worst();
    while (!is_best_of_outer(heap_.front())) pop_worst();
  }
  if (best_.size() == k_) threshold_ = heap_.front().score;
}

bool TopVectors::is_best_of_outer(const Entry& entry) const {
  const auto best = best_.find(entry.outer);
  return best != best_.end() && best->second.doc == entry.doc && best->second.score == entry.score;
}

void TopVectors::pop_worst() {
  std::pop_heap(heap_.begin(), heap_.end(), better);
  heap_.pop_back();
}

std::vector<VectorHit> TopVectors::take() {
  if (of_ == TopOf::kOuterDocs) {
    std::erase_if(heap_, [this](const Entry& entry) { return !is_best_of_outer(entry); });
    std::make_heap(heap_.begin(), heap_.end(), better);
  }
  std::sort_heap(heap_.begin(), heap_.end(), better);
  std::vector<VectorHit> hits;
  hits.reserve(heap_.size());
  for (const Entry& entry : heap_) hits.push_back({entry.doc, static_cast<float>(entry.score)});
  heap_.clear();
  return hits;
}

}  // namespace quarry
