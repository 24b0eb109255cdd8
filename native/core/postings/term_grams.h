// Which terms of a dictionary hold which three bytes. A pattern that begins with a star looks at the terms that may hold
// the text behind it, instead of walking over all of them. Two zero bytes are thought behind each term, so that its last
// one or two bytes are grams of their own.
//
// Format of the section (kTermGrams, sidx), little-endian:
//   u32 magic "QGRM", u16 version 1, u16 zero
//   u32 terms, u32 grams, u64 bytes of all lists
//   u32 per gram, ascending: its bytes, the first as the highest of three
//   u64 per 64 grams: where their first list begins, in bytes of lists
//   u32 per gram: where its list begins, counted from there
//   lists: the ordinals of the terms, ascending, each as a varint of what it lies above the one before; the first counts
//   from -1
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

/// Bytes in a row that every term in question holds.
struct TermPiece {
  std::string text;     // not empty
  bool at_end = false;  // the term ends with it
};

/// Reader; the section's bytes must outlive it. Thread-safe.
class TermGrams {
 public:
  TermGrams() = default;
  /// kCorrupt when the bytes are no section for a dictionary of so many terms. Lists are checked as they are read.
  static Result<TermGrams> open(Bytes section, uint32_t terms);

  uint32_t grams() const { return count_; }
  Bytes section() const { return section_; }
  /// Terms of `range`, ascending: all that hold each of `pieces`, and others. Nothing where reading so many costs more
  /// than walking the range, and where `pieces` is empty.
  std::optional<std::vector<uint32_t>> candidates(std::span<const TermPiece> pieces,
                                                  TermDictionary::Range range) const;

 private:
  /// The lists of neighbouring grams [first, last).
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

/// The section for a field with such terms; empty where no term has a byte, or where the lists are too long for the
/// format: such fields are walked.
std::vector<uint8_t> write_term_grams(const TermDictionary& terms);
/// The same for a finished terms section.
Result<std::vector<uint8_t>> write_term_grams(Bytes terms);

}  // namespace quarry
