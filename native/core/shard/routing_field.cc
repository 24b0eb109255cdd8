#include "shard/routing_field.h"

namespace quarry {

std::string routing_of(const Segment& segment, uint32_t doc) {
  const SegmentField* field = segment.field("_routing");
  if (field == nullptr || field->column == nullptr || field->inverted == nullptr) return {};
  if (!field->column->has(doc)) return {};
  const auto ordinal = static_cast<uint64_t>(field->column->value(doc));
  if (ordinal >= field->inverted->terms().size()) return {};
  return std::string(field->inverted->terms().term(static_cast<uint32_t>(ordinal)));
}

}  // namespace quarry
