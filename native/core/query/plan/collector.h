// Who takes the hits of a search, and what he says of those that still matter.
#pragma once

#include <cstdint>
#include <limits>

#include "query/scorers/leaf.h"

namespace quarry {

inline constexpr float kNoThreshold = -std::numeric_limits<float>::infinity();

/// Takes hits in ascending document order, segment after segment.
class Collector {
 public:
  virtual ~Collector() = default;
  virtual bool needs_scores() const = 0;
  /// `known_count`: matching live documents of the segment when they need not be counted one by
  /// one, else -1.
  virtual void start_leaf(const Leaf& leaf, int64_t known_count) = 0;
  /// A live, confirmed document. `score` is 0 when scores are not needed.
  virtual void collect(uint32_t doc, float score) = 0;
  /// Only documents scoring above it still matter; kNoThreshold: all do.
  float threshold() const noexcept { return threshold_; }
  /// First document >= `doc` that can still matter, as far as that is cheap to say (sorts by zone
  /// maps).
  virtual uint32_t next_competitive(uint32_t doc) { return doc; }
  /// How many more hits it counts one by one unless start_leaf() is told how many there are; 0 when
  /// nothing is counted or a hit is more than its number.
  virtual uint64_t wants_counted() const { return 0; }
  /// Nothing further can change the result.
  bool done() const noexcept { return done_; }

 protected:
  float threshold_ = kNoThreshold;
  bool done_ = false;
};

}  // namespace quarry
