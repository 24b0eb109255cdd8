// The weight of boolean combinations, and the choice of scorers for a segment.
#include "query/clauses/bool_query.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "query/clauses/no_terms.h"
#include "query/plan/clause_table.h"
#include "query/scorers/conjunction.h"
#include "query/scorers/constant_weight.h"
#include "query/scorers/disjunction.h"
#include "query/scorers/doc_runs.h"
#include "query/scorers/document_matches.h"
#include "query/scorers/join_strategy.h"
#include "query/scorers/max_score.h"
#include "query/scorers/minimum_should_match.h"
#include "query/scorers/required_optional.h"
#include "query/scorers/term_conjunction.h"
#include "query/scorers/term_scorer.h"

namespace quarry {
namespace {

using Weights = std::vector<WeightPtr>;

class BoolWeight final : public Weight {
 public:
  BoolWeight(BoolClauses clauses, bool scores) : clauses_(std::move(clauses)), scores_(scores) {
    if (scores_) set_bound(sum_bounds());
    // Scores are summed in this order in every segment, pruned or not. The largest bound comes
    // first, as max_score requires.
    for (const WeightPtr& weight : clauses_.should) ordered_should_.push_back(weight.get());
    std::stable_sort(ordered_should_.begin(), ordered_should_.end(),
                     [](const Weight* a, const Weight* b) { return a->bound() > b->bound(); });
  }

  uint64_t cost(const Leaf& leaf) override {
    uint64_t least = UINT64_MAX;
    for (const WeightPtr& weight : clauses_.must) least = std::min(least, weight->cost(leaf));
    for (const WeightPtr& weight : clauses_.filter) least = std::min(least, weight->cost(leaf));
    if (required() && clauses_.minimum_should_match == 0) return least;
    return std::min({least, should_cost(leaf), uint64_t{leaf.max_doc}});
  }

  ScorerPtr scorer(const Leaf& leaf, uint64_t lead_cost) override {
    const uint64_t most = cost(leaf);
    if (most == 0) return nullptr;
    lead_cost = std::min(lead_cost, most);
    std::vector<ScorerPtr> scoring;
    std::vector<ScorerPtr> filters;
    if (!collect(clauses_.must, leaf, lead_cost, scoring) ||
        !collect(clauses_.filter, leaf, lead_cost, filters)) {
      return nullptr;
    }
    ScorerPtr should = should_scorer(leaf, lead_cost);
    if (clauses_.minimum_should_match > 0) {
      if (should == nullptr) return nullptr;
      (scores_ ? scoring : filters).push_back(std::move(should));
    }
    ScorerPtr all = make_conjunction(std::move(scoring), std::move(filters), leaf);
    if (clauses_.minimum_should_match == 0 && should != nullptr) {
      all = make_required_optional(std::move(all), std::move(should));
    }
    return make_required_excluded(std::move(all), excluded_scorer(leaf, lead_cost), leaf);
  }

  LeafPlan plan(const Leaf& leaf, Counting counting) override {
    const int64_t known = counting == Counting::kQuickly ? count_quickly(leaf) : -1;
    return {.count = known, .counts_first = known < 0 && counts_first(leaf)};
  }

  std::unique_ptr<BulkScorer> bulk_scorer(const Leaf& leaf) override {
    if (runs_script()) return nullptr;
    if (scores_ && !clauses_.must.empty()) return term_conjunction(leaf);
    if (!scores_ || !clauses_.must.empty() || clauses_.should.empty() ||
        clauses_.minimum_should_match == 0) {
      return nullptr;
    }
    const uint64_t should = should_cost(leaf);
    for (const WeightPtr& filter : clauses_.filter) {
      if (join::filter_leads(filter->cost(leaf), should)) return nullptr;
    }
    std::vector<ScorerPtr> filters;
    if (!collect(clauses_.filter, leaf, should, filters)) return nullptr;
    std::vector<ScorerPtr> clauses = should_scorers(leaf, should);
    if (clauses.size() < clauses_.minimum_should_match) return nullptr;
    std::vector<ScorerPtr> excluded;
    for (const WeightPtr& weight : clauses_.must_not) {
      if (ScorerPtr scorer = weight->scorer(leaf, should); scorer != nullptr)
        excluded.push_back(std::move(scorer));
    }
    return make_max_score(leaf, std::move(clauses), clauses_.minimum_should_match,
                          std::move(filters), std::move(excluded), window_);
  }

  Explanation explain(const Leaf& leaf, uint32_t doc) override;
  std::string describe() const override;
  void report_matches(const Leaf& leaf, uint32_t doc, MatchSink& sink) override {
    for (const WeightPtr& weight : clauses_.must) report_document_matches(*weight, leaf, doc, sink);
    for (const WeightPtr& weight : clauses_.filter)
      report_document_matches(*weight, leaf, doc, sink);
    for (const WeightPtr& weight : clauses_.should)
      report_document_matches(*weight, leaf, doc, sink);
  }

  void add_filter(WeightPtr filter) { clauses_.filter.push_back(std::move(filter)); }
  /// Whether a document matches if any should clause does, and scores the sum of the should
  /// clauses.
  bool is_sum_of_any() const {
    return scores_ && !required() && clauses_.must_not.empty() &&
           clauses_.minimum_should_match <= 1;
  }
  Weights& should() { return clauses_.should; }

 private:
  float sum_bounds() const {
    double sum = 0;
    for (const WeightPtr& weight : clauses_.must) sum += static_cast<double>(weight->bound());
    for (const WeightPtr& weight : clauses_.should) sum += static_cast<double>(weight->bound());
    return sum_upper_bound(sum, clauses_.must.size() + clauses_.should.size());
  }
  static bool covers(const DocRuns& runs, const Leaf& leaf) {
    return runs.size() == 1 && runs[0].begin == 0 && runs[0].end >= leaf.max_doc;
  }
  /// Counts one term within runs of documents.
  int64_t count_quickly(const Leaf& leaf) {
    if (!clauses_.should.empty() || !clauses_.must_not.empty()) return -1;
    DocRuns shared{{0, leaf.max_doc}};
    Weight* other = nullptr;
    const auto add = [&](const WeightPtr& weight) {
      if (const DocRuns* runs = weight->plan(leaf, Counting::kNone).runs; runs != nullptr) {
        shared = shared_runs(shared, *runs);
        return true;
      }
      return std::exchange(other, weight.get()) == nullptr;
    };
    if (!std::all_of(clauses_.must.begin(), clauses_.must.end(), add) ||
        !std::all_of(clauses_.filter.begin(), clauses_.filter.end(), add)) {
      return -1;
    }
    if (shared.empty()) return 0;
    if (other == nullptr) return static_cast<int64_t>(count_in_runs(shared, leaf.live));
    if (other->cost(leaf) == 0) return 0;
    if (covers(shared, leaf)) {
      const int64_t known = other->plan(leaf, Counting::kQuickly).count;
      if (known >= 0) return known;
    }
    if (other->term_clause() == nullptr) return -1;
    const std::unique_ptr<TermScorer> term = other->term_clause()->term_scorer(leaf);
    if (term == nullptr) return -1;
    return static_cast<int64_t>(count_in_runs(term->postings(), shared, leaf.live));
  }

  bool counts_first(const Leaf& leaf) {
    const bool should = clauses_.minimum_should_match == 1;
    if (!clauses_.must_not.empty() || (!should && !clauses_.should.empty())) return false;
    const size_t required = clauses_.must.size() + clauses_.filter.size();
    if (!join::counts_first(cost(leaf), required, leaf.max_doc)) return false;
    const auto cheap = [&leaf](const WeightPtr& weight) {
      return weight->plan(leaf, Counting::kNone).counts_first;
    };
    return std::all_of(clauses_.must.begin(), clauses_.must.end(), cheap) &&
           std::all_of(clauses_.filter.begin(), clauses_.filter.end(), cheap) &&
           std::all_of(clauses_.should.begin(), clauses_.should.end(), cheap);
  }

  bool required() const { return !clauses_.must.empty() || !clauses_.filter.empty(); }

  /// A block-at-a-time conjunction, if all must clauses are terms; null otherwise, or if a filter
  /// is so rare that it should lead.
  std::unique_ptr<BulkScorer> term_conjunction(const Leaf& leaf) {
    if (!clauses_.should.empty() || cost(leaf) == 0) return nullptr;
    std::vector<std::unique_ptr<TermScorer>> terms;
    terms.reserve(clauses_.must.size());
    uint64_t least = UINT64_MAX;
    for (const WeightPtr& weight : clauses_.must) {
      TermClause* clause = weight->term_clause();
      if (clause == nullptr) return nullptr;
      terms.push_back(clause->term_scorer(leaf));
      if (terms.back() == nullptr) return nullptr;
      least = std::min(least, terms.back()->cost());
    }
    std::vector<ScorerPtr> filters;
    if (!collect(clauses_.filter, leaf, least, filters)) return nullptr;
    for (const ScorerPtr& filter : filters) {
      if (join::filter_leads(filter->cost(), least)) return nullptr;
    }
    ScorerPtr excluded = excluded_scorer(leaf, least);
    return make_term_conjunction(leaf, std::move(terms), std::move(filters), std::move(excluded));
  }
  uint64_t should_cost(const Leaf& leaf) {
    uint64_t sum = 0;
    for (const WeightPtr& weight : clauses_.should) sum += weight->cost(leaf);
    return sum;
  }
  /// False if one of the clauses matches nothing in this segment.
  static bool collect(const Weights& weights, const Leaf& leaf, uint64_t lead_cost,
                      std::vector<ScorerPtr>& out) {
    out.reserve(weights.size() + 1);
    for (const WeightPtr& weight : weights) {
      out.push_back(weight->scorer(leaf, lead_cost));
      if (out.back() == nullptr) return false;
    }
    return true;
  }
  std::vector<ScorerPtr> should_scorers(const Leaf& leaf, uint64_t lead_cost) {
    std::vector<ScorerPtr> out;
    out.reserve(ordered_should_.size());
    for (Weight* weight : ordered_should_) {
      if (ScorerPtr scorer = weight->scorer(leaf, lead_cost); scorer != nullptr)
        out.push_back(std::move(scorer));
    }
    return out;
  }
  ScorerPtr should_scorer(const Leaf& leaf, uint64_t lead_cost) {
    std::vector<ScorerPtr> clauses = should_scorers(leaf, lead_cost);
    if (clauses.empty() || clauses.size() < clauses_.minimum_should_match) return nullptr;
    return any_of(std::move(clauses), std::max(1U, clauses_.minimum_should_match), leaf);
  }
  ScorerPtr excluded_scorer(const Leaf& leaf, uint64_t lead_cost) {
    std::vector<ScorerPtr> clauses;
    for (const WeightPtr& weight : clauses_.must_not) {
      if (ScorerPtr scorer = weight->scorer(leaf, lead_cost); scorer != nullptr)
        clauses.push_back(std::move(scorer));
    }
    return clauses.empty() ? nullptr : any_of(std::move(clauses), 1, leaf);
  }
  ScorerPtr any_of(std::vector<ScorerPtr> clauses, uint32_t minimum, const Leaf& leaf) const {
    return runs_script() ? make_lazy_disjunction(std::move(clauses), minimum, {}, leaf)
                         : make_disjunction(std::move(clauses), minimum, {}, leaf);
  }

  BoolClauses clauses_;
  std::vector<Weight*> ordered_should_;
  ScoreWindowPtr window_;
  bool scores_;
};

Explanation BoolWeight::explain(const Leaf& leaf, uint32_t doc) {
  std::vector<Explanation> details;
  double sum = 0;
  const auto failed = [&](std::string why) {
    return Explanation::no_match(std::move(why), std::move(details));
  };
  for (const WeightPtr& weight : clauses_.must) {
    details.push_back(weight->explain(leaf, doc));
    if (!details.back().match)
      return failed("no match on required clause (" + weight->describe() + ")");
    sum += details.back().value;
  }
  for (const WeightPtr& weight : clauses_.filter) {
    if (!weight->explain(leaf, doc).match)
      return failed("no match on required clause (" + weight->describe() + ")");
    details.push_back(Explanation::matched(
        0, "match on required clause, product of:",
        {Explanation::matched(0, "# clause"), Explanation::matched(1, weight->describe())}));
  }
  uint32_t matched = 0;
  for (Weight* weight : ordered_should_) {
    Explanation part = weight->explain(leaf, doc);
    if (!part.match) continue;
    matched++;
    sum += part.value;
    details.push_back(std::move(part));
  }
  if (matched < clauses_.minimum_should_match) {
    return failed("Failure to match minimum number of optional clauses: " +
                  std::to_string(clauses_.minimum_should_match));
  }
  for (const WeightPtr& weight : clauses_.must_not) {
    if (weight->explain(leaf, doc).match)
      return failed("match on prohibited clause (" + weight->describe() + ")");
  }
  return Explanation::matched(scores_ ? static_cast<double>(static_cast<float>(sum)) : 0.0,
                              "sum of:", std::move(details));
}

std::string BoolWeight::describe() const {
  std::string text;
  const auto add = [&text](const Weights& weights, const char* sign) {
    for (const WeightPtr& weight : weights)
      text += (text.empty() ? "" : " ") + std::string(sign) + weight->describe();
  };
  add(clauses_.must, "+");
  add(clauses_.filter, "#");
  add(clauses_.should, "");
  add(clauses_.must_not, "-");
  if (clauses_.minimum_should_match > 1)
    return "(" + text + ")~" + std::to_string(clauses_.minimum_should_match);
  return "(" + text + ")";
}

/// Removes the clauses that match everything: they do not restrict a filter.
void drop_everything(Weights& weights) {
  std::erase_if(weights, [](const WeightPtr& weight) { return weight->matches_everything(); });
}

/// Moves nested should clauses into the outer clause if matches and scores stay the same, so that
/// all of them are pruned together, as in the rewrite of Lucene's BooleanQuery.
void inline_sums(Weights& should) {
  Weights all;
  for (WeightPtr& weight : should) {
    auto* inner = dynamic_cast<BoolWeight*>(weight.get());
    if (inner != nullptr && inner->is_sum_of_any()) {
      std::move(inner->should().begin(), inner->should().end(), std::back_inserter(all));
    } else {
      all.push_back(std::move(weight));
    }
  }
  should = std::move(all);
}

bool any_matches_nothing(const Weights& weights) {
  return std::any_of(weights.begin(), weights.end(),
                     [](const WeightPtr& weight) { return weight->matches_nothing(); });
}

Status read_clauses(PlanReader& reader, std::vector<PlanNode>& out) {
  const auto count = reader.get<uint32_t>();
  if (count > reader.remaining() / 8) return malformed_clause("bool");
  for (uint32_t i = 0; i < count; i++) {
    QUARRY_ASSIGN_OR_RETURN(const PlanNode node, read_node(reader));
    out.push_back(node);
  }
  return reader.failed() ? malformed_clause("bool") : Status();
}

/// Removes the clauses without terms and returns their number.
size_t drop_texts_without_terms(Weights& weights) {
  return std::erase_if(weights, [](const WeightPtr& weight) { return is_no_terms(*weight); });
}

struct BoolNodes {
  std::string_view minimum_should_match;
  std::vector<PlanNode> must;
  std::vector<PlanNode> filter;
  std::vector<PlanNode> should;
  std::vector<PlanNode> must_not;
};

Status compile_clauses(Compiler& compiler, const BoolNodes& nodes, Scope scope, BoolClauses& out) {
  for (const PlanNode& node : nodes.must) {
    QUARRY_ASSIGN_OR_RETURN(WeightPtr weight, compiler.compile(node, scope));
    out.must.push_back(std::move(weight));
  }
  for (const PlanNode& node : nodes.filter) {
    QUARRY_ASSIGN_OR_RETURN(WeightPtr weight, compiler.compile_filter(node));
    out.filter.push_back(std::move(weight));
  }
  for (const PlanNode& node : nodes.should) {
    QUARRY_ASSIGN_OR_RETURN(WeightPtr weight, compiler.compile(node, scope));
    out.should.push_back(std::move(weight));
  }
  for (const PlanNode& node : nodes.must_not) {
    QUARRY_ASSIGN_OR_RETURN(WeightPtr weight, compiler.compile_filter(node));
    out.must_not.push_back(std::move(weight));
  }
  return {};
}

}  // namespace

WeightPtr make_bool(BoolClauses clauses, bool scores) {
  const auto should_count = static_cast<uint32_t>(clauses.should.size());
  const bool had_required = !clauses.must.empty() || !clauses.filter.empty();
  if (!had_required && should_count > 0)
    clauses.minimum_should_match = std::max(1U, clauses.minimum_should_match);
  if (any_matches_nothing(clauses.must) || any_matches_nothing(clauses.filter)) {
    return make_no_docs("a required clause matches nothing");
  }
  if (clauses.minimum_should_match > should_count)
    return make_no_docs("minimum_should_match exceeds the clauses");
  std::erase_if(clauses.must_not,
                [](const WeightPtr& weight) { return weight->matches_nothing(); });
  std::erase_if(clauses.should, [](const WeightPtr& weight) { return weight->matches_nothing(); });
  if (clauses.minimum_should_match > clauses.should.size())
    return make_no_docs("no should clause matches");
  for (const WeightPtr& weight : clauses.must_not) {
    if (weight->matches_everything()) return make_no_docs("must_not matches everything");
  }
  if (scores && clauses.minimum_should_match <= 1) inline_sums(clauses.should);
  if (!scores) {
    std::move(clauses.must.begin(), clauses.must.end(), std::back_inserter(clauses.filter));
    clauses.must.clear();
    if (clauses.minimum_should_match == 0) clauses.should.clear();
  }
  drop_everything(clauses.filter);
  const bool required =
      !clauses.must.empty() || !clauses.filter.empty() || clauses.minimum_should_match > 0;
  if (!required) clauses.filter.push_back(std::make_unique<AllDocsWeight>(0.0F));
  const size_t all =
      clauses.must.size() + clauses.filter.size() + clauses.should.size() + clauses.must_not.size();
  if (all == 1 && clauses.must.size() == 1) return std::move(clauses.must[0]);
  if (all == 1 && clauses.should.size() == 1) return std::move(clauses.should[0]);
  if (all == 1 && !scores) return std::move(clauses.filter[0]);
  return std::make_unique<BoolWeight>(std::move(clauses), scores);
}

WeightPtr make_filtered(WeightPtr weight, WeightPtr filter) {
  if (filter->matches_everything() || weight->matches_nothing()) return weight;
  if (filter->matches_nothing()) return filter;
  if (auto* inner = dynamic_cast<BoolWeight*>(weight.get()); inner != nullptr) {
    inner->add_filter(std::move(filter));
    return weight;
  }
  BoolClauses clauses;
  clauses.must.push_back(std::move(weight));
  clauses.filter.push_back(std::move(filter));
  return make_bool(std::move(clauses), true);
}

namespace {

/// Sets the minimum number of should clauses, and creates the weight.
Result<WeightPtr> make_with_minimum(BoolClauses clauses, std::string_view minimum, Scope scope) {
  if (!minimum.empty()) {
    const auto optional = static_cast<uint32_t>(clauses.should.size());
    QUARRY_ASSIGN_OR_RETURN(clauses.minimum_should_match, minimum_should_match(minimum, optional));
  }
  return make_bool(std::move(clauses), scope.scores);
}

Result<BoolNodes> read_bool(PlanReader& reader) {
  BoolNodes nodes;
  nodes.minimum_should_match = reader.get_string();
  QUARRY_RETURN_IF_ERROR(read_clauses(reader, nodes.must));
  QUARRY_RETURN_IF_ERROR(read_clauses(reader, nodes.filter));
  QUARRY_RETURN_IF_ERROR(read_clauses(reader, nodes.should));
  QUARRY_RETURN_IF_ERROR(read_clauses(reader, nodes.must_not));
  return nodes;
}

/// Compiles a bool of a query string, as `flags` specify: clauses without terms are dropped, and if
/// no other clause is left, the whole has no terms either.
Result<WeightPtr> compile_string_bool(const BoolNodes& nodes, Compiler& compiler, Scope scope,
                                      uint16_t flags) {
  BoolClauses clauses;
  QUARRY_RETURN_IF_ERROR(compile_clauses(compiler, nodes, scope, clauses));
  const size_t excluded = drop_texts_without_terms(clauses.must_not);
  if (excluded > 0 && (flags & kNegatedBool) != 0) return make_no_terms();
  const size_t dropped =
      drop_texts_without_terms(clauses.must) + drop_texts_without_terms(clauses.should);
  const size_t left = clauses.must.size() + clauses.should.size();
  const bool excludes = !clauses.must_not.empty();
  if (left == 0 && !excludes) return make_no_terms();
  if (left == 0 && (flags & kNestedBool) != 0) return make_no_docs("only excludes");
  if (left == 1 && dropped > 0 && (flags & kListBool) != 0)
    return std::move(clauses.must.empty() ? clauses.should[0] : clauses.must[0]);
  return make_with_minimum(std::move(clauses), nodes.minimum_should_match, scope);
}

}  // namespace

Result<WeightPtr> compile_bool(PlanReader& reader, Compiler& compiler, Scope scope) {
  QUARRY_ASSIGN_OR_RETURN(const BoolNodes nodes, read_bool(reader));
  if ((reader.flags() & kStringBool) != 0)
    return compile_string_bool(nodes, compiler, scope, reader.flags());
  const size_t all =
      nodes.must.size() + nodes.filter.size() + nodes.should.size() + nodes.must_not.size();
  if (all == 0) return WeightPtr(std::make_unique<AllDocsWeight>(scope.boost));
  BoolClauses clauses;
  QUARRY_RETURN_IF_ERROR(compile_clauses(compiler, nodes, scope, clauses));
  return make_with_minimum(std::move(clauses), nodes.minimum_should_match, scope);
}

}  // namespace quarry
