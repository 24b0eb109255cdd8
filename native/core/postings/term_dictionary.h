// The sorted terms of one field in one segment: maps between text and ordinal, and locates the
// postings of a term. Terms are UTF-8 (or 16-byte addresses for ip fields), ordered bytewise;
// ordinals are dense from 0 in that order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include "base/coding.h"
#include "base/status.h"

namespace quarry {

/// Terms with fewer documents than one block have their postings in one piece and no entry in the
/// block table.
inline constexpr uint32_t kMinBlockedDocs = 128;

/// The statistics and location of one term. doc_freq determines which locations are valid: none at
/// 0, `doc` at 1, the two offsets from 2 to 127, `first_block` and `first_group` from 128 on.
struct TermInfo {
  uint32_t doc_freq = 0;
  uint64_t total_term_freq = 0;
  uint32_t first_block = 0;      // index into the field's block table
  uint64_t postings_offset = 0;  // bytes into the postings section
  /// Bytes into the positions section; for a term that occurs once in the whole segment, its
  /// position itself.
  uint64_t positions_offset = 0;
  uint32_t first_group = 0;  // index into the field's group table
  uint32_t doc = 0;
  uint8_t norm = 0;  // norm of `doc`
};

/// The reader over a terms section. Views are valid as long as the section's bytes are.
/// Thread-safe.
class TermDictionary {
 public:
  TermDictionary() = default;
  /// Checks the structure of the section (offsets ascending, in bounds); the error is
  /// ErrorType::kCorrupt.
  static Result<TermDictionary> open(Bytes section);

  uint32_t size() const { return size_; }
  /// Whether the terms have positions.
  bool has_positions() const { return positions_; }
  /// `ordinal` must be < size().
  std::string_view term(uint32_t ordinal) const;
  struct Range {
    uint32_t begin = 0;
    uint32_t end = 0;
  };
  /// Calls take(ordinal, text) for each term of the range until it returns false; faster than
  /// calling term() for each.
  template <typename Take>
  void each(Range range, Take take) const {
    if (range.begin >= range.end) return;
    const auto offset_of = [this](uint32_t ordinal) {
      return load<uint32_t>(offsets_ + size_t{4} * ordinal);
    };
    const char* at = term(range.begin).data();
    uint32_t offset = offset_of(range.begin);
    for (uint32_t ordinal = range.begin; ordinal + 1 < range.end; ++ordinal) {
      const uint32_t next = offset_of(ordinal + 1);
      // As in term(): offsets are beyond the blob only in a truncated file.
      const uint64_t length =
          std::min<uint64_t>(next - offset, static_cast<uint64_t>(blob_end_ - at));
      if (!take(ordinal, std::string_view(at, length))) return;
      at += length;
      offset = next;
    }
    take(range.end - 1, term(range.end - 1));
  }
  /// The same for the terms that end with `tail`, which is not empty. Most terms are rejected by
  /// comparing their last four bytes.
  template <typename Take>
  void each_ending(Range range, std::string_view tail, Take take) const {
    if (range.begin >= range.end) return;
    const std::string_view last = tail.substr(tail.size() - std::min(tail.size(), kTailBytes));
    uint32_t wanted = 0;
    std::memcpy(reinterpret_cast<char*>(&wanted) + kTailBytes - last.size(), last.data(),
                last.size());
    const uint32_t mask = ~uint32_t{0} << (8 * (kTailBytes - last.size()));
    const char* at = term(range.begin).data();
    auto offset = load<uint32_t>(offsets_ + size_t{4} * range.begin);
    for (uint32_t ordinal = range.begin; ordinal + 1 < range.end; ++ordinal) {
      const auto next = load<uint32_t>(offsets_ + size_t{4} * ordinal + 4);
      const uint64_t length =
          std::min<uint64_t>(next - offset, static_cast<uint64_t>(blob_end_ - at));
      const char* end = at + length;
      // The bytes may extend into the previous term.
      const bool likely = end - blob_ < static_cast<std::ptrdiff_t>(kTailBytes) ||
                          (load<uint32_t>(end - kTailBytes) & mask) == wanted;
      if (likely) {
        const std::string_view text(at, length);
        if (text.ends_with(tail) && !take(ordinal, text)) return;
      }
      at = end;
      offset = next;
    }
    const std::string_view text = term(range.end - 1);
    if (text.ends_with(tail)) take(range.end - 1, text);
  }
  TermInfo info(uint32_t ordinal) const;
  /// The ordinal of the first term >= `text`; size() when there is none.
  uint32_t lower_bound(std::string_view text) const;
  std::optional<uint32_t> find(std::string_view text) const;
  /// The half-open ordinal range of the terms that start with `prefix`.
  Range prefix_range(std::string_view prefix) const;

 private:
  static constexpr size_t kTailBytes = sizeof(uint32_t);

  Status read_layout(Bytes section);
  Status check_offsets(uint64_t blob_bytes) const;
  Status check_rows(uint32_t wide_count) const;
  TermInfo wide_info(uint32_t index) const;
  /// The groups [first, last) whose key equals `key`; `first` is the number of groups with a
  /// smaller key.
  struct GroupRange {
    uint32_t first;
    uint32_t last;
  };
  GroupRange groups_with_key(uint64_t key) const;
  void prefetch_group(uint32_t group) const;
  uint32_t lower_bound_in_group(uint32_t group, std::string_view text) const;
  /// The sort key (terms_format) of a term without its first `skip` bytes; the term has at least as
  /// many. `base` is the start of its group in the blob.
  uint64_t key_of(uint32_t ordinal, uint64_t base, uint32_t skip) const;

  // The starts of the arrays of the section, see term_dictionary_writer.cc.
  const uint8_t* keys_ = nullptr;
  const uint8_t* blob_bases_ = nullptr;
  const uint8_t* postings_bases_ = nullptr;
  const uint8_t* positions_bases_ = nullptr;
  const uint8_t* offsets_ = nullptr;
  const uint8_t* rows_ = nullptr;
  const uint8_t* wide_rows_ = nullptr;
  const char* blob_ = nullptr;
  const char* blob_end_ = nullptr;
  bool positions_ = false;
  uint32_t size_ = 0;
  uint32_t row_bytes_ = 0;
  uint32_t common_prefix_ = 0;  // bytes shared by all terms and omitted from the keys
};

}  // namespace quarry
