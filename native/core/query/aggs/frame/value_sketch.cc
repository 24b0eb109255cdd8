// Run lengths of sorted values, and their compression to centroids.
#include "query/aggs/frame/value_sketch.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace quarry {
namespace {

constexpr size_t kMinBuffer = 256;
// The less often centroids are merged, the more accurate they are.
constexpr size_t kSketchBuffer = 4096;
/// Centroids per unit of compression: with 1, the outermost thousandth is a single centroid.
constexpr double kDetail = 5;

/// The function k1 of the paper: steep at both ends, so that centroids there stay small.
double scale(double q, double compression) {
  return compression / (2 * std::numbers::pi) * std::asin(2 * q - 1);
}
double unscale(double k, double compression) {
  const double angle = k * 2 * std::numbers::pi / compression;
  return angle >= std::numbers::pi / 2 ? 1.0 : (std::sin(angle) + 1) / 2;
}

}  // namespace

void ValueSketch::add(double value, double compression, AggBudget& budget) {
  min_ = std::min(min_, value);
  max_ = std::max(max_, value);
  const size_t before = buffer_.capacity();
  buffer_.push_back(value);
  if (buffer_.capacity() != before) {
    const size_t grown = (buffer_.capacity() - before) * sizeof(double);
    budget.charge(grown);
    charged_ += grown;
  }
  const size_t room = exact_ ? std::max(kMinBuffer, means_.size() / 4) : kSketchBuffer;
  if (buffer_.size() >= room) settle(compression, budget);
}

void ValueSketch::settle(double compression, AggBudget& budget) {
  if (!buffer_.empty()) {
    std::sort(buffer_.begin(), buffer_.end());
    std::vector<double> means;
    std::vector<double> weights;
    means.reserve(means_.size() + buffer_.size());
    weights.reserve(means_.size() + buffer_.size());
    const auto put = [&](double mean, double weight) {
      if (!means.empty() && means.back() == mean) {
        weights.back() += weight;
        return;
      }
      means.push_back(mean);
      weights.push_back(weight);
    };
    size_t at = 0;
    for (const double value : buffer_) {
      for (; at < means_.size() && means_[at] <= value; at++) put(means_[at], weights_[at]);
      put(value, 1);
    }
    for (; at < means_.size(); at++) put(means_[at], weights_[at]);
    means_ = std::move(means);
    weights_ = std::move(weights);
    buffer_.clear();
    exact_ = exact_ && means_.size() <= kMaxExactValues;
    if (!exact_) compress(kDetail * compression);
  }
  const size_t bytes =
      (means_.capacity() + weights_.capacity() + buffer_.capacity()) * sizeof(double);
  budget.charge(bytes);
  budget.release(charged_);
  charged_ = bytes;
}

void ValueSketch::compress(double compression) {
  double total = 0;
  for (const double weight : weights_) total += weight;
  std::vector<double> means;
  std::vector<double> weights;
  double done = 0;  // weight of the finished centroids
  double limit = total * unscale(scale(0, compression) + 1, compression);
  for (size_t i = 0; i < means_.size(); i++) {
    if (!means.empty() && done + weights.back() + weights_[i] <= limit) {
      weights.back() += weights_[i];
      means.back() += (means_[i] - means.back()) * weights_[i] / weights.back();
      continue;
    }
    if (!means.empty()) {
      done += weights.back();
      limit = total * unscale(scale(std::min(done / total, 1.0), compression) + 1, compression);
    }
    means.push_back(means_[i]);
    weights.push_back(weights_[i]);
  }
  means_ = std::move(means);
  weights_ = std::move(weights);
}

double ValueSketch::percentile(double percent) const {
  if (means_.empty()) return std::numeric_limits<double>::quiet_NaN();
  double total = 0;
  for (const double weight : weights_) total += weight;
  const double rank = std::clamp(percent, 0.0, 100.0) / 100 * (total - 1);
  // Centroid i covers the ranks [before, before + weight - 1] and lies in their middle.
  double before = 0;
  double last_rank = 0;
  double last_mean = min_;
  for (size_t i = 0; i < means_.size(); i++) {
    const double first = exact_ ? before : before + (weights_[i] - 1) / 2;
    if (rank <= first) {
      return first <= last_rank
                 ? means_[i]
                 : last_mean + (means_[i] - last_mean) * (rank - last_rank) / (first - last_rank);
    }
    before += weights_[i];
    last_rank = exact_ ? before - 1 : first;
    last_mean = means_[i];
    if (rank <= last_rank) return last_mean;
  }
  const double rest = total - 1 - last_rank;
  return rest <= 0 ? max_ : last_mean + (max_ - last_mean) * (rank - last_rank) / rest;
}

double ValueSketch::percentile_rank(double value) const {
  if (means_.empty()) return std::numeric_limits<double>::quiet_NaN();
  double total = 0;
  double below = 0;
  for (size_t i = 0; i < means_.size(); i++) {
    total += weights_[i];
    if (means_[i] <= value) below += weights_[i];
  }
  return 100 * below / total;
}

}  // namespace quarry
