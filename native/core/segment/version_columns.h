// `_seq_no` and `_version` of a segment's documents as columns, for queries, sort orders and
// aggregations on these fields. They are built from the ids file on first use and kept as long as
// the segment.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <string_view>
#include <vector>

#include "segment/segment.h"

namespace quarry {

/// Thread-safe.
class VersionColumns {
 public:
  /// Null for other names. `ids` must be the same in every call and have at least one document.
  const SegmentField* find(std::string_view name, const IdTable& ids);
  /// Whether find() would have to build the column first.
  bool is_missing(std::string_view name) const;

 private:
  struct Held {
    std::vector<uint8_t> bytes;  // owned by `column`
    Column column;
    SegmentField field;
  };

  std::array<std::once_flag, 2> once_;
  std::array<std::atomic<bool>, 2> built_{};
  std::array<Held, 2> held_;
};

}  // namespace quarry
