// A regexp as a TermAutomaton: states are derivatives of the expression (Brzozowski 1964), created
// on demand.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "postings/term_grams.h"
#include "query/automata/automaton.h"

namespace quarry {

/// `max_states`: number of states after which status() is an error (max_determinized_states).
/// `pieces` (may be null) receives the strings that every match contains.
Result<std::unique_ptr<TermAutomaton>> make_regexp_automaton(
    std::string_view pattern, uint32_t flags, bool fold, uint32_t max_states,
    std::vector<TermPiece>* pieces = nullptr);

}  // namespace quarry
