// Counts events by hour.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "base/coding.h"

namespace quarry {

class HourCounts {
 public:
  /// Announces events between these instants, which are counted in an array unless it would be too
  /// large.
  void expect(int64_t min_ms, int64_t max_ms) {
    if (min_ms > max_ms) return;
    const int64_t first = hour_of(min_ms);
    const int64_t last = hour_of(max_ms);
    if (last - first >= kMostHours) return;
    drain();
    first_ = first;
    counts_.assign(static_cast<size_t>(last - first) + 1, 0);
  }
  void count(int64_t ms) {
    const int64_t hour = hour_of(ms);
    const auto at = static_cast<uint64_t>(hour - first_);
    if (at < counts_.size()) {
      counts_[at]++;
    } else {
      others_[hour]++;
    }
  }
  void put(ByteWriter& out) {
    drain();
    out.put(static_cast<uint32_t>(others_.size()));
    for (const auto& [hour, events] : others_) {
      out.put(static_cast<double>(hour));
      out.put(events);
    }
  }

 private:
  static constexpr int64_t kHourMs = 3600000;
  static constexpr int64_t kMostHours = int64_t{1} << 20;  // about a hundred years

  static int64_t hour_of(int64_t ms) { return ms / kHourMs - (ms % kHourMs < 0 ? 1 : 0); }
  void drain() {
    for (size_t i = 0; i < counts_.size(); i++) {
      if (counts_[i] > 0) others_[first_ + static_cast<int64_t>(i)] += counts_[i];
    }
    counts_.clear();
  }

  int64_t first_ = 0;
  std::vector<uint32_t> counts_;
  std::map<int64_t, uint32_t> others_;
};

}  // namespace quarry
