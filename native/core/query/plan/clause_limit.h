// The maximum number of clauses of a query. It is one number for the whole process, because it
// follows from the memory that the process may use.
#pragma once

#include <cstdint>

namespace quarry {

uint32_t max_clauses() noexcept;
/// Applies to searches that begin after the call.
void set_max_clauses(uint32_t count) noexcept;

}  // namespace quarry
