// Terms and bounds of queries on number fields (declared in mapping/values/numeric.h), rounded to
// values that the field's type can hold, so that a query is only a range over the column.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "json/number.h"
#include "mapping/dates/date_format.h"
#include "mapping/dates/date_math.h"
#include "mapping/dates/time_zone.h"
#include "mapping/schema/number_types.h"
#include "mapping/values/numeric.h"

namespace quarry {

namespace {

constexpr Bound kNone{0, true};
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Status no_number(std::string_view text) {
  return {ErrorType::kNumberFormat, "For input string: \"" + std::string(text) + "\""};
}

/// The place of a number among the values of an integer type: the largest integer <= the number,
/// and whether they are equal. `beyond` is -1 when that integer is below the range of the type, 1
/// when above.
struct Place {
  int64_t floor = 0;
  bool exact = true;
  int beyond = 0;
};

/// The bound for a type with the range `min` to `max`.
Bound integer_bound(const Place& place, int64_t min, int64_t max, BoundKind kind, bool exclusive) {
  if (place.beyond < 0) return kind == BoundKind::kLower ? Bound{min, false} : kNone;
  if (place.beyond > 0) return kind == BoundKind::kUpper ? Bound{max, false} : kNone;
  if (kind == BoundKind::kExact && !place.exact) return kNone;
  const bool up = kind == BoundKind::kLower && (!place.exact || exclusive);
  const bool down = kind == BoundKind::kUpper && place.exact && exclusive;
  if ((up && place.floor == max) || (down && place.floor == min)) return kNone;
  return {place.floor + (up ? 1 : 0) - (down ? 1 : 0), false};
}

Place place_signed(const Decimal& decimal, int64_t min, int64_t max) {
  const uint64_t size =
      decimal.whole + (decimal.negative && decimal.fraction && !decimal.huge ? 1 : 0);
  const uint64_t limit = uint64_t{INT64_MAX} + (decimal.negative ? 1 : 0);
  if (decimal.huge || size > limit || size < decimal.whole)
    return {0, true, decimal.negative ? -1 : 1};
  const auto floor = static_cast<int64_t>(decimal.negative ? 0 - size : size);
  return {floor, !decimal.fraction, floor < min ? -1 : floor > max ? 1 : 0};
}

/// The place in the biased form of unsigned_long columns.
Place place_unsigned(const Decimal& decimal) {
  const bool below = decimal.negative && (decimal.huge || decimal.whole != 0 || decimal.fraction);
  if (below || decimal.huge) return {0, true, below ? -1 : 1};
  return {static_cast<int64_t>(decimal.whole ^ (uint64_t{1} << 63)), !decimal.fraction, 0};
}

Result<Bound> bound_of_integer(const Field& field, std::string_view text, BoundKind kind,
                               bool exclusive) {
  const std::optional<Decimal> decimal = parse_decimal(number_spelling(field, text));
  if (!decimal) return no_number(text);
  const IntegerType* type = field.traits().integer;
  if (type == nullptr)
    return integer_bound(place_unsigned(*decimal), INT64_MIN, INT64_MAX, kind, exclusive);
  return integer_bound(place_signed(*decimal, type->min, type->max), type->min, type->max, kind,
                       exclusive);
}

/// scaled_float columns hold the integers of value * factor; `value` is not scaled yet.
Bound bound_of_scaled(const Field& field, double value, BoundKind kind, bool exclusive) {
  double scaled = value * field.scaling_factor;
  if (kind == BoundKind::kExact) {
    scaled = std::floor(scaled + 0.5);
  } else if (kind == BoundKind::kLower) {
    scaled = std::ceil(exclusive ? std::nextafter(scaled, kInfinity) : scaled);
  } else {
    scaled = std::floor(exclusive ? std::nextafter(scaled, -kInfinity) : scaled);
  }
  return {sortable_from_double(scaled / field.scaling_factor), false};
}

/// The next larger or smaller value in the field's precision.
double next_value(FloatKind precision, double value, bool up) {
  const double end = up ? kInfinity : -kInfinity;
  switch (precision) {
    case FloatKind::kSingle:
      return std::nextafter(static_cast<float>(value), static_cast<float>(end));
    case FloatKind::kHalf: {
      const auto half = static_cast<float>(value);
      return up ? next_half_up(half) : next_half_down(half);
    }
    default:
      return std::nextafter(value, end);
  }
}

Result<Bound> bound_of_double(const Field& field, std::string_view text, BoundKind kind,
                              bool exclusive) {
  const std::optional<double> parsed = parse_double(number_spelling(field, text));
  if (!parsed || std::isnan(*parsed)) return no_number(text);
  double value = *parsed;
  const FloatKind precision = field.traits().precision;
  if (precision == FloatKind::kScaled && std::isfinite(value)) {
    return bound_of_scaled(field, value, kind, exclusive);
  }
  if (precision == FloatKind::kSingle) value = static_cast<float>(value);
  if (precision == FloatKind::kHalf) value = round_to_half(static_cast<float>(value));
  if (exclusive && kind != BoundKind::kExact)
    value = next_value(precision, value, kind == BoundKind::kLower);
  // No stored value is infinite.
  const bool beyond = (kind != BoundKind::kUpper && value == kInfinity) ||
                      (kind != BoundKind::kLower && value == -kInfinity);
  if (beyond) return kNone;
  return Bound{sortable_from_double(value), false};
}

Result<Bound> bound_of_boolean(std::string_view text, BoundKind kind, bool exclusive) {
  // An empty string is false in a document but an error in a query.
  if (text != "true" && text != "false") {
    return Status(ErrorType::kIllegalArgument, "Can't parse boolean value [" + std::string(text) +
                                                   "], expected [true] or [false]");
  }
  return integer_bound({.floor = text == "true" ? 1 : 0}, 0, 1, kind, exclusive);
}

Result<Bound> bound_of_date(const Field& field, std::string_view text, BoundKind kind,
                            bool exclusive, std::string_view format, std::string_view time_zone,
                            int64_t now_ms) {
  std::shared_ptr<const DateFormats> formats = field.date_format;
  if (!format.empty() || formats == nullptr) {
    const std::string_view fallback =
        field.traits().nanoseconds ? kDefaultNanosFormat : kDefaultDateFormat;
    QUARRY_ASSIGN_OR_RETURN(formats, DateFormats::compile(format.empty() ? fallback : format));
  }
  std::shared_ptr<const TimeZone> zone;
  if (!time_zone.empty()) {
    QUARRY_ASSIGN_OR_RETURN(zone, TimeZone::find(time_zone));
  }
  // gt and lte apply to the whole period that a date names: gt starts after its last moment, lte
  // ends with it.
  const bool round_up =
      (kind == BoundKind::kLower && exclusive) || (kind == BoundKind::kUpper && !exclusive);
  int32_t below = 0;
  QUARRY_ASSIGN_OR_RETURN(const int64_t ms,
                          parse_date_math(text, *formats, zone.get(), round_up, now_ms, &below));
  if (field.traits().nanoseconds) {
    const std::optional<int64_t> nanos = to_nanos(ms, below);
    return integer_bound({.floor = nanos.value_or(0),
                          .beyond = nanos    ? 0
                                    : ms < 0 ? -1
                                             : 1},
                         0, INT64_MAX, kind, exclusive);
  }
  return integer_bound({.floor = ms}, INT64_MIN, INT64_MAX, kind, exclusive);
}

}  // namespace

Result<Bound> parse_bound(const Field& field, std::string_view text, bool quoted, BoundKind kind,
                          bool exclusive, std::string_view format, std::string_view time_zone,
                          int64_t now_ms) {
  static_cast<void>(quoted);  // in queries "5" and 5 are the same for every type
  switch (number_kind(field)) {
    case NumberKind::kInteger:
    case NumberKind::kUnsigned:
      return bound_of_integer(field, text, kind, exclusive);
    case NumberKind::kBoolean:
      return bound_of_boolean(text, kind, exclusive);
    case NumberKind::kDate:
      return bound_of_date(field, text, kind, exclusive, format, time_zone, now_ms);
    default:
      return bound_of_double(field, text, kind, exclusive);
  }
}

}  // namespace quarry
