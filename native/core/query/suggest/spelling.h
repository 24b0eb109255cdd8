// What suggesters and selections of terms need to know about words: the tokens and the terms of a
// text, the terms near a word, and the frequencies of terms. Counts are sums over all given
// segments, so they do not depend on the number of segments or shards.
#pragma once

#include <span>

#include "base/coding.h"
#include "base/status.h"
#include "base/stop_check.h"
#include "mapping/schema/mapping.h"
#include "query/plan/search.h"
#include "query/suggest/suggest_plan.h"

namespace quarry {

/// The segments that a request covers.
struct SuggestScope {
  const Mapping& mapping;
  std::span<const SegmentView* const> segments;
  StopCheck& stop;
  bool is_filtered = false;  // only live documents count
};

/// The functions append the result in the format of suggest_plan.h.
/// illegal_argument_exception for an analyzer that the index lacks, or a text with too many tokens.
Status analyze_text(const AnalyzeRequest& request, const SuggestScope& scope, ByteWriter& out);
/// A term longer than kMaxCandidateTerm has no candidates.
Status find_candidates(const CandidatesRequest& request, const SuggestScope& scope,
                       ByteWriter& out);
void count_terms(const CountsRequest& request, const SuggestScope& scope, ByteWriter& out);
/// The budget of an analysis is the only limit of the texts.
Status terms_of_texts(const TermsRequest& request, const SuggestScope& scope, ByteWriter& out);

/// In characters; the size of an automaton's state grows with them.
inline constexpr size_t kMaxCandidateTerm = 256;
/// Tokens of one text; each causes a walk over the dictionary.
inline constexpr size_t kMaxSuggestTokens = 1024;

}  // namespace quarry
