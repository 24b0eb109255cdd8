#include "query/aggs/geo/point_source.h"

#include "mapping/values/geo_point.h"
#include "query/fetch/fielddata.h"
#include "query/geo/geo_request.h"
#include "query/geo/point_column.h"

namespace quarry {

Result<PointSource> PointSource::make(const AggNode& node, const AggSource& source) {
  PointSource out;
  const ResolvedField resolved = node.context.compiler.resolve(source.field);
  if (resolved.kind != ResolvedField::Kind::kUnmapped) {
    const bool points = resolved.field != nullptr && resolved.field->has_points();
    if (!points) {
      const std::string type(resolved.field == nullptr ? source.field
                                                       : field_type_name(resolved.field->type));
      return illegal_argument("Field [" + source.field + "] of type [" + type +
                              "] is not supported for aggregation [" + node.head.type + "]");
    }
    if (!resolved.field->doc_values) return unsupported_fielddata(*resolved.field);
    out.field_ = resolved.field->name;
  }
  if (source.has_missing()) {
    QUARRY_ASSIGN_OR_RETURN(
        const GeoPoint point,
        read_origin_point(source.missing.text, "[missing] of [" + node.head.name + "]"));
    out.missing_ = encode_point(point);
  }
  return out;
}

void PointSource::start_leaf(const Leaf& leaf) {
  column_ = field_.empty() ? nullptr : find_points(leaf, field_);
}

}  // namespace quarry
