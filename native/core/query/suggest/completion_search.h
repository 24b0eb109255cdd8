// The best completions of a text over segments: a search along the largest weights of runs of terms, so that its cost follows
// what is asked for, not what begins with the text.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "base/stop_check.h"
#include "mapping/schema/field.h"
#include "query/plan/search.h"
#include "query/suggest/suggest_plan.h"

namespace quarry {

struct Completion {
  float score = 0;
  size_t segment = 0;  // in the list that was searched
  uint32_t doc = 0;    // of that segment
  std::string key;
  std::string input;
};

/// At most `ask.size`, one for each document (one for each input where duplicates are skipped): the highest scores, then by
/// key and input bytewise, then by document. Deleted documents do not count. Cut short when `stop` expires.
Result<std::vector<Completion>> best_completions(const CompleteAsk& ask, const Field& field,
                                                 const Analyzer& analyzer,
                                                 std::span<const SegmentView* const> segments,
                                                 StopCheck& stop);

}  // namespace quarry
