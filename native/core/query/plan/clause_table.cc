// The table of clauses by their numbers.
#include "query/plan/clause_table.h"

#include <array>

namespace quarry {
namespace {

constexpr size_t kNumbers = 64;  // of clauses are below those of aggregations

constexpr std::array<ClauseEntry, kNumbers> make_table() {
  std::array<ClauseEntry, kNumbers> table;
#define PLAN_CLAUSE(id, number, name, compile, caching, layout) \
  table[number] = {name, &compile, FilterCaching::caching};
#include "query/plan/opcodes.def"
  return table;
}

constexpr std::array<ClauseEntry, kNumbers> kTable = make_table();

}  // namespace

const ClauseEntry* find_clause(PlanOp op) {
  const auto number = static_cast<size_t>(op);
  return number < kNumbers && kTable[number].compile != nullptr ? &kTable[number] : nullptr;
}

}  // namespace quarry
