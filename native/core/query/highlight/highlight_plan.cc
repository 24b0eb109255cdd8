// Decodes the highlight node of a plan.
#include "query/highlight/highlight_plan.h"

#include "query/automata/automaton.h"

namespace quarry {
namespace {

constexpr size_t kLeastFieldBytes = 46;

Status malformed() { return {ErrorType::kParsing, "malformed search plan: highlight"}; }

/// The number of items; fails the reader if that many cannot fit in the remaining bytes.
uint32_t read_count(PlanReader& reader, size_t least_bytes) {
  const auto count = reader.get<uint32_t>();
  if (count <= reader.remaining() / least_bytes) return count;
  reader.fail();
  return 0;
}

Status read_field(PlanReader& reader, HighlightSpec& field) {
  field.pattern = reader.get_string();
  field.flags = reader.get<uint8_t>();
  field.fragment_size = reader.get<uint32_t>();
  field.fragments = reader.get<uint32_t>();
  field.no_match_size = reader.get<uint32_t>();
  const auto scanner = reader.get<uint8_t>();
  field.boundary_chars = decode_utf8(reader.get_string());
  field.boundary_max_scan = reader.get<uint32_t>();
  field.max_analyzed_offset = reader.get<uint32_t>();
  field.phrase_limit = reader.get<uint32_t>();
  field.pre_tag = reader.get_string();
  field.post_tag = reader.get_string();
  for (uint32_t left = read_count(reader, 4); left > 0; left--)
    field.matched_fields.emplace_back(reader.get_string());
  const auto queries = reader.get<uint8_t>();
  if (reader.failed() || queries > 1) return malformed();
  if (scanner > static_cast<uint8_t>(FragmentScanner::kChars)) return malformed();
  field.scanner = static_cast<FragmentScanner>(scanner);
  if (queries == 1) {
    QUARRY_ASSIGN_OR_RETURN(field.query, read_node(reader));
  }
  return {};
}

}  // namespace

Result<HighlightPlan> read_highlight_plan(const PlanNode& node) {
  PlanReader reader(node);
  HighlightPlan plan;
  plan.index_limit = reader.get<uint32_t>();
  for (uint32_t left = read_count(reader, 8); left > 0; left--) {
    std::string field(reader.get_string());
    plan.meanings.emplace_back(std::move(field), reader.get_string());
  }
  for (uint32_t left = read_count(reader, kLeastFieldBytes); left > 0; left--) {
    QUARRY_RETURN_IF_ERROR(read_field(reader, plan.fields.emplace_back()));
  }
  if (reader.failed() || !reader.done()) return malformed();
  return plan;
}

}  // namespace quarry
