// An index from sequences of three bytes (grams) to the terms of a dictionary that contain them. A
// pattern that begins with a star examines only the terms that may contain its literal parts,
// instead of all terms. Each term is treated as if two zero bytes followed it, so that its last one
// or two bytes are also grams.
//
// Format of the section (kTermGrams, sidx), little-endian:
//   u32 magic "QGRM", u16 version 1, u16 zero
//   u32 terms, u32 grams, u64 bytes of all lists
//   u32 per gram, ascending: its bytes, the first as the highest of three
//   u64 per 64 grams: the start of their first list, in bytes of lists
//   u32 per gram: the start of its list, relative to that
//   lists: the ordinals of the terms, ascending, each as a varint of the difference from the
//   previous one; the first relative to -1
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/coding.h"
#include "base/status.h"
#include "postings/term_dictionary.h"

namespace quarry {

/// Consecutive bytes that every matching term contains.
struct TermPiece {
  std::string text;     // not empty
  bool at_end = false;  // the term ends with it
};

/// The reader; the section's bytes must outlive it. Thread-safe.
class TermGrams {
 public:
  TermGrams() = default;
  /// The error is kCorrupt when the bytes are not a section for a dictionary of `terms` terms.
  /// Lists are checked when they are read.
  static Result<TermGrams> open(Bytes section, uint32_t terms);

  uint32_t grams() const { return count_; }
  Bytes section() const { return section_; }
  /// Terms of `range`, ascending: all that contain each of `pieces`, and possibly others. Nothing
  /// if reading the lists costs more than walking the range, or if `pieces` is empty.
  std::optional<std::vector<uint32_t>> candidates(std::span<const TermPiece> pieces,
                                                  TermDictionary::Range range) const;

 private:
  /// The lists of consecutive grams [first, last).
  struct Lists {
    uint32_t first = 0;
    uint32_t last = 0;
    uint64_t bytes = 0;
  };
  uint32_t lower_bound(uint32_t gram) const;
  uint64_t start_of(uint32_t index) const;
  Lists lists_between(uint32_t first_gram, uint32_t last_gram) const;
  void add_lists_of(const TermPiece& piece, std::vector<Lists>& out) const;
  template <typename Take>
  void each_term(uint32_t index, Take take) const;
  std::vector<uint32_t> read(Lists lists, TermDictionary::Range range) const;
  void keep_those_in(uint32_t index, std::vector<uint32_t>& terms) const;

  const uint8_t* keys_ = nullptr;
  const uint8_t* bases_ = nullptr;
  const uint8_t* offsets_ = nullptr;
  Bytes section_;
  Bytes lists_;
  uint32_t terms_ = 0;
  uint32_t count_ = 0;
};

/// The section for the terms of a field; empty if all terms are empty, or if the lists are too long
/// for the format. Such fields are walked.
std::vector<uint8_t> write_term_grams(const TermDictionary& terms);
/// The same for a finished terms section.
Result<std::vector<uint8_t>> write_term_grams(Bytes terms);

}  // namespace quarry
