// How often a phrase occurs in a document, from the positions of its terms there.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/stop_check.h"

namespace quarry {

/// What a phrase looks like, whatever the segment: offsets within the phrase, ascending, and which
/// parts share terms.
struct PhraseShape {
  std::vector<uint32_t> offsets;
  /// Group of each part: parts of one group have a term in common (a repeated word), -1 for parts
  /// on their own.
  std::vector<int> groups;
  bool multiple_terms = false;  // some part of a group has several terms
  uint32_t slop = 0;
};

/// Positions of one part in one document, ascending.
using PartPositions = std::span<const uint32_t>;

/// Occurrences with every term at its exact place. `enough`: stop counting there. Fewer when `stop` says so.
uint32_t count_exact(const PhraseShape& shape, std::span<const PartPositions> parts,
                     uint32_t enough, StopCheck& stop);

/// Some position of `second` lies `distance` behind one of `first`.
bool stand_apart(PartPositions first, PartPositions second, uint32_t distance);

/// Lucene's sloppy frequency: the sum of 1 / (1 + moves) over the matches that need at most `slop`
/// moves. Its cost is the number of positions times the logarithm of the number of parts.
class SloppyMatcher {
 public:
  SloppyMatcher(const PhraseShape& shape, StopCheck& stop);
  ~SloppyMatcher();
  /// 0 when the document does not match, or when the matcher was stopped. `any`: one match is enough.
  float frequency(std::span<const PartPositions> parts, bool any);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace quarry
