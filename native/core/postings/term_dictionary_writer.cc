// The terms section of a field, version 2. Integers are little-endian; every array starts at a
// multiple of 16 bytes after zero padding. n terms, g = ceil(n / 64) groups of 64, w wide rows.
//
//   header     u32 magic "QTRM", u16 version, u16 flags (1: positions), u32 n, u32 w, u32 common
//              prefix length, u32 zero, u64 blob bytes, zeros up to 64 bytes
//   u64[g]     key of each group: bytes [c, c + 8) of its first term, big-endian, zero padded; c =
//              common prefix
//   u64[g+1]   start of each group in the blob; the last entry is the blob's length
//   u64[g]     postings base of each group
//   u64[g]     positions base of each group (only with positions)
//   u32[n]     low 32 bits of each term's start in the blob
//   u64[g]     start of the rows of each group (40 bits, bytes into the rows), then 6 bits each:
//              bits of ttf (0 .. 16), of b (0 .. 32), of c (0 .. 32; 0 without positions)
//   rows       of each group one after the other, zero bits up to a byte; 8 zero bytes after all of
//              them
//   wide[w]    40 bytes each
//   blob       the terms one after the other, no separators
//
// Row, from the lowest bit: df (8 bits), norm (8), ttf, b, c.
//   df 0        all zero: a term without postings (doc values only)
//   df 1        b = docId, norm = its norm; c = its position when ttf is 1, else positions offset -
//               base of the group
//   df 2..127   b = postings offset - base of the group, c = positions offset - base of the group
//   df 255      b = index of the wide row: 128 documents or more, or a number too large for its
//               bits
// Wide row: u32 df, u32 first block (df 1: docId), u64 ttf, u64 postings offset, u64 positions
// offset, u32 first group, u32 norm (df 1).
//
// Version 1 has rows of a fixed width in place of the rows and the array before them: u32 df | norm
// << 8 | ttf << 16, u32 b, and with positions u32 c.
#include "postings/term_dictionary_writer.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace quarry {
namespace {

constexpr uint64_t kMaxRowTermFreq = std::numeric_limits<uint16_t>::max();
constexpr uint64_t kMaxRowOffset = std::numeric_limits<uint32_t>::max();

constexpr uint64_t kNoBase = std::numeric_limits<uint64_t>::max();

/// The difference between `offset` and the base of its group; the first offset of a group becomes
/// its base.
uint64_t distance(uint64_t& base, uint64_t offset) {
  if (base == kNoBase) base = offset;
  return offset - base;
}

template <typename T>
void put_term_array(const std::vector<T>& values, ByteWriter& out) {
  out.align(terms_format::kAlignment);
  out.put_bytes(Bytes(reinterpret_cast<const uint8_t*>(values.data()), values.size() * sizeof(T)));
}

size_t common_prefix_length(std::string_view a, std::string_view b) {
  const size_t limit = std::min(a.size(), b.size());
  size_t length = 0;
  while (length < limit && a[length] == b[length]) ++length;
  return length;
}

}  // namespace

uint64_t terms_format::sort_key(std::string_view text) noexcept {
  uint64_t key = 0;
  for (size_t i = 0; i < 8; ++i) {
    key = key << 8 | (i < text.size() ? static_cast<uint8_t>(text[i]) : 0);
  }
  return key;
}

void TermDictionaryWriter::start_group() {
  pack_group();
  starts_.push_back(blob_.size());
  postings_bases_.push_back(kNoBase);
  positions_bases_.push_back(kNoBase);
}

void TermDictionaryWriter::put_wide_row(const TermInfo& info) {
  wide_rows_.put(info.doc_freq);
  wide_rows_.put(info.doc_freq == 1 ? info.doc : info.first_block);
  wide_rows_.put(info.total_term_freq);
  wide_rows_.put(info.postings_offset);
  wide_rows_.put(info.positions_offset);
  wide_rows_.put(info.first_group);
  wide_rows_.put(static_cast<uint32_t>(info.norm));
  wide_count_++;
}

/// The bits of a group are padded to a whole byte.
void TermDictionaryWriter::pack_group() {
  if (open_rows_.empty()) return;
  Row all;
  for (const Row& row : open_rows_) {
    all.freq |= row.freq;
    all.location |= row.location;
    all.positions |= row.positions;
  }
  const auto bits = [](uint32_t value) { return static_cast<uint32_t>(std::bit_width(value)); };
  const terms_format::GroupRows group{rows_.size(), bits(all.freq), bits(all.location),
                                      bits(all.positions)};
  groups_.push_back(group.coded());
  uint64_t open = 0;
  uint32_t used = 0;  // fewer than 8 before each number of at most 32 bits
  const auto put = [&](uint32_t value, uint32_t width) {
    open |= uint64_t{value} << used;
    for (used += width; used >= 8; used -= 8, open >>= 8)
      rows_.push_back(static_cast<uint8_t>(open));
  };
  for (const Row& row : open_rows_) {
    put(row.head, terms_format::GroupRows::kHeadBits);
    put(row.freq, group.freq_bits);
    put(row.location, group.location_bits);
    put(row.positions, group.positions_bits);
  }
  if (used > 0) rows_.push_back(static_cast<uint8_t>(open));
  open_rows_.clear();
}

void TermDictionaryWriter::add(std::string_view term, const TermInfo& info) {
  if (offsets_.size() % terms_format::kGroupTerms == 0) start_group();
  offsets_.push_back(static_cast<uint32_t>(blob_.size()));
  blob_.insert(blob_.end(), term.begin(), term.end());

  bool fits = info.doc_freq < kMinBlockedDocs && info.total_term_freq <= kMaxRowTermFreq;
  uint64_t postings = 0;
  uint64_t positions = 0;
  if (fits && info.doc_freq > 1) {
    postings = distance(postings_bases_.back(), info.postings_offset);
  }
  if (fits && positions_) {
    positions = info.total_term_freq < 2 ? info.positions_offset
                                         : distance(positions_bases_.back(), info.positions_offset);
  }
  fits = fits && postings <= kMaxRowOffset && positions <= kMaxRowOffset;
  if (!fits) {
    open_rows_.push_back({.head = terms_format::kWideMark, .location = wide_count_});
    put_wide_row(info);
    return;
  }
  const bool single = info.doc_freq == 1;
  const uint32_t norm = single ? info.norm : 0;
  open_rows_.push_back({info.doc_freq | norm << 8, static_cast<uint32_t>(info.total_term_freq),
                        single ? info.doc : static_cast<uint32_t>(postings),
                        positions_ ? static_cast<uint32_t>(positions) : 0});
}

std::string_view TermDictionaryWriter::term(size_t ordinal) const {
  const uint64_t group_start = starts_[ordinal / terms_format::kGroupTerms];
  const uint64_t start = group_start + (offsets_[ordinal] - static_cast<uint32_t>(group_start));
  const bool last = ordinal + 1 == offsets_.size();
  const uint32_t end = last ? static_cast<uint32_t>(blob_.size()) : offsets_[ordinal + 1];
  return as_text(Bytes(blob_)).substr(start, end - offsets_[ordinal]);
}

std::vector<uint64_t> TermDictionaryWriter::make_keys(size_t common_prefix) const {
  std::vector<uint64_t> keys;
  keys.reserve(starts_.size());
  for (size_t group = 0; group < starts_.size(); ++group) {
    keys.push_back(
        terms_format::sort_key(term(group * terms_format::kGroupTerms).substr(common_prefix)));
  }
  return keys;
}

std::vector<uint8_t> TermDictionaryWriter::finish() {
  pack_group();
  rows_.resize(rows_.size() + terms_format::kRowsSlack);
  const uint32_t count = size();
  const size_t common_prefix = count == 0 ? 0 : common_prefix_length(term(0), term(count - 1));
  const std::vector<uint64_t> keys = make_keys(common_prefix);
  starts_.push_back(blob_.size());
  std::replace(postings_bases_.begin(), postings_bases_.end(), kNoBase, uint64_t{0});
  std::replace(positions_bases_.begin(), positions_bases_.end(), kNoBase, uint64_t{0});

  ByteWriter out;
  out.reserve(blob_.size() + rows_.size() + wide_rows_.size() + size_t{4} * count +
              32 * keys.size() + 256);
  out.put(terms_format::kMagic);
  out.put(terms_format::kVersion);
  out.put(positions_ ? terms_format::kPositions : uint16_t{0});
  out.put(count);
  out.put(wide_count_);
  out.put(static_cast<uint32_t>(common_prefix));
  out.put(uint32_t{0});
  out.put(static_cast<uint64_t>(blob_.size()));
  out.align(terms_format::kHeaderBytes);
  put_term_array(keys, out);
  put_term_array(starts_, out);
  put_term_array(postings_bases_, out);
  if (positions_) put_term_array(positions_bases_, out);
  put_term_array(offsets_, out);
  put_term_array(groups_, out);
  put_term_array(rows_, out);
  put_term_array(wide_rows_.buffer(), out);
  put_term_array(blob_, out);
  return out.take();
}

}  // namespace quarry
