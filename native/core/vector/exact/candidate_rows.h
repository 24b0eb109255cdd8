// The rows of a segment that a search may return: rows with a vector whose documents are live and
// pass the filter.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bitset.h"
#include "vector/vector_column.h"

namespace quarry {

/// Either a list of ordinals, or all rows together with bit sets that the few relevant rows are
/// tested against. Where most rows pass, reading the codes of all rows in order is faster than
/// random access.
struct CandidateRows {
  const VectorColumn* column = nullptr;
  const uint32_t* ordinals = nullptr;  // ascending; null: all rows, see accepts()
  uint32_t count = 0;                  // length of the list, or rows of the column
  const Bitset* live = nullptr;        // by document; null: all are live
  const Bitset* filter = nullptr;

  uint32_t ordinal(uint32_t place) const noexcept {
    return ordinals != nullptr ? ordinals[place] : place;
  }
  /// May only be called when there is no list.
  bool accepts(uint32_t ordinal) const noexcept {
    const uint32_t doc = column->doc(ordinal);
    return (live == nullptr || live->test(doc)) && (filter == nullptr || filter->test(doc));
  }
};

/// Creates CandidateRows and owns the list. Not thread-safe.
class CandidateFinder {
 public:
  /// `live` and `filter` are by document of the segment, null: all. The result is valid until the
  /// next call.
  CandidateRows find(const VectorColumn& column, const Bitset* live, const Bitset* filter);
  /// Returns `live` by ordinal: `live` itself where the column is dense, else a bit set valid until
  /// the next call. Null stays null.
  const Bitset* live_ordinals(const VectorColumn& column, const Bitset* live);

 private:
  std::vector<uint32_t> list_;
  std::vector<uint32_t> documents_;
  Bitset live_;
};

}  // namespace quarry
