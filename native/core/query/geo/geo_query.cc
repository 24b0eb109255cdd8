// geo_distance, geo_bounding_box and geo_polygon: documents with a point in an area. The column is
// read zone by zone for all documents, or for the candidates of another clause if it leads.
#include "query/geo/geo_query.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "columns/column_loops.h"
#include "json/number.h"
#include "query/geo/geo_area.h"
#include "query/geo/geo_distance.h"
#include "query/geo/point_column.h"
#include "query/plan/clause_table.h"
#include "query/scorers/constant_weight.h"
#include "query/scorers/join_strategy.h"

namespace quarry {
namespace {

constexpr size_t kMaxPolygonPoints = 10000;
constexpr uint32_t kStepsPerPointZone = 256;
constexpr uint64_t kDocsPerPoint = 4;  // a point costs as much as this many postings

/// Proposes every document of the zones that may have a point in the area.
class GeoScorer final : public Scorer {
 public:
  GeoScorer(const Column& column, const GeoArea& area, float score, uint64_t cost, StopCheck* stop)
      : column_(column), area_(area), score_(score), cost_(cost), stop_(stop) {
    set_two_phase(true);
    set_bits_cost(kDocsPerPoint * cost);
  }

  uint32_t next() override { return advance(before(0) ? 0 : doc() + 1); }
  uint32_t advance(uint32_t target) override {
    while (target < column_.max_doc() && !exhausted_) {
      const uint32_t zone = target / kZoneDocs;
      if (zone != zone_) {
        zone_ = zone;
        fits_ = area_.may_hold(column_.zone(zone));
      }
      if (fits_) return move(target);
      target = (zone + 1) * kZoneDocs;
    }
    return move(kNoMoreDocs);
  }
  bool matches() override {
    uint32_t steps = 1;
    bool found = false;
    column_.each(doc(), [&](int64_t value) {
      if (found || exhausted_) return;
      found = area_.holds(value, ++steps);
      if (steps >= StopCheck::kStepsPerLook) look(std::exchange(steps, 0));
    });
    look(steps);
    return found;
  }
  float score() override { return score_; }
  uint64_t cost() const override { return cost_; }
  float bound() const override { return score_; }
  void set_threshold(float threshold) override { exhausted_ = exhausted_ || score_ <= threshold; }

 private:
  void look(uint32_t steps) {
    if (stop_ != nullptr && stop_->step(steps)) exhausted_ = true;
  }

  const Column& column_;
  const GeoArea& area_;
  float score_;
  uint64_t cost_;
  StopCheck* stop_;
  uint32_t zone_ = UINT32_MAX;
  bool fits_ = false;
  bool exhausted_ = false;
};

class GeoWeight final : public ConstantWeight {
 public:
  GeoWeight(const Field& field, GeoArea area, std::string text, float boost)
      : ConstantWeight(boost), field_(field.name), area_(std::move(area)), text_(std::move(text)) {}

  ScorerPtr scorer(const Leaf& leaf, uint64_t lead_cost) override {
    const Column* const column = find_points(leaf, field_);
    if (column == nullptr) return nullptr;
    if (!join::probes_column(lead_cost, leaf.max_doc))
      return make_doc_id_set_scorer(set(leaf), score_);
    return std::make_unique<GeoScorer>(*column, area_, score_, estimate(leaf), leaf.stop);
  }
  std::string describe() const override { return text_; }

 protected:
  DocIdSetPtr build(const Leaf& leaf) override {
    Bitset bits(leaf.max_doc);
    if (const Column* const column = find_points(leaf, field_); column != nullptr)
      collect(*column, leaf.stop, bits);
    return std::make_shared<DocIdSet>(std::move(bits));
  }
  uint64_t estimate(const Leaf& leaf) override {
    const Column* const column = find_points(leaf, field_);
    if (column == nullptr) return 0;
    if (estimates_.size() <= leaf.ord) estimates_.resize(leaf.ord + 1);
    std::optional<uint64_t>& known = estimates_[leaf.ord];
    if (!known) known = count_candidates(*column);
    return *known;
  }

 private:
  uint64_t count_candidates(const Column& column) const {
    uint64_t docs = 0;
    for (uint32_t i = 0; i < column.zone_count(); i++)
      docs += area_.may_hold(column.zone(i)) ? kZoneDocs : 0;
    return std::min<uint64_t>(docs, column.doc_count());
  }

  /// Ends early when `stop` expires.
  void collect(const Column& column, StopCheck* stop, Bitset& out) const {
    const ColumnCodes codes = column.codes();
    const uint32_t max_doc = column.max_doc();
    for (uint32_t i = 0; i < column.zone_count(); i++) {
      if (!area_.may_hold(column.zone(i))) continue;
      uint32_t steps = kStepsPerPointZone;
      bool stopped = false;
      const uint32_t first = i * kZoneDocs;
      const uint32_t end = first + std::min(kZoneDocs, max_doc - first);
      each_code(codes, nullptr, first, end, [&](uint32_t doc, uint64_t code) {
        if (stopped) return;
        const auto value =
            static_cast<int64_t>(static_cast<uint64_t>(codes.base) + codes.step * code);
        if (area_.holds(value, steps)) out.set(doc);
        if (steps < StopCheck::kStepsPerLook) return;
        stopped = stop != nullptr && stop->step(std::exchange(steps, 0));
      });
      if (stop != nullptr && stop->step(steps)) return;
    }
  }

  std::string field_;
  GeoArea area_;
  std::string text_;
  std::vector<std::optional<uint64_t>> estimates_;  // by Leaf::ord
};

/// The parts that all three clauses have.
struct GeoSpec {
  std::string clause;
  std::string field_name;
  std::string_view shape;  // JSON
  Validation validation = Validation::kStrict;
  bool ignore_unmapped = false;
  const Field* field = nullptr;  // null: unmapped
  std::string what() const { return "[" + clause + "] of field [" + field_name + "]"; }
};

GeoSpec read_spec(PlanReader& reader, std::string clause) {
  GeoSpec spec;
  spec.clause = std::move(clause);
  spec.field_name = std::string(reader.get_string());
  spec.shape = reader.get_string();
  const auto validation = reader.get<uint8_t>();
  const auto ignore_unmapped = reader.get<uint8_t>();
  if (validation > 2 || ignore_unmapped > 1) reader.fail();
  spec.validation = static_cast<Validation>(validation);
  spec.ignore_unmapped = ignore_unmapped == 1;
  return spec;
}

/// Sets the field, which is searched by its column, whether it is indexed or has doc values.
Status find_field(GeoSpec& spec, Compiler& compiler) {
  QUARRY_RETURN_IF_ERROR(compiler.count_clauses());
  const ResolvedField resolved = compiler.resolve(spec.field_name);
  if (resolved.kind == ResolvedField::Kind::kUnmapped) {
    if (spec.ignore_unmapped) return {};
    return {ErrorType::kQueryShard, "failed to find geo field [" + spec.field_name + "]"};
  }
  if (resolved.field == nullptr || !resolved.field->has_points()) {
    const std::string type(resolved.field == nullptr ? spec.field_name
                                                     : field_type_name(resolved.field->type));
    return {ErrorType::kQueryShard, "Field [" + spec.field_name + "] is of unsupported type [" +
                                        type + "] for [" + spec.clause + "] query"};
  }
  spec.field = resolved.field;
  if (spec.field->indexed || spec.field->doc_values) return {};
  return {ErrorType::kIllegalArgument, "Cannot search on field [" + spec.field_name +
                                           "] since it is not indexed nor has doc values."};
}

WeightPtr make_weight(const GeoSpec& spec, GeoArea area, const std::string& shape, float boost) {
  if (spec.field == nullptr) return make_no_docs("unmapped field");
  return std::make_unique<GeoWeight>(*spec.field, std::move(area),
                                     spec.clause + ": field=" + spec.field_name + ": " + shape,
                                     boost);
}

}  // namespace

WeightPtr make_point_exists(const Field& field, float boost) {
  return std::make_unique<GeoWeight>(field, GeoArea::box({90, -180, -90, 180}),
                                     "points of field=" + field.name, boost);
}

Result<WeightPtr> compile_geo_distance(PlanReader& reader, Compiler& compiler, Scope scope) {
  GeoSpec spec = read_spec(reader, "geo_distance");
  const Scalar distance = read_scalar(reader);
  const std::string_view unit = reader.get_string();
  if (reader.failed()) return malformed_clause("geo_distance");
  QUARRY_ASSIGN_OR_RETURN(const double unit_meters,
                          unit.empty() ? Result<double>(1.0) : meters_of_unit(unit));
  QUARRY_ASSIGN_OR_RETURN(const double meters, read_distance(distance.text, unit_meters,
                                                             "[distance] of " + spec.what()));
  if (meters <= 0)
    return illegal_argument("[distance] of " + spec.what() + " must be greater than zero, found [" +
                            distance.text + "]");
  QUARRY_RETURN_IF_ERROR(find_field(spec, compiler));
  QUARRY_ASSIGN_OR_RETURN(const GeoPoint center,
                          read_request_point(spec.shape, spec.validation, spec.what()));
  return make_weight(spec, GeoArea::circle(center, meters),
                     point_to_text(center) + " +/- " + format_double(meters) + " meters",
                     scope.boost);
}

Result<WeightPtr> compile_geo_bounding_box(PlanReader& reader, Compiler& compiler, Scope scope) {
  GeoSpec spec = read_spec(reader, "geo_bounding_box");
  if (reader.failed()) return malformed_clause("geo_bounding_box");
  QUARRY_RETURN_IF_ERROR(find_field(spec, compiler));
  QUARRY_ASSIGN_OR_RETURN(const GeoBox box,
                          read_request_box(spec.shape, spec.validation, spec.what()));
  return make_weight(spec, GeoArea::box(box),
                     "[" + format_double(box.left) + ", " + format_double(box.top) + ", " +
                         format_double(box.right) + ", " + format_double(box.bottom) + "]",
                     scope.boost);
}

Result<WeightPtr> compile_geo_polygon(PlanReader& reader, Compiler& compiler, Scope scope) {
  GeoSpec spec = read_spec(reader, "geo_polygon");
  if (reader.failed()) return malformed_clause("geo_polygon");
  QUARRY_RETURN_IF_ERROR(find_field(spec, compiler));
  QUARRY_ASSIGN_OR_RETURN(std::vector<GeoPoint> ring,
                          read_request_points(spec.shape, spec.validation,
                                              "[points] of " + spec.what(), kMaxPolygonPoints));
  const auto same = [](const GeoPoint& a, const GeoPoint& b) {
    return a.lat == b.lat && a.lon == b.lon;
  };
  if (ring.size() > 1 && same(ring.front(), ring.back())) ring.pop_back();
  if (ring.size() < 3)
    return illegal_argument("too few points defined for " + spec.what() + ", give at least three");
  const std::string shape = "polygon of " + std::to_string(ring.size()) + " points";
  return make_weight(spec, GeoArea::polygon(ring), shape, scope.boost);
}

}  // namespace quarry
