// with_time_zone: a query string whose dates are read in a time zone.
// Compiles the inner clause with the time zone set.
#include "mapping/dates/time_zone.h"
#include "query/plan/clause_table.h"

namespace quarry {

Result<WeightPtr> compile_with_time_zone(PlanReader& reader, Compiler& compiler, Scope scope) {
  const std::string_view zone = reader.get_string();
  if (reader.failed()) return malformed_clause("with_time_zone");
  // The zone must exist even if no date is read with it.
  QUARRY_RETURN_IF_ERROR(TimeZone::find(zone).status());
  QUARRY_ASSIGN_OR_RETURN(const PlanNode node, read_node(reader));
  const std::string_view before = compiler.set_time_zone(zone);
  Result<WeightPtr> weight = compiler.compile(node, scope);
  compiler.set_time_zone(before);
  return weight;
}

}  // namespace quarry
