// Finds the rows of documents in a column in which some documents have no row or several: for each
// 64 documents, the bits of those with rows, and the ordinal of the first of their rows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/bitset.h"

namespace quarry {

/// Immutable and thread-safe; 12 bytes for 64 documents. The documents it is made from must outlive
/// it.
class DocumentRanks {
 public:
  DocumentRanks() = default;
  /// `docs`: the document of each ordinal, ascending, below `max_doc`. `repeats`: some document has
  /// several rows.
  DocumentRanks(std::span<const uint32_t> docs, uint32_t max_doc, bool repeats);

  /// Where the rows of the 64 documents of a word of a bit set begin.
  uint32_t first(size_t word) const noexcept { return first_[word]; }
  /// Sets `ordinals`, a bit for each row, to the rows of `documents`, a bit for each document.
  void rows_of(const Bitset& documents, Bitset& ordinals) const;

 private:
  void add_single_rows(std::span<const uint64_t> documents, std::span<uint64_t> ordinals) const;
  void add_all_rows(std::span<const uint64_t> documents, std::span<uint64_t> ordinals) const;

  std::span<const uint32_t> docs_;
  std::vector<uint64_t> has_rows_;  // a bit for each document
  std::vector<uint32_t> first_;     // for each word of has_rows_, and one behind the last
  bool repeats_ = false;
};

}  // namespace quarry
