// prefix, wildcard, regexp and case-insensitive term: the documents of all terms that match a
// pattern. The score is the boost.
#pragma once

#include <string_view>

#include "query/plan/compiler.h"

namespace quarry {

Result<WeightPtr> make_case_insensitive_term(Compiler& compiler, const ResolvedField& resolved,
                                             std::string_view value, Scope scope);
/// Matches the terms of a text or keyword field that start with `value`.
Result<WeightPtr> make_prefix(Compiler& compiler, const ResolvedField& resolved,
                              std::string_view value, float boost);

/// True for fields whose values are compared with patterns (text, keyword, flattened).
inline bool has_text_terms(const Field& field) { return field.traits().text_patterns; }

}  // namespace quarry
