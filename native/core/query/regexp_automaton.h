// A regexp as a TermAutomaton: states are derivatives of the expression (Brzozowski 1964), made
// when a term needs them.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "base/status.h"
#include "query/automaton.h"

namespace quarry {

/// `max_states`: how many states a walk may make before status() refuses (max_determinized_states).
Result<std::unique_ptr<TermAutomaton>> make_regexp_automaton(std::string_view pattern,
                                                             uint32_t flags, bool fold,
                                                             uint32_t max_states);

}  // namespace quarry
