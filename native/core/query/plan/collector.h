// The interface that receives the hits of a search and reports which further hits can matter.
#pragma once

#include <cstdint>
#include <limits>

#include "query/scorers/leaf.h"

namespace quarry {

inline constexpr float kNoThreshold = -std::numeric_limits<float>::infinity();

/// Receives hits in ascending document order, segment by segment.
class Collector {
 public:
  virtual ~Collector() = default;
  virtual bool needs_scores() const = 0;
  /// `known_count`: number of matching live documents of the segment if they need not be counted
  /// one by one, else -1.
  virtual void start_leaf(const Leaf& leaf, int64_t known_count) = 0;
  /// `doc` is live and confirmed. `score` is 0 when scores are not needed.
  virtual void collect(uint32_t doc, float score) = 0;
  /// Only documents that score above it can change the result; kNoThreshold: all documents can.
  float threshold() const noexcept { return threshold_; }
  /// First document >= `doc` that can still change the result, as far as that is cheap to determine
  /// (sorts use zone maps).
  virtual uint32_t next_competitive(uint32_t doc) { return doc; }
  /// How many more hits the collector counts one by one unless start_leaf() gets their number; 0
  /// when nothing is counted or when a hit is more than its number.
  virtual uint64_t wants_counted() const { return 0; }
  /// True once no further hit can change the result.
  bool done() const noexcept { return done_; }

 protected:
  float threshold_ = kNoThreshold;
  bool done_ = false;
};

}  // namespace quarry
