// fuzzy: terms within a few edits of a value, scored as if all of them were as frequent as the most
// frequent one.
#pragma once

#include <cstdint>
#include <string_view>

#include "query/clauses/scored_terms.h"
#include "query/plan/compiler.h"

namespace quarry {

struct FuzzyOptions {
  std::string_view fuzziness = "AUTO";
  uint32_t prefix_length = 0;
  uint32_t max_expansions = 50;
  bool transpositions = true;
  TermScoring scoring = TermScoring::kBlended;
};

/// `text` is in its indexed form. The term is expanded over all shards, so that scores are the same
/// in every shard.
Result<WeightPtr> make_fuzzy(Compiler& compiler, const ResolvedField& resolved,
                             std::string_view text, const FuzzyOptions& options, Scope scope);

/// Compiles a fuzzy clause whose terms are scored in this way.
Result<WeightPtr> compile_fuzzy_terms(PlanReader& reader, Compiler& compiler, TermScoring scoring,
                                      Scope scope);

/// The edits allowed for a term of `characters` characters: "0", "1", "2", "AUTO" or
/// "AUTO:low,high".
Result<uint32_t> fuzzy_edits(std::string_view fuzziness, uint64_t characters);

}  // namespace quarry
