// Loops over the codes of listed documents of a column, each compiled for one width of code.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>

#include "columns/column_loops.h"

namespace quarry {
namespace column_loops {

/// Finds the slot of a document; returns false when it has no value.
[[gnu::always_inline]] inline bool find_slot(const ColumnCodes& column, uint32_t doc,
                                             uint32_t& slot) noexcept {
  slot = doc;
  if (column.words == nullptr) return true;
  const auto present = load<uint64_t>(column.words + size_t{8} * (doc / 64));
  const uint64_t bit = uint64_t{1} << (doc % 64);
  if ((present & bit) == 0) return false;
  if (column.ranks != nullptr)
    slot = load<uint32_t>(column.ranks + size_t{4} * (doc / 64)) +
           static_cast<uint32_t>(std::popcount(present & (bit - 1)));
  return true;
}

/// The slot, from `slot` on, of the first document >= `doc` in the ascending list column.docs.
inline uint32_t skip_to(const ColumnCodes& column, uint32_t slot, uint32_t doc) noexcept {
  const auto doc_of = [&](uint32_t at) { return load<uint32_t>(column.docs + size_t{4} * at); };
  uint32_t step = 1;
  while (step < column.doc_count - slot && doc_of(slot + step) < doc) step *= 2;
  uint32_t left = std::min(step, column.doc_count - slot);
  while (left > 0) {
    const uint32_t half = left / 2;
    const bool right = doc_of(slot + half) < doc;
    slot = right ? slot + half + 1 : slot;
    left = right ? left - half - 1 : half;
  }
  return slot;
}

/// For documents that are in the list of the column and in `docs`.
template <typename T, typename Take>
Take each_in_both(const ColumnCodes& column, std::span<const uint32_t> docs, Take take) {
  uint32_t slot = 0;
  for (const uint32_t doc : docs) {
    if (slot < column.doc_count) slot = skip_to(column, slot, doc);
    if (slot == column.doc_count) break;
    if (load<uint32_t>(column.docs + size_t{4} * slot) == doc)
      take_slot<T>(column, doc, slot, take);
  }
  return take;
}

template <typename T, typename Take>
Take each_listed_of_width(const ColumnCodes& column, std::span<const uint32_t> docs, Take take) {
  if (column.docs != nullptr) return each_in_both<T>(column, docs, take);
  if (column.offsets == nullptr && column.words == nullptr) {
    const uint8_t* const codes = column.codes;
    for (const uint32_t doc : docs) take(doc, code_at<T>(codes, doc));
    return take;
  }
  uint32_t slot = 0;
  if (column.offsets == nullptr) {
    for (const uint32_t doc : docs) {
      if (find_slot(column, doc, slot)) take(doc, code_at<T>(column.codes, slot));
    }
    return take;
  }
  for (const uint32_t doc : docs) {
    if (find_slot(column, doc, slot)) take_slot<T>(column, doc, slot, take);
  }
  return take;
}

}  // namespace column_loops

/// Calls take(doc, code) for each code of `docs`, which ascend. Returns `take`, like each_code().
template <typename Take>
Take each_listed_code(const ColumnCodes& column, std::span<const uint32_t> docs, Take take) {
  return column_loops::of_width(column, [&]<typename T>(T /*width*/) {
    return column_loops::each_listed_of_width<T>(column, docs, take);
  });
}

/// The same for `docs` in any order, for a column with one code per document: calls take(index,
/// code).
template <typename Take>
void each_code_of(const ColumnCodes& column, std::span<const uint32_t> docs, Take take) {
  column_loops::of_width(column, [&]<typename T>(T /*width*/) {
    for (size_t i = 0; i < docs.size(); i++)
      take(i, column_loops::code_at<T>(column.codes, docs[i]));
  });
}

}  // namespace quarry
