// The positions of one block of documents as gaps: the first position of a document is absolute,
// the following ones are differences.
//
// A run of n values (n is the sum of the block's frequencies, so it is not stored) is a sequence of
// packs of 128 values, the last one shorter. If fewer than 16 values are left, they are plain
// varints.
//   pack    u8 width, u8 exception bytes, then the patched pack (patched_packing.h)
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/coding.h"
#include "postings/patched_packing.h"

namespace quarry {

/// Below this number of values a pack's header and padding cost more than varints.
inline constexpr uint32_t kMinPositionPack = 16;

void put_position_run(std::span<const uint32_t> gaps, ByteWriter& out);

/// Reads parts of one run. Corrupt bytes are never read out of bounds: read() then returns false.
class PositionRun {
 public:
  /// Starts the run of `count` values at byte `at` of `section`, whose bytes must stay valid.
  void reset(Bytes section, uint64_t at, uint32_t count) noexcept;
  /// The gaps [first, first + count), count > 0, if they are in one pack; null when they are not,
  /// or when the bytes are damaged. Valid until the next call.
  const uint32_t* gaps(uint32_t first, uint32_t count) noexcept;
  /// Appends the positions of a document whose gaps are the values [first, first + count) of the
  /// run.
  bool read(uint32_t first, uint32_t count, std::vector<uint32_t>& out);

 private:
  static constexpr uint32_t kNoPack = ~uint32_t{0};

  /// Decodes pack `index` into values_. Packs are located by reading the headers of all packs
  /// before them.
  bool load_pack(uint32_t index) noexcept;
  bool load_varints(uint32_t count) noexcept;

  Bytes section_;
  uint64_t start_ = 0;
  uint32_t count_ = 0;
  uint32_t loaded_ = kNoPack;
  uint32_t next_pack_ = 0;  // the pack that starts at next_at_
  uint64_t next_at_ = 0;
  uint32_t values_[kPackValues];
};

}  // namespace quarry
