// Words as suggesters need them: a text's tokens, the terms near a word, and how often terms occur. Counts are sums over all
// segments that are given, so that neither their number nor that of shards changes them.
#pragma once

#include <span>

#include "base/coding.h"
#include "base/status.h"
#include "base/stop_check.h"
#include "mapping/schema/mapping.h"
#include "query/plan/search.h"
#include "query/suggest/suggest_plan.h"

namespace quarry {

/// What is asked.
struct SuggestScope {
  const Mapping& mapping;
  std::span<const SegmentView* const> segments;
  StopCheck& stop;
  bool is_filtered = false;  // documents that are not live do not count
};

/// Each appends the answer as suggest_plan.h has it.
/// illegal_argument_exception for an analyzer that the index lacks, or a text of too many tokens.
Status analyze_text(const AnalyzeAsk& ask, const SuggestScope& scope, ByteWriter& out);
/// A term longer than kMaxCandidateTerm has none.
Status find_candidates(const CandidatesAsk& ask, const SuggestScope& scope, ByteWriter& out);
void count_terms(const CountsAsk& ask, const SuggestScope& scope, ByteWriter& out);

/// Characters; an automaton's state grows with them.
inline constexpr size_t kMaxCandidateTerm = 256;
/// Of one text: each walks the dictionary.
inline constexpr size_t kMaxSuggestTokens = 1024;

}  // namespace quarry
