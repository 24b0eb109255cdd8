// Loops over the codes of many documents of a column, each compiled for one width of code. The only
// decision per document is whether it has a value.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>

#include "columns/column.h"

namespace quarry {
namespace column_loops {

/// A column whose codes are all 0.
struct NoCode {};

template <typename T>
uint64_t code_at(const uint8_t* codes, size_t index) noexcept {
  return load<T>(codes + index * sizeof(T));
}
template <>
inline uint64_t code_at<NoCode>(const uint8_t* /*codes*/, size_t /*index*/) noexcept {
  return 0;
}

/// A mask of the documents of `word` that are below `end`.
inline uint64_t below(uint32_t word, uint32_t end) noexcept {
  const uint64_t docs = uint64_t{end} - uint64_t{64} * word;
  return docs >= 64 ? ~uint64_t{0} : (uint64_t{1} << docs) - 1;
}

/// The documents of `word` that are below `end` and in `wanted`, and may have a value.
inline uint64_t bits_of(const ColumnCodes& column, const uint64_t* wanted, uint32_t word,
                        uint32_t end) noexcept {
  const uint64_t bits = wanted == nullptr ? below(word, end) : wanted[word];
  if (bits == 0 || column.words == nullptr) return bits;
  return bits & load<uint64_t>(column.words + size_t{8} * word);
}

/// For columns whose slots are documents with one code each.
template <typename T, typename Take>
Take each_plain(const ColumnCodes& column, const uint64_t* wanted, uint32_t first, uint32_t end,
                Take take) {
  const uint8_t* const codes = column.codes;
  for (uint32_t word = first / 64; uint64_t{word} * 64 < end; word++) {
    uint64_t bits = bits_of(column, wanted, word, end);
    const uint32_t doc = word * 64;
    if (~bits == 0) {
      for (uint32_t i = 0; i < 64; i++) take(doc + i, code_at<T>(codes, size_t{doc} + i));
      continue;
    }
    for (; bits != 0; bits &= bits - 1) {
      const uint32_t at = doc + static_cast<uint32_t>(std::countr_zero(bits));
      take(at, code_at<T>(codes, at));
    }
  }
  return take;
}

// Always inlined; otherwise the state of `take` would leave its registers for every document.
template <typename T, typename Take>
[[gnu::always_inline]] inline void take_slot(const ColumnCodes& column, uint32_t doc, uint32_t slot,
                                             Take& take) {
  if (column.offsets == nullptr) return take(doc, code_at<T>(column.codes, slot));
  const auto code_end = load<uint32_t>(column.offsets + size_t{4} * slot + 4);
  for (auto at = load<uint32_t>(column.offsets + size_t{4} * slot); at < code_end; at++)
    take(doc, code_at<T>(column.codes, at));
}

/// For columns with a list of documents.
template <typename T, typename Take>
Take each_listed(const ColumnCodes& column, const uint64_t* wanted, uint32_t first, uint32_t end,
                 Take take) {
  const auto doc_of = [&](uint32_t slot) { return load<uint32_t>(column.docs + size_t{4} * slot); };
  uint32_t slot = 0;
  for (uint32_t left = column.doc_count; left > 0;) {
    const uint32_t half = left / 2;
    const bool right = doc_of(slot + half) < first;
    slot = right ? slot + half + 1 : slot;
    left = right ? left - half - 1 : half;
  }
  for (; slot < column.doc_count && doc_of(slot) < end; slot++) {
    const uint32_t doc = doc_of(slot);
    if (wanted != nullptr && (wanted[doc / 64] >> (doc % 64) & 1) == 0) continue;
    take_slot<T>(column, doc, slot, take);
  }
  return take;
}

template <typename T, typename Take>
Take each_slot(const ColumnCodes& column, const uint64_t* wanted, uint32_t first, uint32_t end,
               Take take) {
  for (uint32_t word = first / 64; uint64_t{word} * 64 < end; word++) {
    uint64_t bits = bits_of(column, wanted, word, end);
    if (bits == 0) continue;
    const bool ranked = column.ranks != nullptr;
    const uint64_t present = ranked ? load<uint64_t>(column.words + size_t{8} * word) : 0;
    const uint32_t before = ranked ? load<uint32_t>(column.ranks + size_t{4} * word) : word * 64;
    for (; bits != 0; bits &= bits - 1) {
      const auto bit = static_cast<uint32_t>(std::countr_zero(bits));
      const uint64_t earlier = present & ((uint64_t{1} << bit) - 1);
      const uint32_t slot = before + (ranked ? static_cast<uint32_t>(std::popcount(earlier)) : bit);
      take_slot<T>(column, word * 64 + bit, slot, take);
    }
  }
  return take;
}

template <typename T, typename Take>
Take each_of_width(const ColumnCodes& column, const uint64_t* wanted, uint32_t first, uint32_t end,
                   Take take) {
  if (column.docs != nullptr) return each_listed<T>(column, wanted, first, end, take);
  if (column.offsets == nullptr && column.ranks == nullptr)
    return each_plain<T>(column, wanted, first, end, take);
  return each_slot<T>(column, wanted, first, end, take);
}

/// Calls loop() for the width of the column's codes.
template <typename Loop>
auto of_width(const ColumnCodes& column, Loop loop) {
  switch (column.width) {
    case 0:
      return loop(NoCode{});
    case 1:
      return loop(uint8_t{});
    case 2:
      return loop(uint16_t{});
    case 4:
      return loop(uint32_t{});
    default:
      return loop(uint64_t{});
  }
}

}  // namespace column_loops

/// Calls take(doc, code) for each code of the documents in [first, end) that are in `wanted` (one
/// bit each; null: all), ascending. `first` is a multiple of 64; `end` is too, or is max_doc.
/// Returns `take`, like std::for_each, so that its state stays in registers.
template <typename Take>
Take each_code(const ColumnCodes& column, const uint64_t* wanted, uint32_t first, uint32_t end,
               Take take) {
  return column_loops::of_width(column, [&]<typename T>(T /*width*/) {
    return column_loops::each_of_width<T>(column, wanted, first, end, take);
  });
}

}  // namespace quarry
