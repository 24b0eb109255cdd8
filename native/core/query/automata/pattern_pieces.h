// What every match of a pattern holds, read off the pattern: the pieces that a field's grams (postings/term_grams.h)
// are asked for.
#pragma once

#include <string_view>
#include <vector>

#include "postings/term_grams.h"
#include "query/automata/regexp_syntax.h"

namespace quarry {

/// Of a wildcard pattern that is not case-folded: the texts between its operators.
std::vector<TermPiece> wildcard_pieces(std::string_view pattern);

/// Of a regexp: the texts that are spelled out, in order, beside whatever else it has. None of unions, or of anything in
/// groups that may repeat.
std::vector<TermPiece> regexp_pieces(const RegexpPool& pool, RegexpPool::Id root);

}  // namespace quarry
