// Holds the process-wide limit on the number of clauses of a query.
#include "query/plan/clause_limit.h"

#include <atomic>

#include "query/plan/plan.h"

namespace quarry {

static std::atomic<uint32_t> clause_limit{kMaxClauses};

uint32_t max_clauses() noexcept { return clause_limit.load(std::memory_order_relaxed); }
void set_max_clauses(uint32_t count) noexcept {
  clause_limit.store(count, std::memory_order_relaxed);
}

bool ignored_by_lenient(const Status& status) noexcept {
  return status.type() != ErrorType::kTooManyClauses;
}

}  // namespace quarry
