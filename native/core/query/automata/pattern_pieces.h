// Extracts from a pattern the strings that every match contains, for the look-up in a field's grams
// (postings/term_grams.h).
#pragma once

#include <string_view>
#include <vector>

#include "postings/term_grams.h"
#include "query/automata/regexp_syntax.h"

namespace quarry {

/// The strings between the operators of a wildcard pattern that is not case-folded.
std::vector<TermPiece> wildcard_pieces(std::string_view pattern);

/// The literal strings of a regexp, in order. Unions and groups that may repeat contribute none.
std::vector<TermPiece> regexp_pieces(const RegexpPool& pool, RegexpPool::Id root);

}  // namespace quarry
