// The rows of a segment that a search may return: rows with a vector whose documents are live and
// pass the filter.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bitset.h"
#include "vector/vector_column.h"

namespace quarry {

/// Either a list of ordinals, or all rows, of which the few relevant ones are tested. Where most
/// rows pass, reading the codes of all rows in order is faster than random access.
struct CandidateRows {
  const uint32_t* ordinals = nullptr;  // ascending; null: all rows, see accepts()
  uint32_t count = 0;                  // length of the list, or rows of the column
  uint32_t passing_count = 0;
  const Bitset* passing = nullptr;  // by ordinal; null: all pass

  uint32_t ordinal(uint32_t place) const noexcept {
    return ordinals != nullptr ? ordinals[place] : place;
  }
  bool accepts(uint32_t ordinal) const noexcept {
    return passing == nullptr || passing->test(ordinal);
  }
};

/// Creates CandidateRows and owns what they point to. Not thread-safe.
class CandidateFinder {
 public:
  /// `live` and `filter` are by document of the segment, null: all. The result is valid until the
  /// next call, and while they are.
  CandidateRows find(const VectorColumn& column, const Bitset* live, const Bitset* filter);

 private:
  void list(const Bitset& ordinals, uint32_t count);

  std::vector<uint32_t> list_;  // only its beginning is in use
  Bitset documents_;
  Bitset ordinals_;
};

}  // namespace quarry
