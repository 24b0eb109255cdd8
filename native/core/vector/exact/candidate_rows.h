// Which rows of a segment a search may return: those with a vector that are live and pass the
// filter.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bitset.h"
#include "vector/vector_column.h"

namespace quarry {

/// Either a list, or all rows with bit sets that the few rows of interest are tested against: where
/// most rows pass, reading the codes of all of them in order costs less than jumping.
struct CandidateRows {
  const VectorColumn* column = nullptr;
  const uint32_t* ordinals = nullptr;  // ascending; null: all rows, see accepts()
  uint32_t count = 0;                  // length of the list, or rows of the column
  const Bitset* live = nullptr;        // by document; null: all
  const Bitset* filter = nullptr;

  uint32_t ordinal(uint32_t place) const noexcept {
    return ordinals != nullptr ? ordinals[place] : place;
  }
  /// Only where there is no list.
  bool accepts(uint32_t ordinal) const noexcept {
    const uint32_t doc = column->doc(ordinal);
    return (live == nullptr || live->test(doc)) && (filter == nullptr || filter->test(doc));
  }
};

/// Makes them; owns the list. One thread.
class CandidateFinder {
 public:
  /// `live`, `filter`: by document of the segment, null: all. Valid until the next call.
  CandidateRows find(const VectorColumn& column, const Bitset* live, const Bitset* filter);
  /// `live` by ordinal: itself where the column is dense, else valid until the next call. Null
  /// stays null.
  const Bitset* live_ordinals(const VectorColumn& column, const Bitset* live);

 private:
  std::vector<uint32_t> list_;
  std::vector<uint32_t> documents_;
  Bitset live_;
};

}  // namespace quarry
