// PreparedVector: the `_score` of a row, and the key that a row needs to reach a score.
#include <algorithm>
#include <cmath>
#include <limits>

#include "simd/kernels.h"
#include "vector/vector_search.h"

namespace quarry {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The maximum error of double arithmetic on a key, relative to the numbers involved.
constexpr double kKeySlack = 1e-12;

/// The range of the dot products of two vectors of bytes, as Elasticsearch scales them to scores.
double byte_range(size_t dims) { return 32768.0 * static_cast<double>(dims); }

double of_inner_product(double product) { return product < 0 ? 1 / (1 - product) : product + 1; }

}  // namespace

PreparedVector::PreparedVector(const VectorOptions& options, std::span<const float> vector)
    : options_(options), vector_(vector.begin(), vector.end()) {
  const auto dot_exact = simd::kernels().dot_exact;
  norm_squared_ = dot_exact(vector_.data(), vector_.data(), vector_.size());
  if (options_.similarity != VectorSimilarity::kCosine || !(norm_squared_ > 0)) return;
  const double norm = std::sqrt(norm_squared_);
  for (float& value : vector_) value = static_cast<float>(static_cast<double>(value) / norm);
  norm_squared_ = dot_exact(vector_.data(), vector_.data(), vector_.size());
}

double PreparedVector::norm() const { return std::sqrt(norm_squared_); }

double PreparedVector::score(const float* row) const {
  const simd::Kernels& kernels = simd::kernels();
  const size_t dims = vector_.size();
  switch (options_.similarity) {
    case VectorSimilarity::kCosine:
      return (1 + std::clamp(kernels.dot_exact(vector_.data(), row, dims), -1.0, 1.0)) / 2;
    case VectorSimilarity::kDotProduct:
      return (1 + kernels.dot_exact(vector_.data(), row, dims)) / 2;
    case VectorSimilarity::kL2Norm:
      return 1 / (1 + kernels.l2_exact(vector_.data(), row, dims));
    case VectorSimilarity::kMaxInnerProduct:
      return of_inner_product(kernels.dot_exact(vector_.data(), row, dims));
    case VectorSimilarity::kByteDotProduct:
      return 0.5 + kernels.dot_exact(vector_.data(), row, dims) / byte_range(dims);
  }
  return 0;
}

float PreparedVector::score_of_similarity(float similarity) const {
  const auto value = static_cast<double>(similarity);
  constexpr double kMost = std::numeric_limits<float>::max();
  double score = (1 + value) / 2;
  if (options_.similarity == VectorSimilarity::kL2Norm) score = 1 / (1 + value * value);
  if (options_.similarity == VectorSimilarity::kMaxInnerProduct) score = of_inner_product(value);
  if (options_.similarity == VectorSimilarity::kByteDotProduct) {
    score = 0.5 + value / byte_range(vector_.size());
  }
  return static_cast<float>(std::clamp(score, -kMost, kMost));
}

double PreparedVector::least_key(double score) const {
  constexpr float kLeast = std::numeric_limits<float>::lowest();
  if (!(score > static_cast<double>(kLeast))) return -kInfinity;
  // A score above this may be rounded up to `score`.
  const double needed = static_cast<double>(std::nextafter(static_cast<float>(score), kLeast));
  double key = 2 * needed - 1, size = 1 + std::abs(needed);
  if (options_.similarity == VectorSimilarity::kL2Norm) {
    if (!(needed > 0)) return -kInfinity;
    key = (norm_squared_ - 1 / needed + 1) / 2;
    size = norm_squared_ + 1 / needed + 1;
  } else if (options_.similarity == VectorSimilarity::kMaxInnerProduct) {
    if (!(needed > 0)) return -kInfinity;
    key = needed < 1 ? 1 - 1 / needed : needed - 1;
    size = 1 + needed + 1 / needed;
  } else if (options_.similarity == VectorSimilarity::kByteDotProduct) {
    key = (needed - 0.5) * byte_range(vector_.size());
    size = (0.5 + std::abs(needed)) * byte_range(vector_.size());
  }
  return key - kKeySlack * size;
}

}  // namespace quarry
