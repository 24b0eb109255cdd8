// Builds the dictionary of strings that are common in the sources of a segment (packed_source.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "store/number_runs.h"

namespace quarry {

/// Samples some documents and selects the parts that are common to many, as zstd builds its
/// dictionaries (Liao et al. 2016, "cover"): pieces of 160 bytes, ranked by how often their 8-byte
/// substrings occur, where each substring counts for one piece only. Deterministic: the same
/// documents give the same dictionary.
class SourceDictionary {
 public:
  /// `bytes`: the maximal size of the dictionary.
  explicit SourceDictionary(size_t bytes) : bytes_(bytes) {}
  /// True when further documents would not be used.
  bool full() const { return sample_.size() >= bytes_ * kSampleFactor; }
  /// The documents should be spread evenly over the segment.
  void add(std::string_view source);
  /// Returns the dictionary. The object must not be used afterwards.
  std::string take();

 private:
  static constexpr size_t kSampleFactor = 8;

  size_t bytes_;
  std::string sample_;
  NumberPacker packer_;
  std::vector<uint8_t> runs_;
};

}  // namespace quarry
