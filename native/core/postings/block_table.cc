// The blocks section of a field, version 1 or 2 (2: some block is a bit set of more than 8 words).
// Integers are little-endian; every array starts at a multiple of 64 bytes after zero padding. b
// blocks, g groups, i impacts.
//
//   header    u32 magic "QBLK", u16 version, u16 flags (1 freqs, 2 positions, 4 impacts), u32 b,
//             u32 g, u32 i, u32 zero, u64 documents with a term, u64 sum of term frequencies, u64
//             sum of document frequencies, zeros to 64 bytes
//   u32[b]    last docId of each block
//   u32[b]    postings offset, low 32 bits (from the start of the postings section)
//   u32[b]    positions offset, low 32 bits (with positions)
//   u32[b+1]  index of the block's first impact; the next entry ends it (with impacts)
//   u32[g]    last docId of each group
//   u32[g+1]  index of the group's first impact (with impacts)
//   u32[i]    impacts: frequency << 8 | norm, frequency 0xffffff for this and larger ones (with
//             impacts)
//   u8[b]     postings offset, bits 32 to 39
//   u8[b]     positions offset, bits 32 to 39 (with positions)
//   u8[b]     encoding of the documents (block_encoding)
//   u8[b]     bit width of the packed frequencies (with freqs)
//   u8[b]     bytes of their exceptions (with freqs)
//
// A term of df >= 128 documents has ceil(df / 128) consecutive blocks; the last one holds df % 128
// documents unless that is 0. It also has group_entries(blocks) consecutive groups: one for the
// whole term, then one per 64 blocks if the term has more than 64. Every block and group has 1 to 4
// impacts, ascending in frequency and norm.
#include "postings/block_table.h"

#include <algorithm>
#include <string>

namespace quarry {
namespace {

constexpr uint32_t kBlockMagic = 0x4b4c4251;  // "QBLK"
constexpr uint16_t kFirstVersion = 1;
constexpr uint16_t kWideBitsets = 2;
constexpr uint16_t kFreqs = 1;
constexpr uint16_t kPositions = 2;
constexpr uint16_t kImpacts = 4;
constexpr size_t kBlockAlignment = 64;  // alignment of arrays, and the size of the header

Status corrupt_blocks(const std::string& what) {
  return {ErrorType::kCorrupt, "blocks section: " + what};
}

template <typename T>
void put_block_array(const std::vector<T>& values, ByteWriter& out) {
  out.align(kBlockAlignment);
  out.put_bytes(Bytes(reinterpret_cast<const uint8_t*>(values.data()), values.size() * sizeof(T)));
}

/// Whether the `count` + 1 starts range from `first` to `last`, each 1 to kMaxImpacts after the
/// previous one.
bool starts_valid(const uint8_t* starts, uint32_t count, uint32_t first, uint32_t last) {
  uint32_t start = load<uint32_t>(starts);
  if (start != first) return false;
  for (uint32_t i = 1; i <= count; ++i) {
    const auto end = load<uint32_t>(starts + size_t{4} * i);
    if (end <= start || end - start > kMaxImpacts) return false;
    start = end;
  }
  return start == last;
}

}  // namespace

void BlockTableWriter::add_block(const BlockEntry& entry, std::span<const Impact> impacts) {
  last_docs_.push_back(entry.last_doc);
  postings_low_.push_back(static_cast<uint32_t>(entry.postings_offset));
  postings_high_.push_back(static_cast<uint8_t>(entry.postings_offset >> 32));
  encodings_.push_back(entry.encoding);
  if (flags_.freqs) {
    freq_widths_.push_back(entry.freqs.width);
    freq_exceptions_.push_back(entry.freqs.exception_bytes);
  }
  if (flags_.positions) {
    positions_low_.push_back(static_cast<uint32_t>(entry.positions_offset));
    positions_high_.push_back(static_cast<uint8_t>(entry.positions_offset >> 32));
  }
  if (!flags_.impacts) return;
  impact_starts_.push_back(static_cast<uint32_t>(impacts_.size()));
  for (const Impact& impact : impacts) impacts_.push_back(pack_impact(impact));
}

void BlockTableWriter::add_group(uint32_t last_doc, std::span<const Impact> impacts) {
  group_last_docs_.push_back(last_doc);
  if (!flags_.impacts) return;
  group_impact_starts_.push_back(static_cast<uint32_t>(group_impacts_.size()));
  for (const Impact& impact : impacts) group_impacts_.push_back(pack_impact(impact));
}

std::vector<uint8_t> BlockTableWriter::finish(const FieldStats& stats) {
  // All impacts are in one array: those of blocks, then those of groups.
  const auto block_impacts = static_cast<uint32_t>(impacts_.size());
  impacts_.insert(impacts_.end(), group_impacts_.begin(), group_impacts_.end());
  for (uint32_t& start : group_impact_starts_) start += block_impacts;
  if (flags_.impacts) {
    impact_starts_.push_back(block_impacts);
    group_impact_starts_.push_back(static_cast<uint32_t>(impacts_.size()));
  }

  ByteWriter out;
  out.reserve(size_t{48} * last_docs_.size() + size_t{32} * group_last_docs_.size() + 1024);
  out.put(kBlockMagic);
  const bool wide = std::any_of(encodings_.begin(), encodings_.end(), [](uint8_t encoding) {
    return encoding > block_encoding::kBitset + block_encoding::kFirstBitsetWords &&
           encoding <= block_encoding::kBitset + block_encoding::kMaxBitsetWords;
  });
  out.put(wide ? kWideBitsets : kFirstVersion);
  out.put(static_cast<uint16_t>((flags_.freqs ? kFreqs : 0) | (flags_.positions ? kPositions : 0) |
                                (flags_.impacts ? kImpacts : 0)));
  out.put(block_count());
  out.put(group_count());
  out.put(static_cast<uint32_t>(impacts_.size()));
  out.put(uint32_t{0});
  out.put(stats.doc_count);
  out.put(stats.sum_total_term_freq);
  out.put(stats.sum_doc_freq);
  put_block_array(last_docs_, out);
  put_block_array(postings_low_, out);
  put_block_array(positions_low_, out);
  put_block_array(impact_starts_, out);
  put_block_array(group_last_docs_, out);
  put_block_array(group_impact_starts_, out);
  put_block_array(impacts_, out);
  put_block_array(postings_high_, out);
  put_block_array(positions_high_, out);
  put_block_array(encodings_, out);
  put_block_array(freq_widths_, out);
  put_block_array(freq_exceptions_, out);
  return out.take();
}

Result<BlockTable> BlockTable::open(Bytes section) {
  ByteReader header(section);
  const auto magic = header.get<uint32_t>();
  const auto version = header.get<uint16_t>();
  const auto flags = header.get<uint16_t>();
  BlockTable table;
  table.block_count_ = header.get<uint32_t>();
  table.group_count_ = header.get<uint32_t>();
  table.impact_count_ = header.get<uint32_t>();
  header.get<uint32_t>();
  table.stats_.doc_count = header.get<uint64_t>();
  table.stats_.sum_total_term_freq = header.get<uint64_t>();
  table.stats_.sum_doc_freq = header.get<uint64_t>();
  if (header.failed()) return corrupt_blocks("shorter than its header");
  if (magic != kBlockMagic) return corrupt_blocks("bad magic number");
  if (version != kFirstVersion && version != kWideBitsets)
    return corrupt_blocks("unknown version " + std::to_string(version));
  if ((flags & ~(kFreqs | kPositions | kImpacts)) != 0)
    return corrupt_blocks("unknown flags " + std::to_string(flags));
  table.flags_ = {(flags & kFreqs) != 0, (flags & kPositions) != 0, (flags & kImpacts) != 0};
  if (!table.read_arrays(section)) {
    return corrupt_blocks("its arrays do not fill " + std::to_string(section.size()) + " bytes");
  }
  if (!table.flags_.impacts) return table;
  const uint32_t impacts = table.impact_count_;
  const auto block_impacts = load<uint32_t>(table.group_impact_starts_);
  if (!starts_valid(table.impact_starts_, table.block_count_, 0, block_impacts) ||
      !starts_valid(table.group_impact_starts_, table.group_count_, block_impacts, impacts)) {
    return corrupt_blocks("bad impact index");
  }
  return table;
}

bool BlockTable::read_arrays(Bytes section) {
  ByteReader reader(section);
  bool fits = true;
  const auto next = [&](bool present, uint64_t count, size_t width) -> const uint8_t* {
    reader.align(kBlockAlignment);
    if (!present) count = 0;
    fits = fits && count <= reader.remaining() / width;
    return fits ? reader.get_bytes(count * width).data() : nullptr;
  };
  const uint64_t blocks = block_count_;
  const uint64_t groups = group_count_;
  reader.seek(kBlockAlignment);
  last_docs_ = next(true, blocks, 4);
  postings_low_ = next(true, blocks, 4);
  positions_low_ = next(flags_.positions, blocks, 4);
  impact_starts_ = next(flags_.impacts, blocks + 1, 4);
  group_last_docs_ = next(true, groups, 4);
  group_impact_starts_ = next(flags_.impacts, groups + 1, 4);
  impacts_ = next(flags_.impacts, impact_count_, 4);
  postings_high_ = next(true, blocks, 1);
  positions_high_ = next(flags_.positions, blocks, 1);
  encodings_ = next(true, blocks, 1);
  freq_widths_ = next(flags_.freqs, blocks, 1);
  freq_exceptions_ = next(flags_.freqs, blocks, 1);
  return fits && !reader.failed() && reader.done();
}

bool BlockTable::check_term(uint32_t first_block, uint32_t blocks, uint32_t first_group,
                            uint32_t max_doc) const {
  if (first_block > block_count_ || blocks > block_count_ - first_block) return false;
  if (first_group > group_count_ || group_entries(blocks) > group_count_ - first_group)
    return false;
  uint64_t least = 0;
  for (uint32_t block = first_block; block < first_block + blocks; ++block) {
    const uint32_t last = last_doc(block);
    if (last < least || last >= max_doc) return false;
    least = uint64_t{last} + 1;
  }
  const uint32_t end = first_block + blocks;
  if (group_last_doc(first_group) != last_doc(end - 1)) return false;
  for (uint32_t group = 1; group < group_entries(blocks); ++group) {
    const uint64_t group_end = first_block + uint64_t{group} * kGroupBlocks;
    const uint32_t last_block = static_cast<uint32_t>(std::min<uint64_t>(group_end, end)) - 1;
    if (group_last_doc(first_group + group) != last_doc(last_block)) return false;
  }
  return true;
}

uint32_t BlockTable::read_impacts(const uint8_t* starts, uint32_t index,
                                  Impact* out) const noexcept {
  if (!flags_.impacts) {
    out[0] = {1, 1};
    return 1;
  }
  const auto start = load<uint32_t>(starts + size_t{4} * index);
  const uint32_t count = load<uint32_t>(starts + size_t{4} * index + 4) - start;
  for (uint32_t i = 0; i < count; ++i) {
    out[i] = unpack_impact(load<uint32_t>(impacts_ + size_t{4} * (start + i)));
  }
  return count;
}

uint32_t BlockTable::block_impacts(uint32_t block, Impact* out) const noexcept {
  return read_impacts(impact_starts_, block, out);
}

uint32_t BlockTable::group_impacts(uint32_t group, Impact* out) const noexcept {
  return read_impacts(group_impact_starts_, group, out);
}

}  // namespace quarry
