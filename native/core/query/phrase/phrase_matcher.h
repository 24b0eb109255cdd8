// Computes the frequency of a phrase in a document from the positions of its terms.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/stop_check.h"

namespace quarry {

/// The structure of a phrase, independent of the segment: ascending offsets within the phrase, and
/// which parts share terms.
struct PhraseShape {
  std::vector<uint32_t> offsets;
  /// Group of each part: parts of a group have a term in common (a repeated word); -1: no group.
  std::vector<int> groups;
  bool multiple_terms = false;  // some part of a group has several terms
  uint32_t slop = 0;
};

/// Positions of one part in one document, ascending.
using PartPositions = std::span<const uint32_t>;

/// Occurrences with every term at its exact position. Counting stops at `enough`, or if `stop`
/// expires.
uint32_t count_exact(const PhraseShape& shape, std::span<const PartPositions> parts,
                     uint32_t enough, StopCheck& stop);

/// Whether some position of `second` is `distance` after one of `first`.
bool stand_apart(PartPositions first, PartPositions second, uint32_t distance);

/// Lucene's sloppy frequency: the sum of 1 / (1 + moves) over the matches that need at most `slop`
/// moves. The cost is the number of positions times the logarithm of the number of parts.
class SloppyMatcher {
 public:
  SloppyMatcher(const PhraseShape& shape, StopCheck& stop);
  ~SloppyMatcher();
  /// 0 if the document does not match, or if the matcher was stopped. `any`: one match is enough.
  float frequency(std::span<const PartPositions> parts, bool any);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace quarry
