// Writes the terms section of a field; the format is described in the .cc file.
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
inline constexpr uint16_t kVersion = 1;
inline constexpr uint16_t kPositions = 1;  // flag: rows have a positions word
inline constexpr size_t kHeaderBytes = 64;
inline constexpr size_t kAlignment = 16;
inline constexpr uint32_t kGroupTerms = 64;
inline constexpr uint32_t kWideMark = 0xff;
inline constexpr size_t kWideRowBytes = 40;

/// The first eight bytes of `text` as a number that sorts like them; shorter texts are padded with
/// zeros.
uint64_t sort_key(std::string_view text) noexcept;

}  // namespace terms_format

/// Terms strictly ascending bytewise, fewer than 2^32 of them, each shorter than 2^24 bytes.
class TermDictionaryWriter {
 public:
  explicit TermDictionaryWriter(bool positions) : positions_(positions) {}
  void add(std::string_view term, const TermInfo& info);
  uint32_t size() const { return static_cast<uint32_t>(offsets_.size()); }
  /// The section. The writer is spent.
  std::vector<uint8_t> finish();

 private:
  void start_group();
  void put_row(const TermInfo& info, uint64_t postings, uint64_t positions);
  void put_wide_row(const TermInfo& info);
  std::vector<uint64_t> make_keys(size_t common_prefix) const;
  std::string_view term(size_t ordinal) const;

  bool positions_;
  std::vector<uint8_t> blob_;
  std::vector<uint64_t> starts_;  // of the first term of each group, in the blob
  std::vector<uint64_t> postings_bases_;
  std::vector<uint64_t> positions_bases_;
  std::vector<uint32_t> offsets_;  // low 32 bits of each term's start in the blob
  ByteWriter rows_;
  ByteWriter wide_rows_;
  uint32_t wide_count_ = 0;
};

}  // namespace quarry
