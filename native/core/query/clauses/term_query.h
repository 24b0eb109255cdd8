// term: one value of one field. On text and keyword fields a scored postings list; on numbers,
// dates, booleans and addresses a constant-score match. match, fuzzy and multi_match are built from
// it.
#pragma once

#include <string>
#include <string_view>

#include "query/plan/compiler.h"

namespace quarry {

/// A value as a term query on `field` treats it, for any type of field; `text` is not analyzed.
Result<WeightPtr> make_field_term(Compiler& compiler, const ResolvedField& resolved,
                                  const Scalar& value, Scope scope);

/// The postings of `term` (in its indexed form, prefix included), scored by BM25 with the
/// statistics of `state`.
WeightPtr make_term_weight(Compiler& compiler, const Field& field, std::string term,
                           TermState state, Scope scope);
WeightPtr make_term_weight(Compiler& compiler, const Field& field, std::string term, Scope scope);

/// Matches all documents or none, for values of metadata fields that segments do not store.
WeightPtr make_index_name_match(bool matches, float boost);

}  // namespace quarry
