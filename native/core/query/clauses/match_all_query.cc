// match_all and match_none: all documents with the boost as their score, and none.
#include <memory>

#include "query/plan/clause_table.h"
#include "query/scorers/constant_weight.h"

namespace quarry {

Result<WeightPtr> compile_match_all(PlanReader& /*reader*/, Compiler& compiler, Scope scope) {
  QUARRY_RETURN_IF_ERROR(compiler.count_clauses());
  return WeightPtr(std::make_unique<AllDocsWeight>(scope.boost));
}

Result<WeightPtr> compile_match_none(PlanReader& /*reader*/, Compiler& /*compiler*/,
                                     Scope /*scope*/) {
  return make_no_docs("User requested \"match_none\" query.");
}

}  // namespace quarry
