// Decodes the parts of aggregation nodes.
#include "query/aggs/frame/agg_plan.h"

#include <cmath>

namespace quarry {
namespace {

constexpr uint8_t kMaxUnit = 8;

void fail(PlanReader& reader) { reader.fail(); }

std::string read_text(PlanReader& reader) { return std::string(reader.get_string()); }

}  // namespace

uint32_t read_agg_count(PlanReader& reader, size_t min_item_bytes) {
  const auto count = reader.get<uint32_t>();
  if (count <= kMaxAggListItems && count <= reader.remaining() / min_item_bytes) return count;
  fail(reader);
  return 0;
}

bool read_agg_flag(PlanReader& reader) {
  const auto flag = reader.get<uint8_t>();
  if (flag > 1) fail(reader);
  return flag == 1;
}

AggHead read_agg_head(PlanReader& reader) {
  AggHead head;
  head.type = read_text(reader);
  head.name = read_text(reader);
  return head;
}

AggSource read_agg_source(PlanReader& reader) {
  AggSource source;
  source.field = read_text(reader);
  source.missing = read_scalar(reader);
  source.value_type = read_text(reader);
  source.format = read_text(reader);
  source.time_zone = read_text(reader);
  return source;
}

RoundingSpec read_rounding(PlanReader& reader) {
  RoundingSpec spec;
  spec.unit = reader.get<uint8_t>();
  spec.fixed_ms = reader.get<int64_t>();
  spec.time_zone = read_text(reader);
  spec.offset_ms = reader.get<int64_t>();
  if (spec.unit > kMaxUnit) fail(reader);
  return spec;
}

std::vector<AggOrder> read_agg_orders(PlanReader& reader) {
  std::vector<AggOrder> orders;
  for (uint32_t left = read_agg_count(reader, 15); left > 0; left--) {
    AggOrder order;
    const auto by = reader.get<uint8_t>();
    order.descending = read_agg_flag(reader);
    for (uint32_t steps = read_agg_count(reader, 4); steps > 0; steps--) {
      order.path.push_back(reader.get<uint32_t>());
    }
    const auto property = reader.get<uint8_t>();
    order.argument = reader.get<double>();
    if (by > 2 || property > static_cast<uint8_t>(OrderProperty::kTopMetric)) fail(reader);
    if (reader.failed()) return {};
    order.by = static_cast<OrderBy>(by);
    order.property = static_cast<OrderProperty>(property);
    orders.push_back(std::move(order));
  }
  return orders;
}

std::vector<Scalar> read_scalars(PlanReader& reader) {
  std::vector<Scalar> out;
  for (uint32_t left = read_agg_count(reader, 5); left > 0; left--) {
    out.push_back(read_scalar(reader));
  }
  return out;
}

}  // namespace quarry
