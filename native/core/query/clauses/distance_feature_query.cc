// distance_feature: documents with a date or a point; the score grows as it gets closer to an
// origin. boost * pivot / (pivot + distance), with the distance to the nearest of several values.
#include <algorithm>
#include <cmath>
#include <utility>

#include "mapping/values/numeric.h"
#include "query/clauses/range_query.h"
#include "query/functions/score_function.h"
#include "query/geo/geo_distance.h"
#include "query/geo/geo_query.h"
#include "query/geo/geo_request.h"
#include "query/geo/point_column.h"
#include "query/plan/clause_table.h"
#include "query/scorers/constant_weight.h"

namespace quarry {
namespace {

struct FeatureSpec {
  const Field* field = nullptr;
  int64_t origin = 0;
  GeoPoint place;    // the origin, for a field of points
  double pivot = 0;  // milliseconds, nanoseconds or meters
  float boost = 1;

  /// The distance of a value of the column. That of dates is a double, which cannot overflow.
  double distance(int64_t value) const {
    if (field->has_points())
      return distance_between(DistanceType::kArc, place, decode_point(value));
    return std::fabs(static_cast<double>(value) - static_cast<double>(origin));
  }
  std::string origin_text() const {
    return field->has_points() ? point_to_text(place) : std::to_string(origin);
  }
};

const Column* feature_column(const FeatureSpec& spec, const Leaf& leaf) {
  if (spec.field->has_points()) return find_points(leaf, spec.field->name);
  const SegmentField* const held = leaf.segment->field(spec.field->name);
  return held == nullptr ? nullptr : held->column;
}

int64_t nearest(const Column& column, uint32_t doc, const FeatureSpec& spec) {
  int64_t best = column.value(doc);
  double least = spec.distance(best);
  column.each(doc, [&](int64_t value) {
    const double distance = spec.distance(value);
    if (distance >= least) return;
    least = distance;
    best = value;
  });
  return best;
}

float score_of(const FeatureSpec& spec, int64_t value) {
  return static_cast<float>(static_cast<double>(spec.boost) *
                            (spec.pivot / (spec.pivot + spec.distance(value))));
}

/// The documents that have a value.
WeightPtr present_of(const FeatureSpec& spec) {
  if (!spec.field->has_points())
    return make_number_range(*spec.field, INT64_MIN, INT64_MAX, spec.boost);
  return make_point_exists(*spec.field, spec.boost);
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
    return score_of(spec_, nearest(column_, doc(), spec_));
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
      : spec_(spec), scores_(scores), present_(present_of(spec)) {
    set_bound(spec_.boost);
  }
  uint64_t cost(const Leaf& leaf) override { return present_->cost(leaf); }
  ScorerPtr scorer(const Leaf& leaf, uint64_t lead_cost) override {
    const Column* const column = feature_column(spec_, leaf);
    if (column == nullptr) return nullptr;
    ScorerPtr present = present_->scorer(leaf, lead_cost);
    if (present == nullptr || !scores_) return present;
    return std::make_unique<FeatureScorer>(std::move(present), *column, spec_, leaf.counters);
  }
  LeafPlan plan(const Leaf& leaf, Counting counting) override {
    return {.count = counting == Counting::kNone ? -1 : present_->count(leaf)};
  }
  Explanation explain(const Leaf& leaf, uint32_t doc) override {
    const Column* const column = feature_column(spec_, leaf);
    if (column == nullptr || column->count(doc) == 0) {
      return Explanation::no_match("Document " + std::to_string(doc) +
                                   " doesn't have a value for field " + spec_.field->name);
    }
    const int64_t value = nearest(*column, doc, spec_);
    std::vector<Explanation> parts;
    parts.push_back(Explanation::matched(static_cast<double>(spec_.boost), "weight"));
    parts.push_back(Explanation::matched(spec_.pivot, "pivotDistance"));
    if (spec_.field->has_points()) {
      const GeoPoint point = decode_point(value);
      parts.push_back(Explanation::matched(spec_.place.lat, "originLat"));
      parts.push_back(Explanation::matched(spec_.place.lon, "originLon"));
      parts.push_back(Explanation::matched(point.lat, "current lat"));
      parts.push_back(Explanation::matched(point.lon, "current lon"));
    } else {
      parts.push_back(Explanation::matched(static_cast<double>(spec_.origin), "origin"));
      parts.push_back(Explanation::matched(static_cast<double>(value), "current value"));
    }
    return Explanation::matched(
        static_cast<double>(score_of(spec_, value)),
        "Distance score, computed as weight * pivotDistance / (pivotDistance + abs(value - "
        "origin)) from:",
        std::move(parts));
  }
  std::string describe() const override {
    return std::string(spec_.field->has_points() ? "LatLonPoint" : "Long") +
           "DistanceFeatureQuery(field=" + spec_.field->name + ",origin=" + spec_.origin_text() +
           ",pivotDistance=" + float_text(spec_.pivot) + ")";
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
  const bool distant = resolved.field != nullptr && resolved.field->doc_values &&
                       (resolved.field->is_date() || resolved.field->has_points());
  if (!distant) {
    return Status(
        ErrorType::kIllegalArgument,
        "Illegal data type of [" +
            (resolved.field == nullptr ? name
                                       : std::string(field_type_name(resolved.field->type))) +
            "]! [distance_feature] query can only be run on a date, date_nanos or geo_point field "
            "type with doc values, field [" +
            name + "] is none");
  }
  FeatureSpec spec;
  spec.field = resolved.field;
  spec.boost = scope.boost;
  if (spec.field->has_points()) {
    QUARRY_ASSIGN_OR_RETURN(spec.place,
                            read_origin_point(origin.text, "[origin] of [distance_feature]"));
    QUARRY_ASSIGN_OR_RETURN(spec.pivot,
                            read_distance(pivot.text, 1, "[pivot] of [distance_feature]"));
    if (spec.pivot <= 0) return Status(ErrorType::kIllegalArgument, "pivotDistance must be > 0");
    return WeightPtr(std::make_unique<FeatureWeight>(spec, scope.scores));
  }
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
