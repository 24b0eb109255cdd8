// A heap of the best hits, whose lowest score is the threshold for further hits.
#include "query/scorers/top_score.h"

#include <algorithm>
#include <cmath>

namespace quarry {
namespace {

constexpr uint32_t kReserve = 1024;

struct Better {
  bool operator()(const ScoredHit& a, const ScoredHit& b) const {
    return a.score != b.score ? a.score > b.score : a.doc < b.doc;
  }
};

}  // namespace

TopScoreCollector::TopScoreCollector(const CollectorOptions& options, const float* after)
    : options_(options),
      counter_(options.track_total_hits),
      floor_(options.has_min_score ? std::nextafter(options.min_score, kNoThreshold)
                                   : kNoThreshold),
      after_(after != nullptr ? *after : std::numeric_limits<float>::infinity()) {
  heap_.reserve(std::min(options.window, kReserve));
  update_threshold();
}

void TopScoreCollector::start_leaf(const Leaf& leaf, int64_t known_count) {
  base_ = leaf.base;
  counter_.start_leaf(options_.terminate_after == 0 && !options_.has_min_score ? known_count : -1);
  update_threshold();
}

void TopScoreCollector::collect(uint32_t doc, float score) {
  if (!(score > floor_)) return;
  counter_.add();
  if (score < after_ && score > options_.min_competitive_score && options_.window > 0) {
    const ScoredHit hit{score, base_ + doc};
    if (heap_.size() < options_.window) {
      heap_.push_back(hit);
      std::push_heap(heap_.begin(), heap_.end(), Better());
    } else if (score > heap_.front().score) {
      std::pop_heap(heap_.begin(), heap_.end(), Better());
      heap_.back() = hit;
      std::push_heap(heap_.begin(), heap_.end(), Better());
    }
  }
  if (options_.terminate_after != 0 && ++collected_ >= options_.terminate_after)
    done_ = terminated_ = true;
  update_threshold();
}

void TopScoreCollector::update_threshold() {
  if (counter_.counting() || options_.terminate_after != 0) {
    threshold_ = floor_;
  } else if (options_.window == 0) {
    threshold_ = std::numeric_limits<float>::infinity();
    done_ = done_ || !counter_.wanted();
  } else {
    const float worst =
        heap_.size() < options_.window ? options_.min_competitive_score : heap_.front().score;
    threshold_ = std::max(floor_, worst);
  }
}

std::vector<ScoredHit> TopScoreCollector::take() {
  std::sort_heap(heap_.begin(), heap_.end(), Better());
  return std::move(heap_);
}

}  // namespace quarry
