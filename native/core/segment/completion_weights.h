// The largest weights of runs of a completion field's terms: they lead a search for the best completions past whatever is
// not among them.
//
// Format of the section (kCompletionWeights, sidx), little-endian: u32 magic "QCMP" (0x504d4351), u16 version 1, u16 zero,
// u32 terms; then level by level the largest weight of each 64 neighbours below, u32 each: the first level of 64 terms, the
// next of 64 runs of the first, until a level has one run. Terms are those of mapping/document/completion_entry.h, as the field's
// dictionary has them; one that is none of a completion weighs 0.
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
  /// kCorrupt when the bytes are no section for a dictionary of so many terms.
  static Result<CompletionWeights> open(Bytes section, uint32_t terms);

  /// Levels above the terms.
  size_t levels() const { return levels_.size(); }
  /// Runs of a level; level 0 are the terms.
  uint32_t count(size_t level) const { return level == 0 ? terms_ : levels_[level - 1].count; }
  /// `level` from 1 on, `run` < count(level).
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

/// The weight that a term says; 0 when it is none of a completion.
uint32_t completion_weight(std::string_view term);

/// The section for a field with such terms, which is a finished terms section.
Result<std::vector<uint8_t>> write_completion_weights(Bytes terms);

/// Whether the section says what the terms say, for offline checks.
bool same_weights(const CompletionWeights& weights, const TermDictionary& terms);

}  // namespace quarry
