// The order of links in all responses, and the selection of the first links in it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "store/id_table.h"

namespace quarry {

struct FoundLink {
  double strength = 0;
  int64_t valid = 0;
  uint32_t segment = 0;
  uint32_t doc = 0;
  bool out = false;  // walked from src to dst
  uint8_t hop = 1;
};

/// Returns a view of the segment or of the buffer.
using LinkIds = std::function<std::string_view(const FoundLink&, IdBuffer&)>;

/// Strongest first, then latest, then by id, which is read only if the rest is equal.
struct LinkOrder {
  const LinkIds& id_of;
  bool operator()(const FoundLink& a, const FoundLink& b) const {
    if (a.strength != b.strength) return a.strength > b.strength;
    if (a.valid != b.valid) return a.valid > b.valid;
    IdBuffer left;
    IdBuffer right;
    return id_of(a, left) < id_of(b, right);
  }
};

/// Keeps the first `most` of all offered links.
class StrongestLinks {
 public:
  StrongestLinks(uint32_t most, LinkOrder order) : most_(most), order_(order) {}

  void offer(const FoundLink& link) {
    offered_++;
    if (most_ == 0) return;
    if (full_ && order_(kept_[most_ - 1], link)) return;
    kept_.push_back(link);
    if (kept_.size() < size_t{most_} * 2 + kSlack) return;
    cut();
    full_ = true;
  }
  uint64_t offered() const { return offered_; }
  /// The kept links, in order. The object is empty afterwards.
  std::vector<FoundLink> take() {
    if (kept_.size() > most_) cut();
    std::sort(kept_.begin(), kept_.end(), order_);
    return std::move(kept_);
  }

 private:
  static constexpr size_t kSlack = 64;

  /// The weakest of the remaining links comes last.
  void cut() {
    std::nth_element(kept_.begin(), kept_.begin() + (most_ - 1), kept_.end(), order_);
    kept_.resize(most_);
  }

  uint32_t most_;
  LinkOrder order_;
  std::vector<FoundLink> kept_;
  bool full_ = false;  // links after kept_[most_ - 1] need not be kept
  uint64_t offered_ = 0;
};

}  // namespace quarry
