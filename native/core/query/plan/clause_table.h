// The query clauses of opcodes.def: the function that compiles each is declared here and defined in
// the clause's own file.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/status.h"
#include "query/plan/compiler.h"
#include "query/plan/plan_node.h"
#include "query/plan/query.h"

namespace quarry {

#define PLAN_CLAUSE(id, number, name, compile, caching, layout) \
  Result<WeightPtr> compile(PlanReader& reader, Compiler& compiler, Scope scope);
#include "query/plan/opcodes.def"

/// How the result of a clause without scores is cached.
enum class FilterCaching : uint8_t {
  kCheap,  // evaluation is as cheap as a cached set, which is not worth the memory
  kCached,
  /// It walks a whole dictionary term by term and scores all documents alike, so that it is cached
  /// even if it is scored.
  kCostlyConstant,
};

struct ClauseEntry {
  std::string_view name;
  Result<WeightPtr> (*compile)(PlanReader& reader, Compiler& compiler, Scope scope) = nullptr;
  FilterCaching caching = FilterCaching::kCached;
};

/// Null for a node that is no query clause.
const ClauseEntry* find_clause(PlanOp op);

}  // namespace quarry
