// For tests: seeded sets of vectors with different structures.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "base/random.h"

namespace quarry::testing {

/// The distribution of the rows of a set.
enum class Shape : uint8_t {
  kIsotropic,    // no structure: all directions are equal
  kAnisotropic,  // few strong directions, around a mean far from zero
  kClustered,    // around several centers
  kRagged,       // lengths over six orders of magnitude, some coordinates are outliers
  kConstant,     // all rows are equal
};

inline constexpr Shape kAllShapes[] = {Shape::kIsotropic, Shape::kAnisotropic, Shape::kClustered,
                                       Shape::kRagged, Shape::kConstant};

inline float gaussian(Random& random) {
  const double u = (static_cast<double>(random.next() >> 11) + 1) * 0x1p-53;
  const double v = static_cast<double>(random.next() >> 11) * 0x1p-53;
  return static_cast<float>(std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v));
}

/// Generates the rows of one set, one after the other.
class VectorSet {
 public:
  VectorSet(Shape shape, uint32_t dims, uint64_t seed) : shape_(shape), random_(seed) {
    centres_.resize(kCentres, std::vector<float>(dims));
    for (std::vector<float>& centre : centres_) {
      for (float& value : centre) value = gaussian(random_);
    }
  }

  std::vector<float> next() {
    std::vector<float> row(centres_[0].size());
    const std::vector<float>& centre = centres_[random_.below(kCentres)];
    const float length = std::pow(10.0F, static_cast<float>(random_.below(7)) - 3);
    for (size_t i = 0; i < row.size(); i++) row[i] = value(i, centre, length);
    return row;
  }

  /// `count` rows, one after the other.
  std::vector<float> rows(uint32_t count) {
    std::vector<float> all;
    for (uint32_t i = 0; i < count; i++) {
      const std::vector<float> row = next();
      all.insert(all.end(), row.begin(), row.end());
    }
    return all;
  }

 private:
  static constexpr uint32_t kCentres = 20;

  float value(size_t i, const std::vector<float>& centre, float length) {
    switch (shape_) {
      case Shape::kIsotropic:
        return gaussian(random_);
      case Shape::kAnisotropic:
        return centres_[0][i] + gaussian(random_) / static_cast<float>(1 + i / 8);
      case Shape::kClustered:
        return centre[i] + 0.3F * gaussian(random_);
      case Shape::kRagged:
        return length * gaussian(random_) * (random_.below(500) == 0 ? 50.0F : 1.0F);
      case Shape::kConstant:
        return centres_[0][i];
    }
    return 0;
  }

  Shape shape_;
  Random random_;
  std::vector<std::vector<float>> centres_;
};

/// Scales rows to unit length, as columns under cosine store them.
inline void normalise(std::vector<float>& rows, size_t dims) {
  for (size_t at = 0; at < rows.size(); at += dims) {
    double squares = 0;
    for (size_t i = 0; i < dims; i++) squares += std::pow(static_cast<double>(rows[at + i]), 2);
    const double inverse = 1 / std::sqrt(squares);
    for (size_t i = 0; i < dims; i++) {
      rows[at + i] = static_cast<float>(static_cast<double>(rows[at + i]) * inverse);
    }
  }
}

}  // namespace quarry::testing
