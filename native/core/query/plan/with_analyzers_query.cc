// with_analyzers: a query string whose analyzers must exist, even if no word of it uses them.
// Checks that the analyzers exist, then compiles the inner clause.
#include "query/highlight/analyzed_text.h"
#include "query/plan/clause_table.h"

namespace quarry {

Result<WeightPtr> compile_with_analyzers(PlanReader& reader, Compiler& compiler, Scope scope) {
  const std::string_view clause = reader.get_string();
  const auto count = reader.get<uint32_t>();
  if (count > reader.remaining() / 8) return malformed_clause("with_analyzers");
  for (uint32_t i = 0; i < count; i++) {
    const std::string_view parameter = reader.get_string();
    const std::string_view name = reader.get_string();
    if (reader.failed()) return malformed_clause("with_analyzers");
    if (compiler.mapping().context().analysis->analyzer(name) == nullptr)
      return unknown_analyzer(clause, parameter, name);
  }
  QUARRY_ASSIGN_OR_RETURN(const PlanNode node, read_node(reader));
  return compiler.compile(node, scope);
}

}  // namespace quarry
