// Finds the ranges of a dictionary whose keys start with a text, or with something near it.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/stop_check.h"
#include "postings/term_dictionary.h"
#include "query/suggest/suggest_plan.h"

namespace quarry {

/// Adjacent terms of a dictionary. Their scores are their weights, times `boost` unless that is 0.
struct CompletionRange {
  uint32_t begin = 0;
  uint32_t end = 0;
  float boost = 0;
  float score(uint32_t weight) const {
    if (boost == 0) return static_cast<float>(weight);
    return static_cast<float>(weight == 0 ? 1 : weight) * boost;
  }
};

/// Ascending, without overlap. With fuzziness a range shares the shortest prefix that is near
/// enough, and its boost is the number of units (bytes or characters) that this prefix has in
/// common with the text, as in Lucene.
std::vector<CompletionRange> completion_ranges(const CompleteRequest& request, std::string_view key,
                                               const TermDictionary& terms, StopCheck& stop);

}  // namespace quarry
