// The weight of a single term, and the choice of weight by field type.
#include "query/clauses/term_query.h"

#include <algorithm>
#include <utility>

#include "base/bit_list.h"
#include "json/source_filter.h"
#include "mapping/dates/date_number.h"
#include "mapping/values/numeric.h"
#include "query/clauses/ids_query.h"
#include "query/clauses/pattern_query.h"
#include "query/clauses/range_field_query.h"
#include "query/clauses/range_query.h"
#include "query/functions/rank_feature_query.h"
#include "query/plan/clause_table.h"
#include "query/scorers/boolean_term.h"
#include "query/scorers/constant_weight.h"
#include "query/scorers/doc_runs.h"
#include "query/scorers/term_scorer.h"

namespace quarry {
namespace {

/// Up to this number of documents, counting takes no longer than decoding a few blocks.
constexpr uint32_t kMostCounted = 16384;
constexpr uint32_t kStopBlocks = 64;  // blocks of postings between two checks of the clock

class TermQueryWeight final : public Weight, public TermClause {
 public:
  TermQueryWeight(const Field& field, std::string term, TermState state)
      : field_(field), term_(std::move(term)), state_(std::move(state)) {
    set_term_clause(this);
  }
  /// Enables scoring; called before any other method.
  void read_scores(const SimilarityFacts& facts, std::shared_ptr<const NormTable> norms) {
    scored_ = true;
    facts_ = facts;
    facts_.idf = inverse_document_frequency(state_.doc_freq, facts_.totals.doc_count);
    facts_.add_occurrences(state_.total_term_freq);
    similarity_ = TermSimilarity(facts_, std::move(norms));
    set_bound(similarity_.bound());
  }

  uint64_t cost(const Leaf& leaf) override { return state_.place(leaf).info.doc_freq; }
  ScorerPtr scorer(const Leaf& leaf, uint64_t /*lead_cost*/) override { return term_scorer(leaf); }
  std::unique_ptr<TermScorer> term_scorer(const Leaf& leaf) override {
    const TermPlace& place = state_.place(leaf);
    if (place.field == nullptr) return nullptr;
    // Not make_unique(): a scorer cannot be moved.
    return std::unique_ptr<TermScorer>(new TermScorer(make_scorer(leaf, place)));
  }
  SingleTerm term() const override { return {field_.name, term_}; }
  uint32_t list_live(const Leaf& leaf, StopCheck& stop, uint32_t* out) override {
    const TermPlace& place = state_.place(leaf);
    if (place.field == nullptr) return 0;
    std::unique_ptr<TermWork> work = works_.take();
    work->cursor.reset(place.field->inverted->source(), place.info);
    const uint32_t count = copy_live(work->cursor, leaf, stop, out);
    leaf.counters->postings.add(work->cursor.work());
    works_.give_back(std::move(work));
    return count;
  }
  std::unique_ptr<BulkScorer> bulk_scorer(const Leaf& leaf) override {
    const TermPlace& place = state_.place(leaf);
    if (place.field == nullptr) return nullptr;
    return std::make_unique<Bulk>(*this, leaf, place);
  }
  LeafPlan plan(const Leaf& leaf, Counting counting) override {
    LeafPlan plan{.counts_first = true};
    if (counting == Counting::kNone) return plan;
    if (leaf.live == nullptr) {
      plan.count = static_cast<int64_t>(cost(leaf));
    } else if (counting == Counting::kQuickly) {
      plan.count = count_quickly(leaf);
    }
    return plan;
  }
  Explanation explain(const Leaf& leaf, uint32_t doc) override {
    const auto& [field, ordinal, info] = state_.place(leaf);
    PostingsCursor cursor;
    if (field != nullptr) cursor.reset(field->inverted->source(), info);
    if (field == nullptr || cursor.advance(doc) != doc)
      return Explanation::no_match("no matching term");
    const std::string what =
        "weight(" + describe() + " in " + std::to_string(doc) + "), result of:";
    if (!scored_) return Explanation::matched(0, what);
    const uint8_t norm = field->norms == nullptr ? kNoNorms : field->norms[doc];
    return explain_similarity(facts_, explain_idf(state_.doc_freq, facts_.totals.doc_count),
                              similarity_, static_cast<float>(cursor.freq()), norm, what);
  }
  void report_matches(const Leaf& /*leaf*/, uint32_t /*doc*/, MatchSink& sink) override {
    sink.term(field_, term_);
  }
  std::string describe() const override { return field_.name + ":" + term_; }

 private:
  class Bulk final : public BulkScorer {
   public:
    Bulk(TermQueryWeight& weight, const Leaf& leaf, const TermPlace& place)
        : leaf_(leaf), scorer_(weight.make_scorer(leaf, place)) {}
    void run(Collector& collector, StopCheck& stop) override {
      scorer_.run(leaf_, collector, stop);
    }

   private:
    const Leaf& leaf_;
    TermScorer scorer_;
  };

  TermScorer make_scorer(const Leaf& leaf, const TermPlace& place) {
    const InvertedField& postings = *place.field->inverted;
    if (!scored_) return {postings, place.info, 0.0F, leaf.counters, works_};
    return {postings, place.info, place.field->norms, similarity_, leaf.counters, works_};
  }

  /// The count without deleted documents, which the statistics of the term include.
  int64_t count_quickly(const Leaf& leaf) {
    const TermPlace& place = state_.place(leaf);
    if (place.field == nullptr) return 0;
    const bool dear = place.info.doc_freq > kMostCounted;
    const auto count = [&leaf, &place] { return count_live(leaf, place); };
    if (state_.kept != nullptr) return state_.kept->live_count(leaf).get(leaf, dear, count);
    return dear ? -1 : static_cast<int64_t>(count());
  }

  static uint64_t count_live(const Leaf& leaf, const TermPlace& place) {
    PostingsCursor cursor(place.field->inverted->source(), place.info);
    const uint64_t count = count_in_runs(cursor, {{0, leaf.max_doc}}, leaf.live);
    leaf.counters->postings.add(cursor.work());
    return count;
  }

  static uint32_t copy_live(PostingsCursor& postings, const Leaf& leaf, StopCheck& stop,
                            uint32_t* out) {
    uint32_t seen = 0;
    uint32_t count = 0;
    uint32_t from = 0;
    for (uint32_t blocks = 1; postings.shallow_advance(from); blocks++) {
      const std::span<const uint32_t> docs = postings.decode_docs();
      seen += static_cast<uint32_t>(docs.size());
      // More documents than the term has: the postings are damaged.
      if (docs.empty() || seen > postings.doc_freq()) break;
      if (blocks % kStopBlocks == 0 && stop.expired()) break;
      if (leaf.live == nullptr) {
        std::copy(docs.begin(), docs.end(), out + count);
        count = seen;
      } else {
        count += keep_set(docs, leaf.live->words().data(), out + count);
      }
      from = docs.back() + 1;
    }
    return count;
  }

  const Field& field_;
  std::string term_;
  TermState state_;
  bool scored_ = false;
  SimilarityFacts facts_;  // set only if scores are read
  TermSimilarity similarity_;
  TermWorkPool works_;
};

Result<WeightPtr> make_ip_term(const ResolvedField& resolved, const Scalar& value, Scope scope) {
  QUARRY_ASSIGN_OR_RETURN(IpRange range, parse_ip_range(value.text));
  return make_term_range(*resolved.field, {std::move(range.low), true},
                         {std::move(range.high), true}, scope.boost);
}

Result<WeightPtr> make_number_term(Compiler& compiler, const Field& field, const Scalar& value,
                                   Scope scope) {
  QUARRY_ASSIGN_OR_RETURN(const Bound bound,
                          parse_bound(field, value.text, value.quoted(), BoundKind::kExact, false,
                                      {}, {}, compiler.now_ms()));
  if (bound.none)
    return make_no_docs("value [" + value.text + "] is not one of field [" + field.name + "]");
  if (field.is_boolean()) return make_boolean_term(compiler, field, bound.value != 0, scope);
  return make_number_range(field, bound.value, bound.value, scope.boost);
}

Result<WeightPtr> make_date_term(Compiler& compiler, const Field& field, const Scalar& value,
                                 Scope scope) {
  // A date without its smaller units stands for its whole span, like a range from it to itself.
  if (mentions_now(value.text)) compiler.depends_on_now();
  const std::string_view zone = compiler.time_zone();
  if (!zone.empty()) compiler.depends_on_surroundings();
  const std::string_view format = value.quoted() ? std::string_view() : kDateNumberFormat;
  QUARRY_ASSIGN_OR_RETURN(const Bound low,
                          parse_bound(field, value.text, value.quoted(), BoundKind::kLower, false,
                                      format, zone, compiler.now_ms()));
  QUARRY_ASSIGN_OR_RETURN(const Bound high,
                          parse_bound(field, value.text, value.quoted(), BoundKind::kUpper, false,
                                      format, zone, compiler.now_ms()));
  if (low.none || high.none) return make_no_docs("no such date");
  return make_number_range(field, low.value, high.value, scope.boost);
}

}  // namespace

WeightPtr make_term_weight(Compiler& compiler, const Field& field, std::string term,
                           TermState state, Scope scope) {
  if (state.doc_freq == 0 && !compiler.keeps_absent_terms()) return make_no_docs("no such term");
  auto weight = std::make_unique<TermQueryWeight>(field, std::move(term), std::move(state));
  if (scope.scores)
    weight->read_scores(compiler.similarity_facts(field, scope.boost), compiler.norm_table(field));
  return weight;
}

WeightPtr make_term_weight(Compiler& compiler, const Field& field, std::string term, Scope scope) {
  TermState state = compiler.term(field.name, term);
  return make_term_weight(compiler, field, std::move(term), std::move(state), scope);
}

WeightPtr make_index_name_match(bool matches, float boost) {
  if (!matches) return make_no_docs("The index doesn't match");
  return std::make_unique<AllDocsWeight>(boost);
}

Result<WeightPtr> make_field_term(Compiler& compiler, const ResolvedField& resolved,
                                  const Scalar& value, Scope scope) {
  switch (resolved.kind) {
    case ResolvedField::Kind::kUnmapped:
      return make_no_docs("unmapped field");
    case ResolvedField::Kind::kId:
      return make_ids_weight({value.text}, scope.boost);
    case ResolvedField::Kind::kIndexName:
      return make_index_name_match(simple_match(value.text, compiler.context().index_name),
                                   scope.boost);
    case ResolvedField::Kind::kField:
      break;
  }
  const Field& field = *resolved.field;
  QUARRY_RETURN_IF_ERROR(Compiler::check_searchable(field));
  switch (field.traits().query) {
    case QueryKind::kNone:
      return illegal_argument("Binary fields do not support searching");
    case QueryKind::kNumbers:
    case QueryKind::kBooleans:
      return make_number_term(compiler, field, value, scope);
    case QueryKind::kDates:
      return make_date_term(compiler, field, value, scope);
    case QueryKind::kAddresses:
      return make_ip_term(resolved, value, scope);
    case QueryKind::kRanges:
      return make_range_term(compiler, field, value, scope.boost);
    case QueryKind::kFeatures:
      return make_feature_term(compiler, field, value.text, scope);
    case QueryKind::kTerms:
      break;
  }
  QUARRY_ASSIGN_OR_RETURN(std::string term, index_term(field, value.text, compiler.analysis()));
  if (!resolved.prefix.empty()) term.insert(0, resolved.prefix);
  if (!field.indexed) return make_term_range(field, {term, true}, {term, true}, scope.boost);
  return make_term_weight(compiler, field, std::move(term), scope);
}

Result<WeightPtr> compile_term(PlanReader& reader, Compiler& compiler, Scope scope) {
  const std::string_view name = reader.get_string();
  const Scalar value = read_scalar(reader);
  const bool case_insensitive = reader.get<uint8_t>() != 0;
  if (reader.failed()) return malformed_clause("term");
  QUARRY_RETURN_IF_ERROR(compiler.count_clauses());
  const ResolvedField resolved = compiler.resolve(name);
  if (!case_insensitive) return make_field_term(compiler, resolved, value, scope);
  // A boolean has one spelling; like every case-insensitive term it scores a constant.
  const bool boolean = resolved.field != nullptr && resolved.field->is_boolean();
  if (boolean) return make_field_term(compiler, resolved, value, scope.without_scores());
  return make_case_insensitive_term(compiler, resolved, value.text, scope);
}

}  // namespace quarry
