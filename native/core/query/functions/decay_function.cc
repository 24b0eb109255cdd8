// gauss, exp and linear: approaches 1 as a document's number, date or point gets closer to an
// origin.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "mapping/values/numeric.h"
#include "query/clauses/range_query.h"
#include "query/functions/score_function.h"
#include "query/geo/geo_distance.h"
#include "query/geo/geo_request.h"
#include "query/geo/point_column.h"

namespace quarry {
namespace {

enum class Shape : uint8_t { kGauss, kExp, kLinear };
constexpr std::string_view kShapeNames[] = {"gauss", "exp", "linear"};
constexpr std::string_view kModeNames[] = {"MIN", "MAX", "SUM", "AVG", "MEDIAN"};

struct DecaySpec {
  Shape shape = Shape::kGauss;
  const Field* field = nullptr;
  double origin = 0;
  GeoPoint place;    // the origin, for a field of points
  double scale = 0;  // in the form that the shape's formula uses
  double offset = 0;
  ValueMode mode = ValueMode::kMin;
};

/// Converts `scale` so that a distance of `scale` decays to `decay`.
double fitted_scale(Shape shape, double scale, double decay) {
  switch (shape) {
    case Shape::kGauss:
      return 0.5 * scale * scale / std::log(decay);
    case Shape::kExp:
      return std::log(decay) / scale;
    default:
      return scale / (1.0 - decay);
  }
}

double evaluate(Shape shape, double distance, double scale) {
  switch (shape) {
    case Shape::kGauss:
      return std::exp(0.5 * distance * distance / scale);
    case Shape::kExp:
      return std::exp(scale * distance);
    default:
      return std::max(0.0, (scale - distance) / scale);
  }
}

double select(ValueMode mode, std::vector<double>& distances) {
  std::sort(distances.begin(), distances.end());
  const size_t count = distances.size();
  double sum = 0;
  for (const double distance : distances) sum += distance;
  switch (mode) {
    case ValueMode::kMin:
      return distances.front();
    case ValueMode::kMax:
      return distances.back();
    case ValueMode::kSum:
      return sum;
    case ValueMode::kAvg:
      return sum / static_cast<double>(count);
    default:
      return count % 2 == 1 ? distances[count / 2]
                            : (distances[count / 2 - 1] + distances[count / 2]) / 2;
  }
}

class Decay final : public ScoreFunction {
 public:
  explicit Decay(DecaySpec spec) : spec_(spec) {}

  /// A document without a value has the distance 0.
  double score(uint32_t doc, float /*query_score*/) override {
    return evaluate(spec_.shape, distance(doc), spec_.scale);
  }
  Explanation explain(uint32_t doc, const Explanation& /*query*/) override {
    const double value = score(doc, 0);
    std::vector<Explanation> details;
    details.push_back(Explanation::matched(value, formula(doc)));
    return Explanation::matched(static_cast<double>(static_cast<float>(value)),
                                "Function for field " + spec_.field->name + ":",
                                std::move(details));
  }

 protected:
  void start_leaf(const Leaf& leaf) override {
    if (spec_.field->has_points()) {
      column_ = find_points(leaf, spec_.field->name);
      return;
    }
    const SegmentField* held = leaf.segment->field(spec_.field->name);
    column_ = held == nullptr ? nullptr : held->column;
  }

 private:
  double distance(uint32_t doc) {
    if (column_ == nullptr || column_->count(doc) == 0) return 0;
    distances_.clear();
    column_->each(doc, [this](int64_t value) {
      distances_.push_back(std::max(0.0, away(value) - spec_.offset));
    });
    return select(spec_.mode, distances_);
  }
  double away(int64_t value) const {
    if (spec_.field->has_points())
      return distance_between(DistanceType::kArc, spec_.place, decode_point(value));
    return std::fabs(column_to_double(*spec_.field, value) - spec_.origin);
  }
  std::string formula(uint32_t doc) const {
    std::string values;
    if (column_ != nullptr) {
      column_->each(doc, [&](int64_t value) {
        if (spec_.field->has_points()) {
          values += (values.empty() ? "" : ", ") + std::string("Math.max(arcDistance(") +
                    point_to_text(decode_point(value)) + "(=doc value), " +
                    point_to_text(spec_.place) + "(=origin)) - " + float_text(spec_.offset) +
                    "(=offset), 0)";
          return;
        }
        values += (values.empty() ? "" : ", ") + std::string("Math.max(Math.abs(") +
                  float_text(column_to_double(*spec_.field, value)) + "(=doc value) - " +
                  float_text(spec_.origin) + "(=origin))) - " + float_text(spec_.offset) +
                  "(=offset), 0)";
      });
    }
    const std::string away =
        std::string(kModeNames[static_cast<size_t>(spec_.mode)]) + "[" + values + "]";
    const std::string scale = float_text(spec_.scale);
    switch (spec_.shape) {
      case Shape::kGauss:
        return "exp(-0.5*pow(" + away + ",2.0)/" + float_text(-spec_.scale) + ")";
      case Shape::kExp:
        return "exp(- " + away + " * " + float_text(-spec_.scale) + ")";
      default:
        return "max(0.0, ((" + scale + " - " + away + ")/" + scale + ")";
    }
  }

  DecaySpec spec_;
  const Column* column_ = nullptr;
  std::vector<double> distances_;
};

Result<double> read_decay_number(const Scalar& scalar, const std::string& what) {
  double value = 0;
  const char* end = scalar.text.data() + scalar.text.size();
  const auto [rest, error] = std::from_chars(scalar.text.data(), end, value);
  if (error == std::errc() && rest == end && std::isfinite(value)) return value;
  return illegal_argument("failed to parse " + what + " with value [" + scalar.text +
                          "], expected a number");
}

Result<double> read_origin(const Scalar& origin, const Field& field, const std::string& name,
                           Compiler& compiler) {
  if (!field.is_date()) {
    if (origin.kind == Scalar::Kind::kNull)
      return Status(ErrorType::kParse, "both [scale] and [origin] must be set for numeric fields.");
    return read_decay_number(origin, "[origin] of [" + name + "]");
  }
  const std::string text = origin.kind == Scalar::Kind::kNull ? "now" : origin.text;
  if (mentions_now(text)) compiler.depends_on_now();
  QUARRY_ASSIGN_OR_RETURN(const Bound bound,
                          parse_bound(field, text, origin.kind != Scalar::Kind::kNumber,
                                      BoundKind::kExact, false, {}, {}, compiler.now_ms()));
  return column_to_double(field, bound.value);
}

Result<double> read_extent(const Scalar& extent, const Field& field, const std::string& what) {
  if (field.has_points()) return read_distance(extent.text, 1, what);
  if (field.is_date()) return parse_duration(extent.text, what);
  return read_decay_number(extent, what);
}

Result<const Field*> find_field(const std::string& name, Compiler& compiler) {
  const ResolvedField resolved = compiler.resolve(name);
  if (resolved.kind != ResolvedField::Kind::kField)
    return Status(ErrorType::kParsing, "unknown field [" + name + "]");
  const Field* field = resolved.field;
  const bool distant = (field->is_numeric() && !field->is_boolean()) || field->has_points();
  if (distant && field->doc_values) return field;
  return Status(ErrorType::kParsing, "field [" + name + "] is of type [" +
                                         std::string(field_type_name(field->type)) +
                                         "], but only numeric types are supported.");
}

}  // namespace

Result<ScoreFunctionPtr> read_decay(PlanReader& reader, Compiler& compiler) {
  const auto shape = reader.get<uint8_t>();
  const std::string field_name(reader.get_string());
  const Scalar origin = read_scalar(reader);
  const Scalar scale = read_scalar(reader);
  const Scalar offset = read_scalar(reader);
  const auto decay = reader.get<double>();
  const auto mode = reader.get<uint8_t>();
  if (reader.failed() || shape > 2 || mode > 4) return malformed_clause("decay");
  const std::string name(kShapeNames[shape]);
  DecaySpec spec;
  spec.shape = static_cast<Shape>(shape);
  spec.mode = static_cast<ValueMode>(mode);
  QUARRY_ASSIGN_OR_RETURN(spec.field, find_field(field_name, compiler));
  if (spec.field->has_points()) {
    if (origin.kind == Scalar::Kind::kNull)
      return Status(ErrorType::kParse, "[origin] must be set for geo fields, give a point.");
    QUARRY_ASSIGN_OR_RETURN(spec.place,
                            read_origin_point(origin.text, "[origin] of [" + name + "]"));
  } else {
    QUARRY_ASSIGN_OR_RETURN(spec.origin, read_origin(origin, *spec.field, name, compiler));
  }
  QUARRY_ASSIGN_OR_RETURN(const double distance,
                          read_extent(scale, *spec.field, "[scale] of [" + name + "]"));
  QUARRY_ASSIGN_OR_RETURN(spec.offset,
                          read_extent(offset, *spec.field, "[offset] of [" + name + "]"));
  if (distance <= 0) return illegal_argument("function_score : scale must be > 0.0.");
  if (spec.offset < 0) return illegal_argument("function_score : offset must be > 0.0.");
  if (!(decay > 0 && decay < 1))
    return illegal_argument("function_score : decay must be in the range (0..1).");
  spec.scale = fitted_scale(spec.shape, distance, decay);
  return ScoreFunctionPtr(std::make_unique<Decay>(spec));
}

}  // namespace quarry
