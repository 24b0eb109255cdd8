// Sort keys by the distance to points (_geo_distance).
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "mapping/values/numeric.h"
#include "query/fetch/fielddata.h"
#include "query/geo/geo_distance.h"
#include "query/geo/geo_request.h"
#include "query/geo/point_column.h"
#include "query/nested/nested_sort.h"
#include "query/sort/sort_key.h"

namespace quarry {
namespace {

constexpr size_t kMaxSortPoints = 100;
// The median keeps all distances of a document, which may have millions of points.
constexpr size_t kMaxMedianPoints = 4;

struct DistanceSortSpec {
  std::string field;
  std::vector<GeoPoint> points;
  DistanceType type = DistanceType::kArc;
  double unit_meters = 1;
  bool descending = false;
  SortMode mode = SortMode::kMin;          // min, max, avg or median
  std::shared_ptr<NestedSortDocs> nested;  // null: the points of the document itself
};

/// A document without a point is infinitely far away.
class DistanceSort final : public SortSource {
 public:
  explicit DistanceSort(DistanceSortSpec spec) : spec_(std::move(spec)) {}

  void start_leaf(const Leaf& leaf) override {
    column_ = find_points(leaf, spec_.field);
    stop_ = leaf.stop;
    if (spec_.nested != nullptr) spec_.nested->start_leaf(leaf);
  }
  void set_anchor(Anchor anchor, const SortValue& value) override { anchors_[anchor] = value; }
  int compare(Anchor anchor, uint32_t doc, float score) override {
    return compare_values(value(doc, score), anchors_[anchor]);
  }
  int compare_values(const SortValue& a, const SortValue& b) const override {
    const int order = a.number < b.number ? -1 : a.number > b.number ? 1 : 0;
    return spec_.descending ? -order : order;
  }
  SortValue value(uint32_t doc, float /*score*/) override {
    // Both compare() and value() are called for a document that is kept.
    if (doc != last_doc_ || column_ != last_column_) {
      last_ = {false, sortable_from_double(distance(doc)), {}};
      last_doc_ = doc;
      last_column_ = column_;
    }
    return last_;
  }
  Result<SortValue> parse(const Scalar& scalar) const override {
    if (scalar.kind == Scalar::Kind::kNull)
      return SortValue{false, sortable_from_double(kNowhere), {}};
    QUARRY_ASSIGN_OR_RETURN(const double value,
                            search_after_number<double>(scalar.text, spec_.field));
    return SortValue{false, sortable_from_double(value), {}};
  }
  SortColumn make_column() const override {
    SortColumn column;
    column.kind = SortColumnKind::kDouble;
    return column;
  }
  void append(const SortValue& value, SortColumn& column) const override {
    column.nulls.push_back(0);
    column.doubles.push_back(double_from_sortable(value.number));
  }

 private:
  static constexpr double kNowhere = std::numeric_limits<double>::infinity();

  double distance(uint32_t doc) {
    if (column_ == nullptr) return kNowhere;
    found_ = {};
    if (spec_.nested == nullptr) {
      add_distances(doc);
    } else {
      spec_.nested->each(doc, [this](uint32_t nested) { return add_distances(nested); });
    }
    return found_.count == 0 ? kNowhere : combined();
  }
  /// Whether the document has a point. A document may have millions of points.
  bool add_distances(uint32_t doc) {
    const uint64_t before = found_.count;
    const auto steps = static_cast<uint32_t>(kStepsPerDistance * spec_.points.size());
    column_->each(doc, [this, steps](int64_t packed) {
      if (stop_ != nullptr && stop_->step(steps)) return;
      const GeoPoint point = decode_point(packed);
      for (const GeoPoint& from : spec_.points) {
        const double meters = distance_between(spec_.type, from, point);
        found_.add(spec_.unit_meters == 1 ? meters : meters / spec_.unit_meters);
        if (spec_.mode == SortMode::kMedian) found_.all.push_back(found_.last);
      }
    });
    return found_.count > before;
  }
  double combined() {
    switch (spec_.mode) {
      case SortMode::kMax:
        return found_.most;
      case SortMode::kAvg:
        return found_.sum / static_cast<double>(found_.count);
      case SortMode::kMedian:
        return median(found_.all);
      default:
        return found_.least;
    }
  }
  static double median(std::vector<double>& values) {
    std::sort(values.begin(), values.end());
    const size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
  }

  /// The distances of one document.
  struct FoundDistances {
    uint64_t count = 0;
    double last = 0;
    double least = kNowhere;
    double most = 0;
    double sum = 0;
    std::vector<double> all;  // for the median
    void add(double distance) {
      count++;
      last = distance;
      least = std::min(least, distance);
      most = std::max(most, distance);
      sum += distance;
    }
  };
  static constexpr uint32_t kStepsPerDistance = 16;

  DistanceSortSpec spec_;
  const Column* column_ = nullptr;
  uint32_t last_doc_ = UINT32_MAX;
  const Column* last_column_ = nullptr;
  SortValue last_;
  StopCheck* stop_ = nullptr;
  FoundDistances found_;
  SortValue anchors_[kAnchors];
};

Status check_distance_field(const Field& field) {
  if (!field.has_points()) {
    return illegal_argument("unable to apply geo distance sort to field [" + field.name +
                            "] of type [" + std::string(field_type_name(field.type)) + "]");
  }
  return field.doc_values ? Status() : unsupported_fielddata(field);
}

}  // namespace

Result<std::unique_ptr<SortSource>> make_distance_sort(Compiler& compiler, const SortKey& key) {
  PlanReader reader(key.details, nullptr);
  DistanceSortSpec spec;
  spec.field = std::string(reader.get_string());
  const std::string_view points = reader.get_string();
  const auto validation = reader.get<uint8_t>();
  const auto ignore_unmapped = reader.get<uint8_t>();
  const auto plane = reader.get<uint8_t>();
  const std::string_view unit = reader.get_string();
  if (reader.failed() || !reader.done() || validation > 2)
    return malformed_clause("_geo_distance sort");
  const std::string what = "[_geo_distance] of field [" + spec.field + "]";
  spec.type = plane == 1 ? DistanceType::kPlane : DistanceType::kArc;
  spec.descending = key.descending;
  spec.mode = key.mode;
  if (key.mode == SortMode::kDefault) spec.mode = key.descending ? SortMode::kMax : SortMode::kMin;
  QUARRY_ASSIGN_OR_RETURN(spec.unit_meters,
                          unit.empty() ? Result<double>(1.0) : meters_of_unit(unit));
  QUARRY_ASSIGN_OR_RETURN(
      spec.points,
      read_request_points(points, static_cast<Validation>(validation), what,
                          spec.mode == SortMode::kMedian ? kMaxMedianPoints : kMaxSortPoints));
  const ResolvedField resolved = compiler.resolve(spec.field);
  if (resolved.kind == ResolvedField::Kind::kUnmapped && ignore_unmapped == 1)
    return std::unique_ptr<SortSource>(std::make_unique<DistanceSort>(std::move(spec)));
  if (resolved.field == nullptr)
    return illegal_argument("failed to find mapper for [" + spec.field +
                            "] for geo distance based sort");
  QUARRY_RETURN_IF_ERROR(check_distance_field(*resolved.field));
  QUARRY_ASSIGN_OR_RETURN(spec.nested, nested_docs_of(compiler, key, *resolved.field));
  return std::unique_ptr<SortSource>(std::make_unique<DistanceSort>(std::move(spec)));
}

}  // namespace quarry
