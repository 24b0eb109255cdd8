#include "query/geo/geo_distance.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>

#include "json/number.h"

namespace quarry {
namespace {

constexpr double kRadians = std::numbers::pi / 180;

/// Cosines by Taylor polynomials of degree 4 around 2,048 angles of the full circle. Lucene
/// computes them this way, and the distance of points that are near to each other is the difference
/// of 1 and a cosine: another last bit of it would be centimeters.
class CosineTable {
 public:
  static const CosineTable& get() {
    static const CosineTable table;
    return table;
  }
  double cosine(double angle) const {
    angle = std::fabs(angle);
    if (!(angle <= kLargest)) return std::cos(angle);
    const auto index = static_cast<uint32_t>(angle * kPerRadian + 0.5);
    const double delta = (angle - index * kStepHigh) - index * kStepLow;
    const Entry& near = entries_[index % kAngles];
    const double fourth = delta * near.cosine * (1 / 24.0);
    const double third = delta * (near.sine * (1 / 6.0) + fourth);
    return near.cosine + delta * (-near.sine + delta * (-near.cosine * (1 / 2.0) + third));
  }

 private:
  struct Entry {
    double cosine = 0;
    double sine = 0;
  };
  static constexpr uint32_t kAngles = 2048;
  static constexpr double kLargest = 10000;
  // The step between two angles in two parts, of which the first has so few bits that its multiples
  // are exact.
  static constexpr double kStepHigh = 0x1.921fb544p+0 * 4 / kAngles;
  static constexpr double kStepLow = 0x1.0b4611a626331p-34 * 4 / kAngles;
  static constexpr double kPerRadian = 1 / (kStepHigh + kStepLow);

  CosineTable() {
    constexpr uint32_t kQuarter = kAngles / 4;
    for (uint32_t i = 0; i < kAngles; i++) {
      const double angle = i * kStepHigh + i * kStepLow;
      // Exact zeros, which the functions miss by their error.
      entries_[i].cosine = i % (2 * kQuarter) == kQuarter ? 0 : std::cos(angle);
      entries_[i].sine = i % (2 * kQuarter) == 0 ? 0 : std::sin(angle);
    }
  }

  std::array<Entry, kAngles> entries_;
};

struct Unit {
  std::string_view name;
  double meters;
};

/// In the order in which the end of a distance is compared with them: longer names first where one
/// ends with another.
constexpr Unit kUnits[] = {
    {"inch", 0.0254},
    {"in", 0.0254},
    {"yards", 0.9144},
    {"yd", 0.9144},
    {"feet", 0.3048},
    {"ft", 0.3048},
    {"kilometers", 1000},
    {"km", 1000},
    {"nauticalmiles", 1852},
    {"nmi", 1852},
    {"NM", 1852},
    {"millimeters", 0.001},
    {"mm", 0.001},
    {"centimeters", 0.01},
    {"cm", 0.01},
    {"miles", 1609.344},
    {"mi", 1609.344},
    {"meters", 1},
    {"m", 1},
};

double plane_distance(const GeoPoint& a, const GeoPoint& b) {
  const double x = (b.lon - a.lon) * kRadians * std::cos((b.lat + a.lat) / 2 * kRadians);
  const double y = (b.lat - a.lat) * kRadians;
  return std::sqrt(x * x + y * y) * kEarthRadius;
}

}  // namespace

double haversine_key(const GeoPoint& a, const GeoPoint& b) {
  const CosineTable& table = CosineTable::get();
  const double lat_a = a.lat * kRadians;
  const double lat_b = b.lat * kRadians;
  const double h1 = 1 - table.cosine(lat_a - lat_b);
  const double h2 = 1 - table.cosine((a.lon - b.lon) * kRadians);
  const double h = h1 + table.cosine(lat_a) * table.cosine(lat_b) * h2;
  // The last three bits are noise, by which equal distances would differ.
  return std::bit_cast<double>(std::bit_cast<uint64_t>(h) & ~uint64_t{7});
}

double key_to_meters(double key) {
  return kEarthRadius * 2 * std::asin(std::min(1.0, std::sqrt(key * 0.5)));
}

double meters_to_key(double meters) {
  constexpr double kLargestKey = 2;
  if (meters >= key_to_meters(kLargestKey)) return kLargestKey;
  // The bits of positive doubles are in the order of the doubles.
  uint64_t low = 0;
  uint64_t high = std::bit_cast<uint64_t>(kLargestKey);
  while (low < high) {
    const uint64_t middle = low + (high - low + 1) / 2;
    if (key_to_meters(std::bit_cast<double>(middle)) <= meters) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return std::bit_cast<double>(low);
}

double distance_between(DistanceType type, const GeoPoint& a, const GeoPoint& b) {
  return type == DistanceType::kPlane ? plane_distance(a, b) : key_to_meters(haversine_key(a, b));
}

Result<double> meters_of_unit(std::string_view unit) {
  const auto found = std::find_if(std::begin(kUnits), std::end(kUnits),
                                  [unit](const Unit& known) { return known.name == unit; });
  if (found != std::end(kUnits)) return found->meters;
  return illegal_argument("No distance unit match [" + std::string(unit) +
                          "], use one of [m, km, cm, mm, mi, yd, ft, in, nmi]");
}

Result<double> read_distance(std::string_view text, double unit_meters, std::string_view what) {
  std::string_view number = text;
  for (const Unit& unit : kUnits) {
    if (!text.ends_with(unit.name)) continue;
    number.remove_suffix(unit.name.size());
    unit_meters = unit.meters;
    break;
  }
  while (number.ends_with(' ')) number.remove_suffix(1);
  const std::optional<double> value = parse_double(number);
  if (value && std::isfinite(*value * unit_meters)) return *value * unit_meters;
  return illegal_argument(std::string(what) + " [" + std::string(text) +
                          "] is not a distance, give a number with a unit such as [12km]");
}

}  // namespace quarry
