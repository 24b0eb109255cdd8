// Where in a dictionary the keys are that begin with a text, or with something near it.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/stop_check.h"
#include "postings/term_dictionary.h"
#include "query/suggest/suggest_plan.h"

namespace quarry {

/// Neighbours in a dictionary. Their scores are their weights, times `boost` unless that is 0.
struct CompletionRange {
  uint32_t begin = 0;
  uint32_t end = 0;
  float boost = 0;
  float score(uint32_t weight) const {
    if (boost == 0) return static_cast<float>(weight);
    return static_cast<float>(weight == 0 ? 1 : weight) * boost;
  }
};

/// Ascending, without overlap. With fuzziness a range is what shares the shortest beginning that is near enough, and its boost
/// the units (bytes, or characters) that this beginning has in common with the text, as in Lucene.
std::vector<CompletionRange> completion_ranges(const CompleteAsk& ask, std::string_view key,
                                               const TermDictionary& terms, StopCheck& stop);

}  // namespace quarry
