// `_seq_no` and `_version` of a segment's documents as columns, for queries, orders and aggregations that name them.
// The ids file has them in a form of its own: they are made when first asked for, and live as long as the segment.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <string_view>
#include <vector>

#include "segment/segment.h"

namespace quarry {

/// Thread-safe.
class VersionColumns {
 public:
  /// Null for other names. `ids` must be the same at every call, of one document at least.
  const SegmentField* find(std::string_view name, const IdTable& ids);

 private:
  struct Held {
    std::vector<uint8_t> bytes;  // of `column`
    Column column;
    SegmentField field;
  };

  std::array<std::once_flag, 2> once_;
  std::array<Held, 2> held_;
};

}  // namespace quarry
