// distance_feature: documents with a date; the score grows as the date gets closer to an origin.
// boost * pivot / (pivot + distance), with the distance to the nearest of several dates.
#include <algorithm>
#include <cmath>
#include <utility>

#include "mapping/values/numeric.h"
#include "query/clauses/range_query.h"
#include "query/functions/score_function.h"
#include "query/plan/clause_table.h"
#include "query/scorers/constant_weight.h"

namespace quarry {
namespace {

struct FeatureSpec {
  const Field* field = nullptr;
  int64_t origin = 0;
  double pivot = 0;
  float boost = 1;
};

/// The distance of two dates, in double so that it cannot overflow.
double distance(int64_t a, int64_t b) {
  return std::fabs(static_cast<double>(a) - static_cast<double>(b));
}

int64_t nearest(const Column& column, uint32_t doc, int64_t origin) {
  int64_t best = column.value(doc);
  column.each(doc, [&](int64_t value) {
    if (distance(value, origin) < distance(best, origin)) best = value;
  });
  return best;
}

float score_of(const FeatureSpec& spec, int64_t value) {
  return static_cast<float>(static_cast<double>(spec.boost) *
                            (spec.pivot / (spec.pivot + distance(value, spec.origin))));
}

class FeatureScorer final : public Scorer {
 public:
  FeatureScorer(ScorerPtr present, const Column& column, const FeatureSpec& spec,
                WorkCounters* counters)
      : present_(std::move(present)), column_(column), spec_(spec), counters_(counters) {
    set_two_phase(present_->two_phase());
  }
  uint32_t next() override { return move(present_->next()); }
  uint32_t advance(uint32_t target) override { return move(present_->advance(target)); }
  bool matches() override { return present_->matches(); }
  float score() override {
    if (counters_ != nullptr) counters_->docs_scored++;
    return score_of(spec_, nearest(column_, doc(), spec_.origin));
  }
  uint64_t cost() const override { return present_->cost(); }
  float bound() const override { return spec_.boost; }

 private:
  ScorerPtr present_;
  const Column& column_;
  const FeatureSpec& spec_;
  WorkCounters* counters_;
};

class FeatureWeight final : public Weight {
 public:
  FeatureWeight(FeatureSpec spec, bool scores)
      : spec_(spec),
        scores_(scores),
        present_(make_number_range(*spec.field, INT64_MIN, INT64_MAX, spec.boost)) {
    set_bound(spec_.boost);
  }
  uint64_t cost(const Leaf& leaf) override { return present_->cost(leaf); }
  ScorerPtr scorer(const Leaf& leaf, uint64_t lead_cost) override {
    const SegmentField* held = leaf.segment->field(spec_.field->name);
    if (held == nullptr || held->column == nullptr) return nullptr;
    ScorerPtr present = present_->scorer(leaf, lead_cost);
    if (present == nullptr || !scores_) return present;
    return std::make_unique<FeatureScorer>(std::move(present), *held->column, spec_, leaf.counters);
  }
  LeafPlan plan(const Leaf& leaf, Counting counting) override {
    return {.count = counting == Counting::kNone ? -1 : present_->count(leaf)};
  }
  Explanation explain(const Leaf& leaf, uint32_t doc) override {
    const SegmentField* held = leaf.segment->field(spec_.field->name);
    if (held == nullptr || held->column == nullptr || held->column->count(doc) == 0) {
      return Explanation::no_match("Document " + std::to_string(doc) +
                                   " doesn't have a value for field " + spec_.field->name);
    }
    const int64_t value = nearest(*held->column, doc, spec_.origin);
    std::vector<Explanation> parts;
    parts.push_back(Explanation::matched(static_cast<double>(spec_.boost), "weight"));
    parts.push_back(Explanation::matched(spec_.pivot, "pivotDistance"));
    parts.push_back(Explanation::matched(static_cast<double>(spec_.origin), "origin"));
    parts.push_back(Explanation::matched(static_cast<double>(value), "current value"));
    return Explanation::matched(
        static_cast<double>(score_of(spec_, value)),
        "Distance score, computed as weight * pivotDistance / (pivotDistance + abs(value - "
        "origin)) from:",
        std::move(parts));
  }
  std::string describe() const override {
    return "LongDistanceFeatureQuery(field=" + spec_.field->name +
           ",origin=" + std::to_string(spec_.origin) + ",pivotDistance=" + float_text(spec_.pivot) +
           ")";
  }

 private:
  FeatureSpec spec_;
  bool scores_;
  WeightPtr present_;
};

}  // namespace

Result<WeightPtr> compile_distance_feature(PlanReader& reader, Compiler& compiler, Scope scope) {
  const std::string name(reader.get_string());
  const Scalar origin = read_scalar(reader);
  const Scalar pivot = read_scalar(reader);
  if (reader.failed()) return malformed_clause("distance_feature");
  QUARRY_RETURN_IF_ERROR(compiler.count_clauses());
  const ResolvedField resolved = compiler.resolve(name);
  if (resolved.kind == ResolvedField::Kind::kUnmapped)
    return make_no_docs("Can't run [distance_feature] query on unmapped fields!");
  if (resolved.field == nullptr || !resolved.field->is_date() || !resolved.field->doc_values) {
    return Status(
        ErrorType::kIllegalArgument,
        "Illegal data type of [" +
            (resolved.field == nullptr ? name
                                       : std::string(field_type_name(resolved.field->type))) +
            "]! [distance_feature] query can only be run on a date field type with doc "
            "values, field [" +
            name + "] is none");
  }
  FeatureSpec spec;
  spec.field = resolved.field;
  spec.boost = scope.boost;
  if (mentions_now(origin.text)) compiler.depends_on_now();
  QUARRY_ASSIGN_OR_RETURN(const Bound bound,
                          // A date stands for its last moment, as in Elasticsearch.
                          parse_bound(*spec.field, origin.text, origin.quoted(), BoundKind::kUpper,
                                      false, {}, {}, compiler.now_ms()));
  spec.origin = bound.value;
  QUARRY_ASSIGN_OR_RETURN(spec.pivot, parse_duration(pivot.text, "[pivot] of [distance_feature]"));
  if (spec.field->traits().nanoseconds) spec.pivot *= static_cast<double>(kNanosPerMs);
  if (spec.pivot <= 0) return Status(ErrorType::kIllegalArgument, "pivotDistance must be > 0");
  return WeightPtr(std::make_unique<FeatureWeight>(spec, scope.scores));
}

}  // namespace quarry
