// each_field: repeats one clause of a query string over all fields that match some patterns.
// Rewrites the repeated clause for each field, with its value normalized by the field's analyzer,
// and compiles the result.
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "query/clauses/dis_max_query.h"
#include "query/clauses/pattern_query.h"
#include "query/clauses/scored_terms.h"
#include "query/highlight/analyzed_text.h"
#include "query/plan/clause_table.h"
#include "query/scorers/constant_weight.h"

namespace quarry {
namespace {

struct EachField {
  std::vector<std::pair<std::string_view, float>> patterns;
  float tie_breaker = 0;
  bool lenient = false;
  /// The analyzer that the request names; null: each field's own.
  const Analyzer* analyzer = nullptr;
  /// Whether keyword fields use the request's analyzer as well.
  bool analyzes_keywords = false;
  std::optional<ScoredTermsOptions> scored;  // of a scored_terms around the repeated clause
  PlanOp op = PlanOp::kMatchNone;
  float boost = 1;  // of the repeated clause
  Bytes rest;       // payload of the repeated clause after its field
};

bool can_be_repeated(PlanOp op) {
  return op == PlanOp::kPrefix || op == PlanOp::kWildcard || op == PlanOp::kRegexp ||
         op == PlanOp::kFuzzy || op == PlanOp::kRange;
}

Result<EachField> read_each_field(PlanReader& reader, const Compiler& compiler) {
  EachField query;
  const auto count = reader.get<uint32_t>();
  if (count > reader.remaining() / 8) return malformed_clause("each_field");
  for (uint32_t i = 0; i < count; i++) {
    const std::string_view pattern = reader.get_string();
    const auto boost = reader.get<float>();
    if (!std::isfinite(boost) || boost < 0) return malformed_clause("each_field");
    query.patterns.emplace_back(pattern, boost);
  }
  query.tie_breaker = reader.get<float>();
  const auto bits = reader.get<uint8_t>();
  query.lenient = (bits & 1) != 0;
  query.analyzes_keywords = (bits & 2) != 0;
  const std::string_view analyzer = reader.get_string();
  if (!analyzer.empty()) {
    query.analyzer = compiler.mapping().context().analysis->analyzer(analyzer);
    if (query.analyzer == nullptr) return unknown_analyzer("query_string", "analyzer", analyzer);
  }
  QUARRY_ASSIGN_OR_RETURN(PlanNode node, read_node(reader));
  if (node.op == PlanOp::kScoredTerms) {
    PlanReader around(node);
    if (around.get<float>() != 1.0F || !around.get_string().empty())
      return malformed_clause("each_field");
    query.scored = read_scored_terms(around);
    QUARRY_ASSIGN_OR_RETURN(node, read_node(around));
    if (around.failed() || !around.done() || node.op == PlanOp::kRange)
      return malformed_clause("each_field");
  }
  ByteReader child(node.payload);
  query.op = node.op;
  query.boost = child.get<float>();
  const bool bare = child.get_string().empty() && child.get_string().empty();
  query.rest = child.get_bytes(child.remaining());
  if (child.failed() || !bare || !can_be_repeated(node.op)) return malformed_clause("each_field");
  if (!(query.tie_breaker >= 0 && query.tie_breaker <= 1)) {
    return Status(ErrorType::kIllegalArgument, "tieBreakerMultiplier must be in [0, 1]");
  }
  return query;
}

size_t last_byte_of_character(std::string_view text, size_t at) {
  while (at + 1 < text.size() && (static_cast<uint8_t>(text[at + 1]) & 0xc0) == 0x80) at++;
  return at;
}

/// Normalizes the literal parts of a wildcard pattern; operators and escapes are kept.
Result<std::string> normalize_wildcard(const Analyzer& analyzer, std::string_view pattern,
                                       AnalysisBudget& budget) {
  std::string out;
  size_t start = 0;
  const auto flush = [&](size_t end) -> Status {
    if (end <= start) return {};
    QUARRY_ASSIGN_OR_RETURN(const std::string normal,
                            analyzer.normalize(pattern.substr(start, end - start), budget));
    out += normal;
    return {};
  };
  for (size_t i = 0; i < pattern.size(); i++) {
    const bool escape = pattern[i] == '\\' && i + 1 < pattern.size();
    if (!escape && pattern[i] != '*' && pattern[i] != '?') continue;
    QUARRY_RETURN_IF_ERROR(flush(i));
    const size_t from = i;
    if (escape) i = last_byte_of_character(pattern, i + 1);
    out += pattern.substr(from, i + 1 - from);
    start = i + 1;
  }
  QUARRY_RETURN_IF_ERROR(flush(pattern.size()));
  return out;
}

/// The analyzer that normalizes the value for `field`, or null. Keyword normalizers are not among
/// them: the clauses apply those themselves.
const Analyzer* normalizing_analyzer(const EachField& query, const Field* field) {
  if (field == nullptr) return nullptr;
  const bool takes_it = field->is_text() || (query.analyzes_keywords && field->is_keyword());
  if (query.analyzer != nullptr && takes_it) return query.analyzer;
  // Without an analyzer in the request a regexp is not normalized.
  return field->is_text() && query.op != PlanOp::kRegexp ? field->search_analyzer : nullptr;
}

/// Normalizes the bounds of a range; an unbounded end has no scalar.
Status normalize_range(const Analyzer& analyzer, ByteReader& rest, AnalysisBudget& budget,
                       ByteWriter& writer) {
  const auto which = rest.get<uint8_t>();
  writer.put(which);
  for (unsigned bit = 1; bit <= 8; bit <<= 1) {
    if ((which & bit) == 0) continue;
    writer.put(rest.get<uint8_t>());
    QUARRY_ASSIGN_OR_RETURN(const std::string normal,
                            analyzer.normalize(rest.get_string(), budget));
    writer.put_string(normal);
  }
  return {};
}

Result<std::vector<uint8_t>> payload_for(const EachField& query, std::string_view name,
                                         const Field* field, AnalysisBudget& budget) {
  ByteWriter writer;
  writer.put(query.boost);
  writer.put_string("");
  writer.put_string(name);
  const Analyzer* analyzer = normalizing_analyzer(query, field);
  ByteReader rest(query.rest);
  if (analyzer != nullptr) {
    if (query.op == PlanOp::kRange) {
      QUARRY_RETURN_IF_ERROR(normalize_range(*analyzer, rest, budget, writer));
    } else if (query.op == PlanOp::kWildcard) {
      QUARRY_ASSIGN_OR_RETURN(const std::string pattern,
                              normalize_wildcard(*analyzer, rest.get_string(), budget));
      writer.put_string(pattern);
    } else {
      if (query.op == PlanOp::kFuzzy) writer.put(rest.get<uint8_t>());
      QUARRY_ASSIGN_OR_RETURN(const std::string normal,
                              analyzer->normalize(rest.get_string(), budget));
      writer.put_string(normal);
    }
  }
  writer.put_bytes(rest.get_bytes(rest.remaining()));
  return writer.take();
}

/// Whether the error only says that the clause does not fit the type of the field, as opposed to an
/// internal error or a limit.
bool is_misfit(const Status& status) {
  switch (status.type()) {
    case ErrorType::kQueryShard:
    case ErrorType::kIllegalArgument:
    case ErrorType::kNumberFormat:
    case ErrorType::kParse:
      return true;
    default:
      return false;
  }
}

Status add_field_weight(Compiler& compiler, const EachField& query, std::string_view name,
                        const Field* field, Scope scope, std::vector<WeightPtr>& out) {
  QUARRY_ASSIGN_OR_RETURN(const std::vector<uint8_t> payload,
                          payload_for(query, name, field, compiler.analysis()));
  const PlanNode node{query.op, 0, payload};
  Result<WeightPtr> weight = query.scored
                                 ? make_scored_pattern(compiler, node, *query.scored, scope)
                                 : compiler.compile(node, scope);
  if (weight.ok()) {
    out.push_back(std::move(weight).value());
    return {};
  }
  return query.lenient && is_misfit(weight.status()) ? Status() : weight.status();
}

/// A pattern matches only searchable fields with text terms; for ranges, fields of every type.
bool is_named_by_pattern(const Field& field, PlanOp op) {
  return field.indexed && !field.is_opaque() && (op == PlanOp::kRange || has_text_terms(field));
}

}  // namespace

Result<WeightPtr> compile_each_field(PlanReader& reader, Compiler& compiler, Scope scope) {
  QUARRY_ASSIGN_OR_RETURN(const EachField query, read_each_field(reader, compiler));
  std::vector<WeightPtr> weights;
  for (const auto& [pattern, boost] : query.patterns) {
    const Scope boosted = scope.boosted(boost);
    if (pattern.find('*') == std::string_view::npos) {
      const ResolvedField resolved = compiler.resolve(pattern);
      QUARRY_RETURN_IF_ERROR(
          add_field_weight(compiler, query, pattern, resolved.field, boosted, weights));
      continue;
    }
    for (const Field* field : compiler.mapping().match(pattern)) {
      if (!is_named_by_pattern(*field, query.op)) continue;
      QUARRY_RETURN_IF_ERROR(
          add_field_weight(compiler, query, field->name, field, boosted, weights));
    }
  }
  if (weights.empty()) return make_no_docs("unmapped fields");
  return make_dis_max(std::move(weights), query.tie_breaker, scope.scores);
}

}  // namespace quarry
