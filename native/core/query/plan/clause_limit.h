// The maximum number of clauses of a query. It is one number for the whole process, because it
// follows from the memory that the process may use.
#pragma once

#include <cstdint>

#include "base/status.h"

namespace quarry {

uint32_t max_clauses() noexcept;
/// Applies to searches that begin after the call.
void set_max_clauses(uint32_t count) noexcept;
/// Whether a lenient clause without matches may stand for the error. More clauses than the limit
/// are refused also there.
bool ignored_by_lenient(const Status& status) noexcept;

}  // namespace quarry
