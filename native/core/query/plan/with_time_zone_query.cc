// Compiles the inner clause with the time zone set.
#include "query/plan/with_time_zone_query.h"

#include "mapping/dates/time_zone.h"

namespace quarry {

Result<WeightPtr> compile_with_time_zone(ByteReader& reader, Compiler& compiler, Scope scope) {
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
