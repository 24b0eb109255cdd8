// Writes the terms section of a field; the format is described in term_dictionary_writer.cc.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/coding.h"
#include "postings/term_dictionary.h"

namespace quarry {

/// Shared by writer and reader of the section.
namespace terms_format {

inline constexpr uint32_t kMagic = 0x4d525451;  // "QTRM"
inline constexpr uint16_t kPlainVersion = 1;    // rows of a fixed width
inline constexpr uint16_t kVersion = 2;
inline constexpr uint16_t kPositions = 1;  // flag: rows have positions
inline constexpr size_t kHeaderBytes = 64;
inline constexpr size_t kAlignment = 16;
inline constexpr uint32_t kGroupTerms = 64;
inline constexpr uint32_t kWideMark = 0xff;
inline constexpr size_t kWideRowBytes = 40;

/// The layout of the rows of a group, version 2.
struct GroupRows {
  static constexpr uint32_t kStartBits = 40;
  static constexpr uint32_t kWidthBits = 6;
  static constexpr uint32_t kHeadBits = 16;  // number of documents, norm
  uint64_t start = 0;                        // bytes into the rows
  uint32_t freq_bits = 0;                    // 0 .. 16
  uint32_t location_bits = 0;                // 0 .. 32
  uint32_t positions_bits = 0;               // 0 .. 32
  uint32_t width() const { return kHeadBits + freq_bits + location_bits + positions_bits; }
  uint64_t coded() const {
    return start | uint64_t{freq_bits} << kStartBits |
           uint64_t{location_bits} << (kStartBits + kWidthBits) |
           uint64_t{positions_bits} << (kStartBits + 2 * kWidthBits);
  }
  static GroupRows of(uint64_t coded) {
    const auto bits = [coded](uint32_t at) {
      return static_cast<uint32_t>(coded >> at & ((1U << kWidthBits) - 1));
    };
    return {coded & ((uint64_t{1} << kStartBits) - 1), bits(kStartBits),
            bits(kStartBits + kWidthBits), bits(kStartBits + 2 * kWidthBits)};
  }
};
/// Bytes after the rows, so that a row can be read eight bytes at a time.
inline constexpr size_t kRowsSlack = 8;

/// The first eight bytes of `text` as a number with the same order; shorter strings are padded with
/// zeros.
uint64_t sort_key(std::string_view text) noexcept;

}  // namespace terms_format

/// Terms are strictly ascending bytewise, fewer than 2^32 of them, each shorter than 2^24 bytes.
class TermDictionaryWriter {
 public:
  explicit TermDictionaryWriter(bool positions) : positions_(positions) {}
  void add(std::string_view term, const TermInfo& info);
  uint32_t size() const { return static_cast<uint32_t>(offsets_.size()); }
  /// Returns the section. The writer must not be used afterwards.
  std::vector<uint8_t> finish();

 private:
  struct Row {
    uint32_t head = 0;  // documents, norm << 8
    uint32_t freq = 0;
    uint32_t location = 0;
    uint32_t positions = 0;
  };
  void start_group();
  void pack_group();
  void put_wide_row(const TermInfo& info);
  std::vector<uint64_t> make_keys(size_t common_prefix) const;
  std::string_view term(size_t ordinal) const;

  bool positions_;
  std::vector<uint8_t> blob_;
  std::vector<uint64_t> starts_;  // start of the first term of each group in the blob
  std::vector<uint64_t> postings_bases_;
  std::vector<uint64_t> positions_bases_;
  std::vector<uint32_t> offsets_;  // low 32 bits of each term's start in the blob
  std::vector<Row> open_rows_;     // rows of the current group
  std::vector<uint64_t> groups_;   // GroupRows of the previous groups
  std::vector<uint8_t> rows_;
  ByteWriter wide_rows_;
  uint32_t wide_count_ = 0;
};

}  // namespace quarry
