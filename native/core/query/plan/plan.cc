// Decodes the header and the frame nodes of a plan. Query nodes stay encoded until their own file
// reads them.
#include "query/plan/plan.h"

#include <cmath>

namespace quarry {
namespace {

constexpr uint32_t kMaxLegs = 64;
constexpr uint32_t kMaxListItems = 1U << 20;

Status malformed_plan(std::string_view what) {
  return {ErrorType::kParsing, "malformed search plan: " + std::string(what)};
}

/// Reads a list count; fails the reader if that many items cannot fit in the remaining bytes.
uint32_t read_count(PlanReader& reader, size_t min_item_bytes) {
  const auto count = reader.get<uint32_t>();
  if (count > kMaxListItems || count > reader.remaining() / min_item_bytes) {
    reader.fail();
    return 0;
  }
  return count;
}

std::string read_text(PlanReader& reader) { return std::string(reader.get_string()); }

std::vector<std::string> read_texts(PlanReader& reader) {
  std::vector<std::string> out;
  for (uint32_t left = read_count(reader, 4); left > 0; left--) out.push_back(read_text(reader));
  return out;
}

std::vector<FieldAndFormat> read_fields(PlanReader& reader) {
  std::vector<FieldAndFormat> out;
  for (uint32_t left = read_count(reader, 8); left > 0; left--) {
    FieldAndFormat field;
    field.pattern = read_text(reader);
    field.format = read_text(reader);
    out.push_back(std::move(field));
  }
  return out;
}

Status read_sort(const PlanNode& frame, Plan& plan) {
  PlanReader reader(frame);
  QUARRY_RETURN_IF_ERROR(read_sort_keys(reader, plan.sort));
  return reader.done() ? Status() : malformed_plan("sort");
}

Status read_search_after(const PlanNode& frame, Plan& plan) {
  PlanReader reader(frame);
  for (uint32_t left = read_count(reader, 5); left > 0; left--) {
    plan.search_after.push_back(read_scalar(reader));
  }
  return reader.failed() || !reader.done() ? malformed_plan("search_after") : Status();
}

Status read_fetch(const PlanNode& frame, Plan& plan) {
  PlanReader reader(frame);
  FetchSpec& fetch = plan.fetch;
  fetch.source = reader.get<uint8_t>();
  fetch.includes = read_texts(reader);
  fetch.excludes = read_texts(reader);
  fetch.flags = reader.get<uint8_t>();
  fetch.docvalue_fields = read_fields(reader);
  fetch.fields = read_fields(reader);
  return reader.failed() || !reader.done() || fetch.source > 2 ? malformed_plan("fetch") : Status();
}

Status read_script_fields(const PlanNode& frame, Plan& plan) {
  PlanReader reader(frame);
  for (uint32_t left = read_count(reader, 9); left > 0; left--) {
    ScriptFieldSpec field;
    field.name = read_text(reader);
    field.ignore_failure = reader.get<uint8_t>() != 0;
    field.script = as_bytes(reader.get_string());
    plan.script_fields.push_back(std::move(field));
  }
  return reader.failed() || !reader.done() ? malformed_plan("script_fields") : Status();
}

Status read_snapshots(const PlanNode& frame, Plan& plan) {
  PlanReader reader(frame);
  for (uint32_t left = read_count(reader, 16); left > 0; left--) {
    NamedSnapshot snapshot;
    snapshot.index = reader.get<uint32_t>();
    snapshot.shard = reader.get<uint32_t>();
    snapshot.generation = reader.get<uint64_t>();
    plan.snapshots.push_back(snapshot);
  }
  return reader.failed() || !reader.done() ? malformed_plan("snapshots") : Status();
}

Status read_nodes(const PlanNode& frame, std::string_view what, std::vector<PlanNode>& out) {
  PlanReader reader(frame);
  for (uint32_t left = read_count(reader, 8); left > 0; left--) {
    QUARRY_ASSIGN_OR_RETURN(PlanNode node, read_node(reader));
    out.push_back(node);
  }
  return reader.failed() || !reader.done() ? malformed_plan(what) : Status();
}

Status read_collapse(const PlanNode& frame, Plan& plan) {
  PlanReader reader(frame);
  plan.collapse_field = read_text(reader);
  plan.collapse_by_terms = reader.get<uint8_t>() != 0;
  const bool named = !plan.collapse_field.empty();
  return reader.failed() || !reader.done() || !named ? malformed_plan("collapse") : Status();
}

Result<PlanNode> read_only_node(const PlanNode& frame) {
  PlanReader reader(frame);
  QUARRY_ASSIGN_OR_RETURN(PlanNode node, read_node(reader));
  if (!reader.done()) return malformed_plan("bytes after a node");
  return node;
}

/// decode_plan() for a plan inside `depth` others, the innermost of which is `outer`.
Result<Plan> decode_plan_at(Bytes bytes, uint32_t depth, const Plan* outer, PlanTrace* trace);

Status read_inner_hits(const PlanNode& frame, uint32_t depth, Plan& plan) {
  if (depth == kMaxQueryDepth) return malformed_plan("inner hits are too deep");
  PlanReader reader(frame);
  for (uint32_t left = read_count(reader, 12); left > 0; left--) {
    std::string name = read_text(reader);
    std::string path = read_text(reader);
    const Bytes bytes = as_bytes(reader.get_string());
    if (reader.failed()) break;
    QUARRY_ASSIGN_OR_RETURN(Plan inner, decode_plan_at(bytes, depth + 1, &plan, nullptr));
    if (inner.legs.size() != 1) return malformed_plan("inner hits");
    plan.inner_hits.push_back({std::move(name), std::move(path), std::move(inner)});
  }
  return reader.failed() || !reader.done() ? malformed_plan("inner hits") : Status();
}

Status read_frame(const PlanNode& frame, uint32_t depth, uint32_t& seen, Plan& plan) {
  const auto number = static_cast<uint32_t>(frame.op);
  if (frame.op != PlanOp::kLeg) {
    if (number < 32 && ((seen >> number) & 1) != 0) return malformed_plan("repeated frame node");
    seen |= number < 32 ? 1U << number : 0;
  }
  switch (frame.op) {
    case PlanOp::kLeg: {
      QUARRY_ASSIGN_OR_RETURN(PlanNode node, read_only_node(frame));
      plan.legs.push_back(node);
      return {};
    }
    case PlanOp::kPostFilter: {
      QUARRY_ASSIGN_OR_RETURN(plan.post_filter, read_only_node(frame));
      plan.has_post_filter = true;
      return {};
    }
    case PlanOp::kSort:
      return read_sort(frame, plan);
    case PlanOp::kSearchAfter:
      return read_search_after(frame, plan);
    case PlanOp::kFetch:
      return read_fetch(frame, plan);
    case PlanOp::kHighlight:
      plan.highlight = frame;
      return {};
    case PlanOp::kSnapshots:
      return read_snapshots(frame, plan);
    case PlanOp::kAggs:
      return read_nodes(frame, "aggs", plan.aggs);
    case PlanOp::kRescore:
      return read_nodes(frame, "rescore", plan.rescores);
    case PlanOp::kUnmapped: {
      PlanReader reader(frame);
      plan.unmapped_fields = read_texts(reader);
      return reader.failed() || !reader.done() ? malformed_plan("unmapped") : Status();
    }
    case PlanOp::kScriptFields:
      return read_script_fields(frame, plan);
    case PlanOp::kInnerHits:
      return read_inner_hits(frame, depth, plan);
    case PlanOp::kCollapse:
      return read_collapse(frame, plan);
    default:
      return malformed_plan("unknown frame node " + std::to_string(number));
  }
}

}  // namespace

Result<PlanNode> read_node(PlanReader& reader) {
  const PlanNode node = reader.get_node();
  if (reader.failed()) return malformed_plan("node beyond its frame");
  return node;
}

namespace {

constexpr uint8_t kNestedSort = 128;  // in the mode of a sort key: levels follow
constexpr uint8_t kQuerySort = 64;    // a query node follows

Status read_nested_sort(PlanReader& reader, SortKey& key) {
  for (uint32_t left = read_count(reader, 9); left > 0; left--) {
    NestedSortLevel level;
    level.path = read_text(reader);
    level.max_children = reader.get<uint32_t>();
    level.has_filter = reader.get<uint8_t>() != 0;
    if (level.has_filter) {
      QUARRY_ASSIGN_OR_RETURN(level.filter, read_node(reader));
    }
    key.nested.push_back(std::move(level));
  }
  return {};
}

}  // namespace

Status read_sort_keys(PlanReader& reader, std::vector<SortKey>& keys) {
  for (uint32_t left = read_count(reader, 24); left > 0; left--) {
    SortKey key;
    key.field = read_text(reader);
    key.descending = reader.get<uint8_t>() != 0;
    const auto mode = reader.get<uint8_t>();
    key.missing = reader.get<uint8_t>();
    key.missing_value = read_scalar(reader);
    key.unmapped_type = read_text(reader);
    key.numeric_type = read_text(reader);
    key.format = read_text(reader);
    if (key.field == kScriptSort || key.field == kDistanceSort)
      key.details = as_bytes(reader.get_string());
    const auto plain = static_cast<uint8_t>(mode & ~(kNestedSort | kQuerySort));
    if (plain > static_cast<uint8_t>(SortMode::kMedian) || key.missing > 2) {
      return malformed_plan("sort key");
    }
    key.mode = static_cast<SortMode>(plain);
    if ((mode & kNestedSort) != 0) QUARRY_RETURN_IF_ERROR(read_nested_sort(reader, key));
    key.has_query = (mode & kQuerySort) != 0;
    if (key.has_query) {
      QUARRY_ASSIGN_OR_RETURN(key.query, read_node(reader));
    }
    keys.push_back(std::move(key));
  }
  return reader.failed() ? malformed_plan("sort") : Status();
}

Scalar read_scalar(PlanReader& reader) {
  Scalar scalar;
  const auto kind = reader.get<uint8_t>();
  const std::string_view text = reader.get_string();
  if (kind > static_cast<uint8_t>(Scalar::Kind::kString)) {
    reader.fail();
    return scalar;
  }
  scalar.kind = static_cast<Scalar::Kind>(kind);
  scalar.text = text;
  return scalar;
}

MatchOptions read_match_options(PlanReader& reader) {
  MatchOptions options;
  options.operator_and = reader.get<uint8_t>() != 0;
  options.minimum_should_match = std::string(reader.get_string());
  options.analyzer = std::string(reader.get_string());
  options.fuzziness = std::string(reader.get_string());
  options.prefix_length = reader.get<uint32_t>();
  options.max_expansions = reader.get<uint32_t>();
  options.transpositions = reader.get<uint8_t>() != 0;
  options.zero_terms_all = reader.get<uint8_t>() != 0;
  const auto bits = reader.get<uint8_t>();
  options.lenient = (bits & 1) != 0;
  options.synonym_phrases = (bits & 2) == 0;
  options.constant_words = (bits & 4) != 0;
  return options;
}

namespace {

Result<Plan> decode_plan_at(Bytes bytes, uint32_t depth, const Plan* outer, PlanTrace* trace) {
  PlanReader reader(bytes, trace);
  Plan plan;
  const auto magic = reader.get<uint32_t>();
  const auto version = reader.get<uint16_t>();
  const auto legs = reader.get<uint16_t>();
  plan.flags = reader.get<uint32_t>();
  plan.track_total_hits = reader.get<uint32_t>();
  plan.now_ms = reader.get<int64_t>();
  plan.timeout_us = reader.get<uint64_t>();
  plan.from = reader.get<uint32_t>();
  plan.size = reader.get<uint32_t>();
  plan.window = reader.get<uint32_t>();
  plan.terminate_after = reader.get<uint32_t>();
  plan.min_score = reader.get<float>();
  const auto frame_bytes = reader.get<uint32_t>();
  const auto reserved = reader.get<uint64_t>();
  if (reader.failed() || magic != kPlanMagic) return malformed_plan("no header");
  if (version != kPlanVersion) return malformed_plan("version " + std::to_string(version));
  if (reserved != 0 || frame_bytes != reader.remaining()) return malformed_plan("frame length");
  plan.has_min_score = !std::isnan(plan.min_score);
  if (!plan.has_min_score) plan.min_score = 0;
  if (outer != nullptr) plan.now_ms = outer->now_ms;
  uint32_t seen = 0;
  while (!reader.done()) {
    QUARRY_ASSIGN_OR_RETURN(const PlanNode frame, read_node(reader));
    QUARRY_RETURN_IF_ERROR(read_frame(frame, depth, seen, plan));
    if (plan.legs.size() > kMaxLegs) return malformed_plan("too many legs");
  }
  if (plan.legs.size() != legs) return malformed_plan("number of legs");
  return plan;
}

}  // namespace

Result<Plan> decode_plan(Bytes bytes, PlanTrace* trace) {
  return decode_plan_at(bytes, 0, nullptr, trace);
}

}  // namespace quarry
