// Builds term, synonym, fuzzy and prefix weights for the positions of a text.
#include "query/clauses/match_query.h"

#include <utility>
#include <vector>

#include "query/clauses/bool_query.h"
#include "query/clauses/constant_score_query.h"
#include "query/clauses/fuzzy_query.h"
#include "query/clauses/no_terms.h"
#include "query/clauses/pattern_query.h"
#include "query/clauses/synonym_query.h"
#include "query/clauses/term_query.h"
#include "query/highlight/analyzed_text.h"
#include "query/phrase/phrase_weight.h"
#include "query/plan/clause_limit.h"
#include "query/plan/clause_table.h"
#include "query/scorers/constant_weight.h"
#include "query/scorers/minimum_should_match.h"

namespace quarry {
namespace {

/// What the weights of all positions of the text depend on.
struct MatchParts {
  Compiler& compiler;
  const ResolvedField& resolved;
  const MatchOptions& options;
  Scope scope;
};

Result<WeightPtr> make_single(const MatchParts& parts, const Scalar& value, bool prefix) {
  if (prefix) return make_prefix(parts.compiler, parts.resolved, value.text, parts.scope.boost);
  if (parts.options.fuzziness.empty())
    return make_field_term(parts.compiler, parts.resolved, value, parts.scope);
  FuzzyOptions fuzzy;
  fuzzy.fuzziness = parts.options.fuzziness;
  fuzzy.prefix_length = parts.options.prefix_length;
  fuzzy.max_expansions = parts.options.max_expansions;
  fuzzy.transpositions = parts.options.transpositions;
  QUARRY_ASSIGN_OR_RETURN(const std::string text,
                          index_form(*parts.resolved.field, value.text, parts.compiler.analysis()));
  QUARRY_ASSIGN_OR_RETURN(WeightPtr weight,
                          make_fuzzy(parts.compiler, parts.resolved, text, fuzzy, parts.scope));
  if (!parts.options.constant_words) return weight;
  return make_constant_score(std::move(weight), parts.scope.boost);
}

Result<WeightPtr> make_position(const MatchParts& parts, const std::vector<std::string>& terms,
                                bool prefix) {
  const Field& field = *parts.resolved.field;
  Result<WeightPtr> weight = WeightPtr();
  if (terms.size() == 1) {
    weight = make_single(parts, {Scalar::Kind::kString, terms[0]}, prefix);
  } else {
    QUARRY_RETURN_IF_ERROR(Compiler::check_searchable(field));
    weight = make_synonym(parts.compiler, field, terms, parts.scope);
  }
  if (parts.options.lenient && !weight.ok() && ignored_by_lenient(weight.status()))
    return make_no_docs("failed to create query, ignored by lenient");
  return weight;
}

Result<WeightPtr> make_whole(const MatchParts& parts, const Scalar& text, bool prefix) {
  const Field& field = *parts.resolved.field;
  const bool can_prefix = field.is_text() || field.is_keyword();
  Result<WeightPtr> weight = make_single(parts, text, prefix && can_prefix);
  if (parts.options.lenient && !weight.ok() && ignored_by_lenient(weight.status()))
    return make_no_docs("failed to create query, ignored by lenient");
  return weight;
}

/// One reading of a part of the text: a word, a phrase, or words that must all match.
Result<WeightPtr> make_path(const MatchParts& parts, const std::vector<std::string>& words,
                            bool prefix) {
  if (words.size() == 1) return make_position(parts, words, prefix);
  QUARRY_RETURN_IF_ERROR(parts.compiler.count_clauses(words.size()));
  const Field& field = *parts.resolved.field;
  if (parts.options.synonym_phrases && field.is_text() && field.positions) {
    std::vector<PhrasePart> phrase;
    for (const std::string& word : words)
      phrase.push_back({static_cast<uint32_t>(phrase.size()), {word}});
    return make_phrase_weight(parts.compiler, field, std::move(phrase), 0, parts.scope);
  }
  BoolClauses all;
  for (const std::string& word : words) {
    QUARRY_ASSIGN_OR_RETURN(WeightPtr weight, make_position(parts, {word}, false));
    all.must.push_back(std::move(weight));
  }
  return make_bool(std::move(all), parts.scope.scores);
}

/// A name that is not a mapped field: the whole text is one value.
Result<WeightPtr> make_metadata(Compiler& compiler, const ResolvedField& resolved,
                                const Scalar& text, const MatchOptions& options, Scope scope) {
  if (resolved.kind == ResolvedField::Kind::kUnmapped || options.fuzziness.empty())
    return make_field_term(compiler, resolved, text, scope);
  if (options.lenient) return make_no_docs("failed to create query, ignored by lenient");
  const std::string name = resolved.kind == ResolvedField::Kind::kId ? "_id" : "_index";
  return Status(ErrorType::kIllegalArgument,
                "Can only use fuzzy queries on keyword and text fields - not on [" + name +
                    "] which is of type [" + name + "]");
}

/// One clause per part of the text: its words as synonyms, or any of its readings.
Result<std::vector<WeightPtr>> make_graph(const MatchParts& parts, const AnalyzedText& text,
                                          bool prefix) {
  std::vector<WeightPtr> clauses;
  for (const TextPart& part : text.parts) {
    const bool last = &part == &text.parts.back();
    BoolClauses any;
    any.minimum_should_match = 1;
    if (part.is_position()) {
      std::vector<std::string> terms;
      for (const auto& path : part.paths) terms.push_back(path[0]);
      QUARRY_ASSIGN_OR_RETURN(WeightPtr weight, make_position(parts, terms, prefix && last));
      clauses.push_back(std::move(weight));
      continue;
    }
    for (const auto& path : part.paths) {
      QUARRY_ASSIGN_OR_RETURN(WeightPtr weight, make_path(parts, path, prefix && last));
      any.should.push_back(std::move(weight));
    }
    clauses.push_back(make_bool(std::move(any), parts.scope.scores));
  }
  return clauses;
}

}  // namespace

Result<WeightPtr> combine_positions(std::vector<WeightPtr> clauses, const MatchOptions& options,
                                    Scope scope) {
  BoolClauses all;
  if (options.operator_and) {
    all.must = std::move(clauses);
  } else {
    all.should = std::move(clauses);
    all.minimum_should_match = 1;
  }
  if (!options.minimum_should_match.empty()) {
    const auto count = static_cast<uint32_t>(all.should.size());
    QUARRY_ASSIGN_OR_RETURN(all.minimum_should_match,
                            minimum_should_match(options.minimum_should_match, count));
  }
  return make_bool(std::move(all), scope.scores);
}

Result<WeightPtr> make_match(Compiler& compiler, const ResolvedField& resolved, const Scalar& text,
                             const MatchOptions& options, bool last_is_prefix,
                             std::string_view clause, Scope scope) {
  QUARRY_RETURN_IF_ERROR(compiler.count_clauses());
  if (resolved.kind != ResolvedField::Kind::kField)
    return make_metadata(compiler, resolved, text, options, scope);
  const Field& field = *resolved.field;
  if (field.is_opaque()) {
    if (options.lenient) return make_no_docs("ignored by lenient");
    return Status(ErrorType::kIllegalArgument, "Field [" + field.name + "] of type [" +
                                                   std::string(field_type_name(field.type)) +
                                                   "] does not support match queries");
  }
  QUARRY_ASSIGN_OR_RETURN(const Analyzer* analyzer,
                          pick_analyzer(compiler, field, options.analyzer, clause, false));
  const MatchParts parts{compiler, resolved, options, scope};
  if (analyzer == nullptr) return make_whole(parts, text, last_is_prefix);
  QUARRY_ASSIGN_OR_RETURN(const AnalyzedText analyzed, analyze_text(analyzer, text.text, compiler));
  if (analyzed.positions.empty()) {
    if (options.zero_terms_all) return WeightPtr(std::make_unique<AllDocsWeight>(scope.boost));
    return make_no_terms();
  }
  const bool prefix = last_is_prefix && analyzed.last_ends_text;
  if (!analyzed.parts.empty()) {
    QUARRY_ASSIGN_OR_RETURN(std::vector<WeightPtr> graph, make_graph(parts, analyzed, prefix));
    if (graph.size() == 1) return std::move(graph[0]);
    return combine_positions(std::move(graph), options, scope);
  }
  std::vector<WeightPtr> clauses;
  for (size_t i = 0; i < analyzed.positions.size(); i++) {
    if (i > 0) QUARRY_RETURN_IF_ERROR(compiler.count_clauses());
    const bool last = i + 1 == analyzed.positions.size();
    QUARRY_ASSIGN_OR_RETURN(WeightPtr weight,
                            make_position(parts, analyzed.positions[i].terms, prefix && last));
    clauses.push_back(std::move(weight));
  }
  if (clauses.size() == 1) return std::move(clauses[0]);
  return combine_positions(std::move(clauses), options, scope);
}

Result<WeightPtr> compile_match(PlanReader& reader, Compiler& compiler, Scope scope) {
  const std::string_view field = reader.get_string();
  const Scalar text = read_scalar(reader);
  const MatchOptions options = read_match_options(reader);
  if (reader.failed()) return malformed_clause("match");
  return make_match(compiler, compiler.resolve(field), text, options, false, "match", scope);
}

Result<WeightPtr> compile_match_bool_prefix(PlanReader& reader, Compiler& compiler, Scope scope) {
  const std::string_view field = reader.get_string();
  const Scalar text = read_scalar(reader);
  const MatchOptions options = read_match_options(reader);
  if (reader.failed()) return malformed_clause("match_bool_prefix");
  return make_match(compiler, compiler.resolve(field), text, options, true, "match_bool_prefix",
                    scope);
}

}  // namespace quarry
