// multi_match: one text against several fields; the score is the best field, the sum of the fields,
// or that of the fields blended into one.
// Resolves the fields of a multi_match and rewrites it as match and phrase clauses under dis_max.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "query/clauses/combined_fields.h"
#include "query/clauses/cross_fields.h"
#include "query/clauses/dis_max_query.h"
#include "query/clauses/match_query.h"
#include "query/clauses/no_terms.h"
#include "query/clauses/phrase_query.h"
#include "query/plan/clause_table.h"
#include "query/scorers/constant_weight.h"

namespace quarry {
namespace {

struct MultiMatch {
  std::vector<std::pair<std::string, float>> patterns;
  Scalar text;
  MultiMatchType type = MultiMatchType::kBestFields;
  float tie_breaker = 0;
  uint32_t slop = 0;
  MatchOptions options;
  /// Applies if only one field, or one group of fields, has terms of the text.
  std::string minimum_of_one_field;
};

float default_tie_breaker(MultiMatchType type) {
  return type == MultiMatchType::kMostFields || type == MultiMatchType::kBoolPrefix ? 1.0F : 0.0F;
}

Result<MultiMatch> read_multi_match(PlanReader& reader) {
  MultiMatch query;
  const auto count = reader.get<uint32_t>();
  if (count > reader.remaining() / 8) return malformed_clause("multi_match");
  for (uint32_t i = 0; i < count; i++) {
    std::string pattern(reader.get_string());
    const auto boost = reader.get<float>();
    if (!std::isfinite(boost)) return malformed_clause("multi_match");
    if (boost < 0) {
      return Status(ErrorType::kIllegalArgument,
                    "negative [boost] are not allowed in [multi_match]");
    }
    query.patterns.emplace_back(std::move(pattern), boost);
  }
  query.text = read_scalar(reader);
  const auto type = reader.get<uint8_t>();
  query.tie_breaker = reader.get<float>();
  query.slop = reader.get<uint32_t>();
  query.options = read_match_options(reader);
  query.minimum_of_one_field = std::string(reader.get_string());
  if (reader.failed() || type > static_cast<uint8_t>(MultiMatchType::kCombinedFields)) {
    return malformed_clause("multi_match");
  }
  query.type = static_cast<MultiMatchType>(type);
  if (std::isnan(query.tie_breaker)) query.tie_breaker = default_tie_breaker(query.type);
  if (!(query.tie_breaker >= 0 && query.tie_breaker <= 1)) {
    return Status(ErrorType::kIllegalArgument, "tieBreakerMultiplier must be in [0, 1]");
  }
  return query;
}

/// A field that matches several patterns gets the product of their boosts.
void add_boosted_field(std::vector<FieldAndBoost>& fields, ResolvedField resolved, float boost) {
  for (FieldAndBoost& entry : fields) {
    if (entry.resolved.kind != resolved.kind || entry.resolved.field != resolved.field ||
        entry.resolved.prefix != resolved.prefix)
      continue;
    entry.boost *= boost;
    return;
  }
  fields.push_back({std::move(resolved), boost});
}

/// The field with this field's name and the suffix, or this field if there is none.
ResolvedField with_suffix(Compiler& compiler, ResolvedField field, std::string_view suffix) {
  if (suffix.empty() || field.field == nullptr || !field.prefix.empty()) return field;
  ResolvedField longer = compiler.resolve(field.field->name + std::string(suffix));
  return longer.kind == ResolvedField::Kind::kField ? longer : field;
}

std::vector<FieldAndBoost> resolve_fields(Compiler& compiler, const MultiMatch& query) {
  std::vector<FieldAndBoost> fields;
  std::vector<std::pair<std::string, float>> patterns = query.patterns;
  if (patterns.empty()) patterns.emplace_back("*", 1.0F);
  for (const auto& [whole, boost] : patterns) {
    const std::string pattern = whole.substr(0, whole.find('\0'));
    const std::string suffix = whole.substr(std::min(whole.size(), pattern.size() + 1));
    if (pattern.find('*') == std::string::npos) {
      ResolvedField resolved = compiler.resolve(pattern);
      // A metadata name has one value and shares no words with other fields.
      const bool named = resolved.kind != ResolvedField::Kind::kUnmapped &&
                         query.type != MultiMatchType::kCrossFields;
      if (named || resolved.kind == ResolvedField::Kind::kField)
        add_boosted_field(fields, with_suffix(compiler, std::move(resolved), suffix), boost);
      continue;
    }
    for (const Field* field : compiler.mapping().match(pattern)) {
      const bool textual = field->is_text() || field->is_keyword();
      const bool only_textual =
          query.patterns.empty() || query.type == MultiMatchType::kCombinedFields;
      if (field->is_opaque() || (only_textual && !textual)) continue;
      // "*" covers every field that can be searched.
      if (pattern == "*" && !field->indexed) continue;
      add_boosted_field(
          fields, with_suffix(compiler, {ResolvedField::Kind::kField, field, {}}, suffix), boost);
    }
  }
  return fields;
}

Result<WeightPtr> make_one_field(Compiler& compiler, const MultiMatch& query,
                                 const FieldAndBoost& entry, Scope scope) {
  const bool phrase =
      query.type == MultiMatchType::kPhrase || query.type == MultiMatchType::kPhrasePrefix;
  const Scope boosted = scope.boosted(entry.boost);
  if (!phrase) {
    return make_match(compiler, entry.resolved, query.text, query.options,
                      query.type == MultiMatchType::kBoolPrefix, "multi_match", boosted);
  }
  PhraseOptions options;
  options.slop = query.slop;
  options.analyzer = query.options.analyzer;
  options.zero_terms_all = query.options.zero_terms_all;
  options.lenient = query.options.lenient;
  options.prefix = query.type == MultiMatchType::kPhrasePrefix;
  options.max_expansions = query.options.max_expansions;
  options.clause = "multi_match";
  return make_phrase(compiler, entry.resolved, query.text, options, boosted);
}

/// A clause for each field, or for each group of fields, that has terms of the text.
Result<std::vector<WeightPtr>> make_fields(Compiler& compiler, const MultiMatch& query,
                                           const std::vector<FieldAndBoost>& fields, Scope scope) {
  std::vector<WeightPtr> weights;
  if (query.type == MultiMatchType::kCrossFields) {
    QUARRY_ASSIGN_OR_RETURN(weights, make_cross_fields(compiler, fields, query.text, query.options,
                                                       query.tie_breaker, scope));
  } else {
    for (const FieldAndBoost& entry : fields) {
      QUARRY_ASSIGN_OR_RETURN(WeightPtr weight, make_one_field(compiler, query, entry, scope));
      weights.push_back(std::move(weight));
    }
  }
  std::erase_if(weights, [](const WeightPtr& weight) { return is_no_terms(*weight); });
  return weights;
}

}  // namespace

Result<WeightPtr> compile_multi_match(PlanReader& reader, Compiler& compiler, Scope scope) {
  QUARRY_ASSIGN_OR_RETURN(MultiMatch query, read_multi_match(reader));
  const std::vector<FieldAndBoost> fields = resolve_fields(compiler, query);
  if (fields.empty()) return make_no_docs("unmapped fields");
  if (query.type == MultiMatchType::kCombinedFields)
    return make_combined_fields(compiler, fields, query.text, query.options, scope);
  QUARRY_ASSIGN_OR_RETURN(std::vector<WeightPtr> weights,
                          make_fields(compiler, query, fields, scope));
  if (weights.empty()) return make_no_terms();
  if (weights.size() == 1 && !query.minimum_of_one_field.empty()) {
    query.options.minimum_should_match = query.minimum_of_one_field;
    QUARRY_ASSIGN_OR_RETURN(weights, make_fields(compiler, query, fields, scope));
  }
  return make_dis_max(std::move(weights), query.tie_breaker, scope.scores);
}

}  // namespace quarry
