// What the sources of a segment have in common, for blocks to refer to (packed_source.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "store/number_runs.h"

namespace quarry {

/// Gathers texts of some documents and picks what many of them say, as the dictionaries of zstd are made (Liao et al. 2016,
/// "cover"): pieces of 160 bytes by how often their runs of eight bytes turn up, each run counted for one piece.
/// The same documents give the same dictionary.
class SourceDictionary {
 public:
  /// `bytes`: the most that it takes.
  explicit SourceDictionary(size_t bytes) : bytes_(bytes) {}
  /// No more documents are of use.
  bool full() const { return sample_.size() >= bytes_ * kSampleFactor; }
  /// Of documents that are spread over all.
  void add(std::string_view source);
  /// It is spent.
  std::string take();

 private:
  static constexpr size_t kSampleFactor = 8;

  size_t bytes_;
  std::string sample_;
  NumberPacker packer_;
  std::vector<uint8_t> runs_;
};

}  // namespace quarry
