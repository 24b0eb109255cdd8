// The sorted terms of one field in one segment: text <-> ordinal, and where a term's postings are.
// Terms are UTF-8 (or 16-byte addresses for ip fields), ordered bytewise; ordinals are dense from 0 in that order.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/coding.h"
#include "base/status.h"

namespace quarry {

/// Statistics and location of one term.
struct TermInfo {
  uint32_t doc_freq = 0;
  uint64_t total_term_freq = 0;
  uint32_t first_block = 0;     // index into the field's block table
  uint64_t postings_offset = 0;  // bytes into the postings section
  uint64_t positions_offset = 0;
};

/// Reader over a terms section. Views stay valid as long as the section's bytes do. Thread-safe.
class TermDictionary {
 public:
  TermDictionary() = default;
  /// Checks the structure of the section (offsets ascending, in bounds); a bad one is ErrorType::kCorrupt.
  static Result<TermDictionary> open(Bytes section);

  uint32_t size() const { return size_; }
  /// `ordinal` < size().
  std::string_view term(uint32_t ordinal) const;
  TermInfo info(uint32_t ordinal) const;
  /// Ordinal of the first term >= `text`; size() when there is none.
  uint32_t lower_bound(std::string_view text) const;
  std::optional<uint32_t> find(std::string_view text) const;
  /// Half-open ordinal range of the terms that start with `prefix`.
  struct Range {
    uint32_t begin = 0;
    uint32_t end = 0;
  };
  Range prefix_range(std::string_view prefix) const;

 private:
  uint32_t size_ = 0;
  Bytes offsets_;
  Bytes infos_;
  std::string_view blob_;
};

}  // namespace quarry
