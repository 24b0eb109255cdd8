// Collects the first terms of a pattern from the dictionaries of all shards, and adds up their
// scores.
#include "query/clauses/scored_terms.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <string_view>
#include <utility>

#include "query/clauses/bool_query.h"
#include "query/clauses/constant_score_query.h"
#include "query/clauses/fuzzy_query.h"
#include "query/clauses/term_query.h"
#include "query/plan/clause_limit.h"
#include "query/plan/clause_table.h"
#include "query/scorers/constant_weight.h"

namespace quarry {
namespace {

using FirstTerms = std::set<std::string, std::less<>>;

/// Adds the terms of a segment that are among the first `most` of all.
Status add_terms(const TermsWeight& pattern, const Segment& segment, size_t most,
                 WorkCounters& counters, FirstTerms& found) {
  const SegmentField* field = segment.field(pattern.field().name);
  if (field == nullptr || field->inverted == nullptr) return {};
  QUARRY_ASSIGN_OR_RETURN(const std::vector<uint32_t> ordinals,
                          pattern.first_terms(segment, most, counters));
  const TermDictionary& terms = field->inverted->terms();
  for (const uint32_t ordinal : ordinals) {
    const std::string_view term = terms.term(ordinal);
    const bool is_full = found.size() == most;
    if (is_full && term > *found.rbegin()) break;
    if (!found.emplace(term).second || !is_full) continue;
    found.erase(std::prev(found.end()));
  }
  return {};
}

Result<FirstTerms> first_terms(Compiler& compiler, const TermsWeight& pattern, size_t most) {
  FirstTerms found;
  Status status;
  compiler.each_segment([&](const Segment& segment) {
    if (!status.ok()) return;
    status = add_terms(pattern, segment, most, compiler.progress().counters, found);
  });
  QUARRY_RETURN_IF_ERROR(status);
  return found;
}

}  // namespace

WeightPtr make_scored_terms(Compiler& compiler, const Field& field, std::vector<ScoredTerm> terms,
                            TermScoring scoring, Scope scope) {
  uint64_t doc_freq = 0;
  uint64_t total_term_freq = 0;
  for (const ScoredTerm& term : terms) {
    doc_freq = std::max(doc_freq, term.state.doc_freq);
    total_term_freq += term.state.total_term_freq;
  }
  BoolClauses clauses;
  clauses.minimum_should_match = 1;
  for (ScoredTerm& term : terms) {
    if (scoring == TermScoring::kBlended) {
      term.state.doc_freq = doc_freq;
      term.state.total_term_freq = total_term_freq;
    }
    const Scope boosted = scope.boosted(term.boost);
    WeightPtr weight =
        make_term_weight(compiler, field, std::move(term.term), std::move(term.state), boosted);
    if (scoring == TermScoring::kBoost)
      weight = make_constant_score(std::move(weight), boosted.boost);
    clauses.should.push_back(std::move(weight));
  }
  WeightPtr any = make_bool(std::move(clauses), scope.scores);
  if (field.traits().constant_score && scoring != TermScoring::kBoost)
    return make_constant_score(std::move(any), scope.boost);
  return any;
}

Result<WeightPtr> make_scored_pattern(Compiler& compiler, const PlanNode& pattern,
                                      const ScoredTermsOptions& options, Scope scope) {
  const ClauseEntry* clause = find_clause(pattern.op);
  PlanReader reader(pattern);
  const auto boost = reader.get<float>();
  const bool named = !reader.get_string().empty();
  const bool wrong = !std::isfinite(boost) || boost < 0 || named || clause == nullptr;
  if (reader.failed() || wrong || options.scoring > TermScoring::kBoost)
    return malformed_clause("scored_terms");
  scope = scope.boosted(boost);
  QUARRY_ASSIGN_OR_RETURN(WeightPtr weight,
                          pattern.op == PlanOp::kFuzzy
                              ? compile_fuzzy_terms(reader, compiler, options.scoring, scope)
                              : clause->compile(reader, compiler, scope));
  if (reader.failed() || !reader.done()) return malformed_clause("scored_terms");
  const auto* terms = dynamic_cast<const TermsWeight*>(weight.get());
  // A fuzzy clause has scored its terms already; names of indexes are no terms.
  if (terms == nullptr) return weight;
  // The first terms of a segment depend on those of others.
  compiler.depends_on_snapshot();
  const size_t limit = max_clauses();
  const size_t most = options.most == 0 ? limit + 1 : std::min<size_t>(options.most, limit);
  QUARRY_ASSIGN_OR_RETURN(FirstTerms found, first_terms(compiler, *terms, most));
  if (found.empty()) return make_no_docs("no term matches");
  // The pattern was counted as one clause.
  QUARRY_RETURN_IF_ERROR(compiler.count_clauses(found.size() - 1));
  const Field& field = terms->field();
  std::vector<ScoredTerm> scored;
  scored.reserve(found.size());
  for (const std::string& term : found)
    scored.push_back({term, 1, compiler.term(field.name, term)});
  return make_scored_terms(compiler, field, std::move(scored), options.scoring, scope);
}

ScoredTermsOptions read_scored_terms(PlanReader& reader) {
  ScoredTermsOptions options;
  options.scoring = reader.get<TermScoring>();
  options.most = reader.get<uint32_t>();
  return options;
}

Result<WeightPtr> compile_scored_terms(PlanReader& reader, Compiler& compiler, Scope scope) {
  const ScoredTermsOptions options = read_scored_terms(reader);
  QUARRY_ASSIGN_OR_RETURN(const PlanNode pattern, read_node(reader));
  return make_scored_pattern(compiler, pattern, options, scope);
}

}  // namespace quarry
