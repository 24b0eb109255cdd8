// The largest weights in runs of a completion field's terms. With them, a search for the best
// completions skips runs without a sufficient weight.
//
// Format of the section (kCompletionWeights, sidx), little-endian: u32 magic "QCMP" (0x504d4351),
// u16 version 1, u16 zero, u32 terms; then for each level the largest weights of 64 consecutive
// elements of the level below, u32 each. The first level is over runs of 64 terms, the next over 64
// runs of the first level, and so on until a level has one run. The terms are in the form of
// mapping/document/completion_entry.h, in the order of the field's dictionary; a term that is not a
// completion has weight 0.
#pragma once

#include <cstdint>
#include <vector>

#include "base/coding.h"
#include "base/status.h"
#include "postings/term_dictionary.h"

namespace quarry {

/// Reader; the section's bytes must outlive it. Thread-safe.
class CompletionWeights {
 public:
  static constexpr uint32_t kRun = 64;

  CompletionWeights() = default;
  /// kCorrupt when the bytes are not a section for a dictionary with this many terms.
  static Result<CompletionWeights> open(Bytes section, uint32_t terms);

  /// The number of levels above the terms.
  size_t levels() const { return levels_.size(); }
  /// The number of runs of a level; level 0 is the terms.
  uint32_t count(size_t level) const { return level == 0 ? terms_ : levels_[level - 1].count; }
  /// `level` must be >= 1, `run` < count(level).
  uint32_t largest(size_t level, uint32_t run) const {
    return load<uint32_t>(levels_[level - 1].weights + size_t{run} * sizeof(uint32_t));
  }

 private:
  struct Level {
    const uint8_t* weights;
    uint32_t count;
  };
  uint32_t terms_ = 0;
  std::vector<Level> levels_;
};

/// The weight in a term; 0 when it is not a completion.
uint32_t completion_weight(std::string_view term);

/// Builds the section from `terms`, the finished terms section of the field.
Result<std::vector<uint8_t>> write_completion_weights(Bytes terms);

/// Whether the weights match those of the terms, for offline checks.
bool same_weights(const CompletionWeights& weights, const TermDictionary& terms);

}  // namespace quarry
