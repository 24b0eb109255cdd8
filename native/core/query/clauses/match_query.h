// match and match_bool_prefix: analyzed text as a disjunction or conjunction of its terms.
#pragma once

#include <string_view>

#include "query/plan/compiler.h"

namespace quarry {

/// `last_is_prefix`: match_bool_prefix.
Result<WeightPtr> make_match(Compiler& compiler, const ResolvedField& resolved, const Scalar& text,
                             const MatchOptions& options, bool last_is_prefix,
                             std::string_view clause, Scope scope);

/// Combines one clause per position according to operator and minimum_should_match.
Result<WeightPtr> combine_positions(std::vector<WeightPtr> clauses, const MatchOptions& options,
                                    Scope scope);

}  // namespace quarry
