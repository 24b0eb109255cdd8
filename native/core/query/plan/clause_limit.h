// How many clauses a query may come to: one number for the process, as it follows the memory that the
// process may use.
#pragma once

#include <cstdint>

namespace quarry {

uint32_t max_clauses() noexcept;
/// For searches that begin from now on.
void set_max_clauses(uint32_t count) noexcept;

}  // namespace quarry
