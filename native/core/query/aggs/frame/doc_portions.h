// The documents that a search aggregates in one segment, portion by portion: loops over the codes of a
// column, between which the clock is looked at.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "columns/listed_loops.h"
#include "postings/bit_list.h"
#include "query/aggs/frame/aggregator.h"

namespace quarry {

/// Bits become lists of documents on the way: a loop over a list has nothing to guess, one over bits guesses
/// wrongly for every word.
class DocPortions {
 public:
  /// Of so many documents of the segment, or of the list: a multiple of 64.
  static constexpr uint32_t kUsual = 1 << 16;
  explicit DocPortions(const LeafDocs& docs, uint32_t size = kUsual)
      : docs_(docs), size_(size), all_(listed() ? static_cast<uint32_t>(docs.list.size()) : docs.leaf.max_doc) {}

  /// The next portion; false: that was all, or the time is up.
  bool next() {
    first_ = end_;
    if (first_ == all_ || docs_.stop.expired()) return false;
    end_ = all_ - first_ > size_ ? first_ + size_ : all_;
    return true;
  }

  /// take(doc, code) for the codes of the portion, ascending. Returns `take`, as each_code() does.
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
