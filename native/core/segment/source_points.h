// The column of a field of points for segments of earlier versions, which stored of geo_point
// fields only the documents that have one: the points are read from the sources of the documents.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <vector>

#include "columns/column.h"

namespace quarry {

class Segment;
struct SegmentField;

/// Thread-safe.
class SourcePoints {
 public:
  /// Builds the column on first use. `segment` and `field` must be the same in every call. Null
  /// once `expired`, which may be empty, returns true; the next call starts again.
  const Column* find(const Segment& segment, const SegmentField& field,
                     const std::function<bool()>& expired);

 private:
  std::timed_mutex building_;
  std::atomic<const Column*> found_{nullptr};
  std::vector<uint8_t> bytes_;  // owned by `column_`
  Column column_;
};

}  // namespace quarry
