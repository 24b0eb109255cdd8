// Term-centric matching with document frequencies blended over the fields (Elasticsearch's
// BlendedTermQuery).
#include "query/clauses/cross_fields.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "query/clauses/dis_max_query.h"
#include "query/clauses/match_query.h"
#include "query/clauses/no_terms.h"
#include "query/clauses/pattern_query.h"
#include "query/clauses/term_query.h"
#include "query/highlight/analyzed_text.h"
#include "query/scorers/constant_weight.h"

namespace quarry {
namespace {

/// A term in one of the fields.
struct FieldTerm {
  const Field* field = nullptr;
  std::string term;
  float boost = 1;
  TermState state;
};

/// Gives all fields about the document frequency of the most frequent one. A less frequent field
/// gets a slightly larger one, so that the more frequent fields win ties.
void blend(Compiler& compiler, std::vector<FieldTerm>& terms) {
  if (terms.size() <= 1) return;
  uint64_t largest = 0;
  uint64_t fewest_tokens = std::numeric_limits<uint64_t>::max();
  for (const FieldTerm& term : terms) {
    largest = std::max(largest, term.state.doc_freq);
    if (term.state.total_term_freq == 0) continue;
    fewest_tokens = std::min(fewest_tokens, compiler.totals(term.field->name).token_count);
  }
  const uint64_t limit = std::min(compiler.max_doc(), fewest_tokens);
  if (largest == 0) return;
  std::vector<FieldTerm*> order;
  for (FieldTerm& term : terms) order.push_back(&term);
  std::stable_sort(order.begin(), order.end(), [](const FieldTerm* a, const FieldTerm* b) {
    return a->state.doc_freq > b->state.doc_freq;
  });
  uint64_t previous = order[0]->state.doc_freq;
  uint64_t blended = std::min(limit, largest);
  uint64_t occurrences = 0;
  for (FieldTerm* term : order) {
    const uint64_t own = term->state.doc_freq;
    if (own == 0) break;
    if (previous > own) blended++;
    const uint64_t doc_count = compiler.totals(term->field->name).doc_count;
    term->state.doc_freq = std::min({blended, doc_count, limit});
    previous = own;
    // At least one for each of the documents that the term now counts as having.
    occurrences += std::max(term->state.total_term_freq, std::min(blended, limit));
  }
  for (FieldTerm& term : terms) {
    if (term.state.doc_freq > 0) term.state.total_term_freq = std::min(occurrences, fewest_tokens);
  }
}

/// Matches the terms of one position in all fields; the score is that of the best field.
Result<WeightPtr> make_blended(Compiler& compiler, const std::vector<FieldAndBoost>& fields,
                               const std::vector<std::string>& values, const MatchOptions& options,
                               float tie_breaker, Scope scope) {
  std::vector<WeightPtr> others;
  std::vector<FieldTerm> terms;
  for (const FieldAndBoost& entry : fields) {
    const Field& field = *entry.resolved.field;
    const bool blendable = has_text_terms(field) && field.indexed;
    for (const std::string& value : values) {
      if (blendable) {
        QUARRY_ASSIGN_OR_RETURN(std::string term, index_term(field, value, compiler.analysis()));
        term.insert(0, entry.resolved.prefix);
        TermState state = compiler.term(field.name, term);
        terms.push_back({&field, std::move(term), entry.boost, std::move(state)});
        continue;
      }
      Result<WeightPtr> other = make_field_term(
          compiler, entry.resolved, {Scalar::Kind::kString, value}, scope.boosted(entry.boost));
      if (!other.ok() && !options.lenient) return other.status();
      if (other.ok()) others.push_back(std::move(other).value());
    }
  }
  QUARRY_RETURN_IF_ERROR(compiler.count_clauses(terms.size() + others.size()));
  blend(compiler, terms);
  std::vector<WeightPtr> blended;
  for (FieldTerm& term : terms) {
    blended.push_back(make_term_weight(compiler, *term.field, std::move(term.term),
                                       std::move(term.state), scope.boosted(term.boost)));
  }
  if (!blended.empty())
    others.push_back(make_dis_max(std::move(blended), tie_breaker, scope.scores));
  return make_dis_max(std::move(others), tie_breaker, scope.scores);
}

struct Group {
  const Analyzer* analyzer = nullptr;
  std::vector<FieldAndBoost> fields;
};

Result<std::vector<Group>> group_by_analyzer(Compiler& compiler,
                                             const std::vector<FieldAndBoost>& fields,
                                             std::string_view analyzer_name) {
  std::vector<Group> groups;
  for (const FieldAndBoost& entry : fields) {
    QUARRY_ASSIGN_OR_RETURN(
        const Analyzer* analyzer,
        pick_analyzer(compiler, *entry.resolved.field, analyzer_name, "multi_match", false));
    auto at = std::find_if(groups.begin(), groups.end(),
                           [analyzer](const Group& group) { return group.analyzer == analyzer; });
    if (at == groups.end()) at = groups.insert(groups.end(), Group{analyzer, {}});
    at->fields.push_back(entry);
  }
  return groups;
}

Result<WeightPtr> make_group(Compiler& compiler, const Group& group, const Scalar& text,
                             const MatchOptions& options, float tie_breaker, Scope scope) {
  if (group.fields.size() == 1) {
    const FieldAndBoost& only = group.fields[0];
    return make_match(compiler, only.resolved, text, options, false, "multi_match",
                      scope.boosted(only.boost));
  }
  QUARRY_ASSIGN_OR_RETURN(const AnalyzedText analyzed,
                          analyze_text(group.analyzer, text.text, compiler));
  if (analyzed.positions.empty()) {
    if (options.zero_terms_all) return WeightPtr(std::make_unique<AllDocsWeight>(scope.boost));
    return make_no_terms();
  }
  std::vector<WeightPtr> clauses;
  for (const AnalyzedPosition& position : analyzed.positions) {
    QUARRY_ASSIGN_OR_RETURN(WeightPtr weight, make_blended(compiler, group.fields, position.terms,
                                                           options, tie_breaker, scope));
    clauses.push_back(std::move(weight));
  }
  if (clauses.size() == 1) return std::move(clauses[0]);
  return combine_positions(std::move(clauses), options, scope);
}

}  // namespace

Result<std::vector<WeightPtr>> make_cross_fields(Compiler& compiler,
                                                 const std::vector<FieldAndBoost>& fields,
                                                 const Scalar& text, const MatchOptions& options,
                                                 float tie_breaker, Scope scope) {
  QUARRY_ASSIGN_OR_RETURN(const std::vector<Group> groups,
                          group_by_analyzer(compiler, fields, options.analyzer));
  std::vector<WeightPtr> weights;
  for (const Group& group : groups) {
    QUARRY_ASSIGN_OR_RETURN(WeightPtr weight,
                            make_group(compiler, group, text, options, tie_breaker, scope));
    weights.push_back(std::move(weight));
  }
  return weights;
}

}  // namespace quarry
