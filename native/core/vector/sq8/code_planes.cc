#include "vector/sq8/code_planes.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace quarry {
namespace {

constexpr float kQueryCodeLimit = 127;

/// Shorter vectors are coded as zero, because the inverse of their length would overflow float.
constexpr float kLeastCoded = 1e-30F;

/// An upper bound of the error of a few float operations on numbers of size 1.
constexpr double kFloatSlack = 0x1p-20;

/// From this share of a row's bound on, the residual of the query is coded too.
constexpr float kMuchOfBound = 0.2F;

/// The codes of one vector: value = code * step, |code| <= 127.
struct Coded {
  float step = 0;
  int32_t sum = 0;
  double error = 0;  // |vector - decoded|
};

constexpr size_t kMaximumLanes = 8;  // independent sums, which a compiler can vectorize

float largest(std::span<const float> vector) {
  float lanes[kMaximumLanes] = {};
  for (size_t i = 0; i < vector.size(); i++) {
    const float size = std::abs(vector[i]);
    lanes[i % kMaximumLanes] = size > lanes[i % kMaximumLanes] ? size : lanes[i % kMaximumLanes];
  }
  return *std::max_element(lanes, lanes + kMaximumLanes);
}

Coded encode_query(std::span<const float> vector, std::vector<int8_t>& codes, size_t stride) {
  codes.assign(stride, 0);
  const float most = largest(vector);
  Coded coded;
  if (most < kLeastCoded) {
    coded.error = static_cast<double>(kLeastCoded) * std::sqrt(static_cast<double>(vector.size()));
    return coded;
  }
  coded.step = most / kQueryCodeLimit;
  const float inverse = kQueryCodeLimit / most;
  double squares[kMaximumLanes] = {};
  for (size_t i = 0; i < vector.size(); i++) {
    // With this order of comparisons even NaN, which a damaged basis can cause, stays in range.
    const float scaled = std::min(kQueryCodeLimit, std::max(-kQueryCodeLimit, vector[i] * inverse));
    const auto code = static_cast<int32_t>(scaled + std::copysign(0.5F, scaled));
    codes[i] = static_cast<int8_t>(code);
    coded.sum += code;
    const double error = static_cast<double>(vector[i]) - code * static_cast<double>(coded.step);
    squares[i % kMaximumLanes] += error * error;
  }
  coded.error = std::sqrt(std::accumulate(squares, squares + kMaximumLanes, 0.0));
  return coded;
}

/// Computes the residual of a vector after coding.
void leave_out(std::span<const float> vector, const std::vector<int8_t>& codes, float step,
               std::vector<float>& left) {
  left.resize(vector.size());
  for (size_t i = 0; i < vector.size(); i++) {
    left[i] = vector[i] - static_cast<float>(codes[i]) * step;
  }
}

/// An upper bound of the length of a decoded row: rounding adds at most half a step per coordinate,
/// clamping only reduces it.
double decoded_norm(double norm, float step, uint32_t coordinates) {
  return norm + 0.5 * static_cast<double>(step) * std::sqrt(static_cast<double>(coordinates));
}

/// The second term covers products of tiny numbers, which lose more than their last digits.
float rounded_up(double value) { return static_cast<float>(value * (1 + 1e-6) + 1e-30); }

}  // namespace

double float_dot_slack(uint32_t dims) { return (dims / 8.0 + 40) * 0x1p-24; }

void QueryCodes::prepare(const CodePlanes& planes, std::span<const float> query, bool sketch) {
  const simd::Kernels& kernels = simd::kernels();
  const size_t dims = planes.dims;
  const double length = std::sqrt(kernels.dot_exact(query.data(), query.data(), dims));
  const double mean_length = std::sqrt(kernels.dot_exact(planes.mean, planes.mean, dims));
  mean_dot = static_cast<float>(kernels.dot_exact(query.data(), planes.mean, dims));
  norm = rounded_up(length);
  const double slack = kFloatSlack * length * (mean_length + 2.0 * planes.max_norm);

  const Coded full = encode_query(query, full_, planes.full.stride);
  full_scale = planes.full_step * full.step;
  full_bias = 128 * full.sum;
  const double full_norm = decoded_norm(planes.max_norm, planes.full_step, planes.dims);
  full_query_error = rounded_up(full.error * full_norm + slack);
  leave_out(query, full_, full.step, left_);
  const Coded full_rest = encode_query(left_, full_rest_, planes.full.stride);
  full_rest_scale = planes.full_step * full_rest.step;
  full_rest_bias = 128 * full_rest.sum;
  full_fine_error = rounded_up((full_rest.error + kFloatSlack * length) * full_norm + slack);
  if (sketch && planes.sketch_dims != 0) prepare_sketch(planes, query, length, slack);
}

void QueryCodes::prepare_sketch(const CodePlanes& planes, std::span<const float> query,
                                double length, double slack) {
  const simd::Kernels& kernels = simd::kernels();
  const size_t dims = planes.dims;
  const uint32_t width = planes.sketch_dims;
  projected_.resize(width);
  for (uint32_t i = 0; i < width; i++) {
    projected_[i] = kernels.dot(planes.basis + i * dims, query.data(), dims);
  }
  const Coded coded = encode_query(projected_, sketch_, planes.sketch.stride);
  sketch_scale = planes.sketch_step * coded.step;
  sketch_bias = 128 * coded.sum;
  // The projection is a sum of floats; `off` bounds its error.
  const double off_share = float_dot_slack(planes.dims) * std::sqrt(static_cast<double>(width));
  const double off = off_share * length;
  const double inside = std::sqrt(kernels.dot_exact(projected_.data(), projected_.data(), width));
  const double defect = planes.basis_defect;
  const double least = std::max(0.0, inside - off);
  const double rest = length * length - least * least * (1 - defect);
  sketch_norm = rounded_up(inside + off);
  rest_norm = rounded_up(std::sqrt(std::max(0.0, rest)));
  const double sketch_length =
      decoded_norm(planes.max_norm * (1 + defect + off_share), planes.sketch_step, width);
  const double other = (inside + off) * defect * planes.max_norm * (1 + defect) + slack;
  sketch_query_error = rounded_up((coded.error + off) * sketch_length + other);

  leave_out(projected_, sketch_, coded.step, left_);
  const Coded rest_coded = encode_query(left_, sketch_rest_, planes.sketch.stride);
  sketch_rest_scale = planes.sketch_step * rest_coded.step;
  sketch_rest_bias = 128 * rest_coded.sum;
  sketch_fine_error =
      rounded_up((rest_coded.error + kFloatSlack * inside + off) * sketch_length + other);
  const uint32_t middle = planes.size / 2;
  sketch_rest_pays =
      sketch_query_error >
      kMuchOfBound * (sketch_norm * planes.sketch_error[middle] + rest_norm * planes.tail[middle]);
}

}  // namespace quarry
