// Finds the best completions of a text over segments. The search follows the largest weights of
// runs of terms, so its cost depends on the requested number of completions, not on the number of
// matches.
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
  size_t segment = 0;  // index in the list of searched segments
  uint32_t doc = 0;    // document of that segment
  std::string key;
  std::string input;
};

/// At most `request.size` completions, one for each document (and one for each input if duplicates
/// are skipped): ordered by descending score, then by key and input bytewise, then by document.
/// Deleted documents are excluded. Incomplete if `stop` expires.
Result<std::vector<Completion>> best_completions(const CompleteRequest& request, const Field& field,
                                                 const Analyzer& analyzer,
                                                 std::span<const SegmentView* const> segments,
                                                 StopCheck& stop);

}  // namespace quarry
