// Splits the documents that a search aggregates in one segment into portions. Loops over the codes
// of a column check the clock between portions.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "base/bit_list.h"
#include "columns/listed_loops.h"
#include "query/aggs/frame/aggregator.h"

namespace quarry {

/// Bits are converted to lists of documents: a loop over a list has no branch to mispredict, while
/// a loop over bits mispredicts for every word.
class DocPortions {
 public:
  /// Documents of the segment, or entries of the list, per portion; a multiple of 64.
  static constexpr uint32_t kUsual = 1 << 16;
  explicit DocPortions(const LeafDocs& docs, uint32_t size = kUsual)
      : docs_(docs),
        size_(size),
        all_(listed() ? static_cast<uint32_t>(docs.list.size()) : docs.leaf.max_doc) {}

  /// Moves to the next portion; false at the end, or if the time is up.
  bool next() {
    first_ = end_;
    if (first_ == all_ || docs_.stop.expired()) return false;
    end_ = all_ - first_ > size_ ? first_ + size_ : all_;
    return true;
  }

  /// Calls take(doc, code) for the codes of the portion, ascending. Returns `take`, like
  /// each_code().
  template <typename Take>
  Take each(const ColumnCodes& column, Take take) const {
    if (listed()) return each_listed_code(column, docs_.list.subspan(first_, end_ - first_), take);
    const uint64_t* const words = docs_.words();
    if (words == nullptr || column.docs != nullptr)
      return each_code(column, words, first_, end_, take);
    std::array<uint32_t, kWindow + kBitListSlack> found;
    std::optional<Take> held(std::move(take));
    for (uint32_t begin = first_; begin < end_; begin += kWindow) {
      const uint32_t count = (std::min(kWindow, end_ - begin) + 63) / 64;
      const Bytes bits(reinterpret_cast<const uint8_t*>(words + begin / 64), size_t{8} * count);
      const uint32_t listed = list_bits(bits, begin, found.data());
      held.emplace(each_listed_code(column, std::span(found).first(listed), std::move(*held)));
    }
    return std::move(*held);
  }

 private:
  static constexpr uint32_t kWindow = 4096;
  bool listed() const { return docs_.list.data() != nullptr; }

  const LeafDocs& docs_;
  uint32_t size_;
  uint32_t all_;
  uint32_t first_ = 0;
  uint32_t end_ = 0;
};

}  // namespace quarry
