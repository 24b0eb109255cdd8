// The blocks section of a field: statistics and, for every block of 128 documents, the data that a
// query needs before it decodes the block. Only terms of 128 documents or more have blocks here.
// The format is described in block_table.cc.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/coding.h"
#include "base/status.h"
#include "postings/impacts.h"
#include "postings/patched_packing.h"

namespace quarry {

/// Sums over the field's documents, including deleted ones until a merge removes them.
struct FieldStats {
  uint64_t doc_count = 0;            // documents with at least one term
  uint64_t sum_total_term_freq = 0;  // tokens
  uint64_t sum_doc_freq = 0;
};

/// The encoding of the documents of a block: 0 to 32 is the width of packed gaps, 64 + n a bit set
/// of n words, 255 the varints of a term's last, shorter block.
namespace block_encoding {
inline constexpr uint8_t kBitset = 64;
inline constexpr uint8_t kVarints = 255;
inline constexpr uint32_t kMaxBitsetWords = 16;   // 128 documents in 1,024: denser than 1/8
inline constexpr uint32_t kFirstBitsetWords = 8;  // the maximum in version 1 of the section
}  // namespace block_encoding

/// Blocks per group, the second level of skipping: 8,192 documents.
inline constexpr uint32_t kGroupBlocks = 64;

/// One block, as passed by the writer.
struct BlockEntry {
  uint32_t last_doc = 0;
  uint64_t postings_offset = 0;   // below 2^40
  uint64_t positions_offset = 0;  // below 2^40
  uint8_t encoding = 0;
  PackShape freqs;
};

struct BlockTableFlags {
  bool freqs = false;
  bool positions = false;
  bool impacts = false;  // false: the Pareto front is always (1, 1)
};

/// The number of groups of a term with `blocks` blocks: the first spans the whole term, then there
/// is one per 64 blocks if there are more.
constexpr uint32_t group_entries(uint32_t blocks) noexcept {
  return blocks <= kGroupBlocks ? 1 : 1 + (blocks + kGroupBlocks - 1) / kGroupBlocks;
}

class BlockTableWriter {
 public:
  explicit BlockTableWriter(BlockTableFlags flags) : flags_(flags) {}
  uint32_t block_count() const { return static_cast<uint32_t>(last_docs_.size()); }
  uint32_t group_count() const { return static_cast<uint32_t>(group_last_docs_.size()); }
  void add_block(const BlockEntry& entry, std::span<const Impact> impacts);
  void add_group(uint32_t last_doc, std::span<const Impact> impacts);
  /// Returns the section. The writer must not be used afterwards.
  std::vector<uint8_t> finish(const FieldStats& stats);

 private:
  BlockTableFlags flags_;
  std::vector<uint32_t> last_docs_;
  std::vector<uint32_t> postings_low_;
  std::vector<uint32_t> positions_low_;
  std::vector<uint32_t> impact_starts_;
  std::vector<uint32_t> group_last_docs_;
  std::vector<uint32_t> group_impacts_;
  std::vector<uint32_t> group_impact_starts_;
  std::vector<uint32_t> impacts_;
  std::vector<uint8_t> postings_high_;
  std::vector<uint8_t> positions_high_;
  std::vector<uint8_t> encodings_;
  std::vector<uint8_t> freq_widths_;
  std::vector<uint8_t> freq_exceptions_;
};

/// The reader; its bytes must outlive it. Indexes are not checked: open() and check_term() validate
/// those of terms.
class BlockTable {
 public:
  BlockTable() = default;
  static Result<BlockTable> open(Bytes section);
  /// Whether the `blocks` blocks of a term from `first_block` and its groups from `first_group`
  /// exist, and their last documents ascend below `max_doc`.
  bool check_term(uint32_t first_block, uint32_t blocks, uint32_t first_group,
                  uint32_t max_doc) const;

  const FieldStats& stats() const { return stats_; }
  BlockTableFlags flags() const { return flags_; }
  uint32_t last_doc(uint32_t block) const noexcept {
    return load<uint32_t>(last_docs_ + size_t{4} * block);
  }
  uint64_t postings_offset(uint32_t block) const noexcept {
    return load<uint32_t>(postings_low_ + size_t{4} * block) | uint64_t{postings_high_[block]}
                                                                   << 32;
  }
  uint64_t positions_offset(uint32_t block) const noexcept {
    return load<uint32_t>(positions_low_ + size_t{4} * block) | uint64_t{positions_high_[block]}
                                                                    << 32;
  }
  uint8_t encoding(uint32_t block) const noexcept { return encodings_[block]; }
  PackShape freqs(uint32_t block) const noexcept {
    return {freq_widths_[block], freq_exceptions_[block]};
  }
  uint32_t group_last_doc(uint32_t group) const noexcept {
    return load<uint32_t>(group_last_docs_ + size_t{4} * group);
  }
  /// Writes the Pareto front of a block or group (at most kMaxImpacts pairs) and returns the number
  /// of pairs.
  uint32_t block_impacts(uint32_t block, Impact* out) const noexcept;
  uint32_t group_impacts(uint32_t group, Impact* out) const noexcept;

 private:
  bool read_arrays(Bytes section);
  uint32_t read_impacts(const uint8_t* starts, uint32_t index, Impact* out) const noexcept;

  FieldStats stats_;
  BlockTableFlags flags_;
  uint32_t block_count_ = 0;
  uint32_t group_count_ = 0;
  uint32_t impact_count_ = 0;
  const uint8_t* last_docs_ = nullptr;
  const uint8_t* postings_low_ = nullptr;
  const uint8_t* positions_low_ = nullptr;
  const uint8_t* impact_starts_ = nullptr;
  const uint8_t* group_last_docs_ = nullptr;
  const uint8_t* group_impact_starts_ = nullptr;
  const uint8_t* impacts_ = nullptr;
  const uint8_t* postings_high_ = nullptr;
  const uint8_t* positions_high_ = nullptr;
  const uint8_t* encodings_ = nullptr;
  const uint8_t* freq_widths_ = nullptr;
  const uint8_t* freq_exceptions_ = nullptr;
};

}  // namespace quarry
