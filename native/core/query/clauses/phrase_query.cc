// Converts the text of a phrase clause to a weight: analysis, expansion of a last prefix, errors by
// field type.
#include "query/clauses/phrase_query.h"

#include <algorithm>
#include <set>
#include <utility>

#include "query/clauses/bool_query.h"
#include "query/clauses/constant_score_query.h"
#include "query/clauses/no_terms.h"
#include "query/clauses/pattern_query.h"
#include "query/clauses/synonym_query.h"
#include "query/clauses/term_query.h"
#include "query/highlight/analyzed_text.h"
#include "query/phrase/phrase_weight.h"
#include "query/plan/clause_limit.h"
#include "query/plan/clause_table.h"
#include "query/scorers/constant_weight.h"

namespace quarry {
namespace {

Status phrase_refused(const Field& field, bool prefix) {
  if (!field.is_text()) {
    return {ErrorType::kIllegalArgument,
            std::string("Can only use phrase ") + (prefix ? "prefix " : "") +
                "queries on text fields - not on [" + field.name + "] which is of type [" +
                std::string(field_type_name(field.type)) + "]"};
  }
  return {ErrorType::kIllegalArgument,
          "field:[" + field.name + "] was indexed without position data; cannot run PhraseQuery"};
}

/// The first `limit` terms over all shards that start with one of `prefixes`.
std::vector<std::string> expand_prefixes(Compiler& compiler, const Field& field,
                                         const std::vector<std::string>& prefixes, uint32_t limit) {
  std::set<std::string> found;
  for (const std::string& prefix : prefixes) {
    std::set<std::string> terms;
    compiler.each_segment([&](const Segment& segment) {
      const SegmentField* inner = segment.field(field.name);
      if (inner == nullptr || inner->inverted == nullptr) return;
      const TermDictionary& dictionary = inner->inverted->terms();
      const TermDictionary::Range range = dictionary.prefix_range(prefix);
      const uint32_t end =
          std::min(range.end, range.begin + std::min(limit, range.end - range.begin));
      for (uint32_t ordinal = range.begin; ordinal < end; ordinal++)
        terms.emplace(dictionary.term(ordinal));
    });
    for (const std::string& term : terms) {
      if (found.size() >= limit) break;
      found.insert(term);
    }
  }
  return {found.begin(), found.end()};
}

WeightPtr make_any_term(Compiler& compiler, const Field& field,
                        const std::vector<std::string>& terms, Scope scope) {
  BoolClauses clauses;
  clauses.minimum_should_match = 1;
  for (const std::string& term : terms)
    clauses.should.push_back(make_term_weight(compiler, field, term, scope));
  if (clauses.should.empty()) return make_no_docs("no such term");
  WeightPtr any = make_bool(std::move(clauses), scope.scores);
  if (field.traits().constant_score) return make_constant_score(std::move(any), scope.boost);
  return any;
}

std::vector<PhrasePart> make_parts(AnalyzedText text) {
  std::vector<PhrasePart> parts;
  const uint32_t first = text.positions[0].position;
  for (AnalyzedPosition& position : text.positions) {
    parts.push_back({position.position - first, std::move(position.terms)});
  }
  return parts;
}

Result<WeightPtr> make_phrase_prefix(Compiler& compiler, const Field& field, AnalyzedText text,
                                     const PhraseOptions& options, Scope scope) {
  const uint32_t limit = std::min(options.max_expansions, max_clauses());
  std::vector<std::string> last =
      expand_prefixes(compiler, field, text.positions.back().terms, limit);
  if (last.empty()) return make_no_docs("no term with that prefix");
  QUARRY_RETURN_IF_ERROR(compiler.count_clauses(last.size()));
  text.positions.back().terms = std::move(last);
  if (text.positions.size() == 1)
    return make_any_term(compiler, field, text.positions[0].terms, scope);
  return make_phrase_weight(compiler, field, make_parts(std::move(text)), options.slop, scope);
}

Result<WeightPtr> make_text_phrase(Compiler& compiler, const ResolvedField& resolved,
                                   AnalyzedText text, const PhraseOptions& options, Scope scope) {
  const Field& field = *resolved.field;
  const bool plain = !options.prefix && text.positions.size() == 1;
  if (plain && text.positions[0].terms.size() == 1) {
    const Scalar only{Scalar::Kind::kString, text.positions[0].terms[0]};
    return make_field_term(compiler, resolved, only, scope);
  }
  if (!field.is_text()) return phrase_refused(field, options.prefix);
  QUARRY_RETURN_IF_ERROR(Compiler::check_searchable(field));
  if (plain) return make_synonym(compiler, field, std::move(text.positions[0].terms), scope);
  if (!field.positions) return phrase_refused(field, options.prefix);
  if (options.prefix) return make_phrase_prefix(compiler, field, std::move(text), options, scope);
  return make_phrase_weight(compiler, field, make_parts(std::move(text)), options.slop, scope);
}

/// Text with synonyms of several words: matches any of its readings, each a phrase.
Result<WeightPtr> make_graph_phrase(Compiler& compiler, const ResolvedField& resolved,
                                    const AnalyzedText& text, const PhraseOptions& options,
                                    Scope scope) {
  BoolClauses any;
  any.minimum_should_match = 1;
  for (std::vector<std::string>& words : all_paths(text.parts)) {
    QUARRY_RETURN_IF_ERROR(compiler.count_clauses(words.size()));
    AnalyzedText reading;
    for (std::string& word : words) {
      const auto position = static_cast<uint32_t>(reading.positions.size());
      reading.positions.push_back({position, {std::move(word)}});
    }
    QUARRY_ASSIGN_OR_RETURN(
        WeightPtr weight, make_text_phrase(compiler, resolved, std::move(reading), options, scope));
    any.should.push_back(std::move(weight));
  }
  return make_bool(std::move(any), scope.scores);
}

}  // namespace

Result<WeightPtr> make_phrase(Compiler& compiler, const ResolvedField& resolved, const Scalar& text,
                              const PhraseOptions& options, Scope scope) {
  QUARRY_RETURN_IF_ERROR(compiler.count_clauses());
  if (resolved.kind != ResolvedField::Kind::kField)
    return make_field_term(compiler, resolved, text, scope);
  const Field& field = *resolved.field;
  if (field.is_opaque()) {
    return Status(ErrorType::kIllegalArgument, "Field [" + field.name + "] of type [" +
                                                   std::string(field_type_name(field.type)) +
                                                   "] does not support match queries");
  }
  QUARRY_ASSIGN_OR_RETURN(const Analyzer* analyzer,
                          pick_analyzer(compiler, field, options.analyzer, options.clause, true));
  Result<WeightPtr> weight = WeightPtr();
  if (analyzer == nullptr && !options.prefix) {
    weight = make_field_term(compiler, resolved, text, scope);
  } else {
    QUARRY_ASSIGN_OR_RETURN(AnalyzedText analyzed, analyze_text(analyzer, text.text, compiler));
    if (analyzed.positions.empty()) {
      if (options.zero_terms_all) return WeightPtr(std::make_unique<AllDocsWeight>(scope.boost));
      return make_no_terms();
    }
    QUARRY_RETURN_IF_ERROR(compiler.count_clauses(analyzed.positions.size() - 1));
    weight = analyzed.parts.empty()
                 ? make_text_phrase(compiler, resolved, std::move(analyzed), options, scope)
                 : make_graph_phrase(compiler, resolved, analyzed, options, scope);
  }
  if (options.lenient && !weight.ok() && ignored_by_lenient(weight.status()))
    return make_no_docs("failed to create query, ignored by lenient");
  return weight;
}

namespace {

struct PhraseClause {
  std::string_view field;
  Scalar text;
  PhraseOptions options;
};

PhraseClause read_phrase(PlanReader& reader) {
  PhraseClause clause;
  clause.field = reader.get_string();
  clause.text = read_scalar(reader);
  clause.options.slop = reader.get<uint32_t>();
  clause.options.analyzer = reader.get_string();
  clause.options.zero_terms_all = reader.get<uint8_t>() != 0;
  return clause;
}

}  // namespace

Result<WeightPtr> compile_match_phrase(PlanReader& reader, Compiler& compiler, Scope scope) {
  const PhraseClause clause = read_phrase(reader);
  if (reader.failed()) return malformed_clause("match_phrase");
  return make_phrase(compiler, compiler.resolve(clause.field), clause.text, clause.options, scope);
}

Result<WeightPtr> compile_match_phrase_prefix(PlanReader& reader, Compiler& compiler, Scope scope) {
  PhraseClause clause = read_phrase(reader);
  clause.options.prefix = true;
  clause.options.clause = "match_phrase_prefix";
  clause.options.max_expansions = reader.get<uint32_t>();
  if (reader.failed()) return malformed_clause("match_phrase_prefix");
  return make_phrase(compiler, compiler.resolve(clause.field), clause.text, clause.options, scope);
}

}  // namespace quarry
