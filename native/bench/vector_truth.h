// The exact nearest vectors: every cosine of a set in double precision. A found document counts as
// a hit if its own cosine reaches the k-th best, so that any of several equal documents is correct.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

#include "base/bitset.h"
#include "bench/vector_set.h"
#include "simd/kernels.h"

namespace quarry::bench {

inline constexpr uint32_t kNearestVectors = 10;
inline constexpr double kTie = 2e-7;  // rows are unit vectors in float32

inline double plain_dot(const float* a, const float* b, uint32_t dims) {
  double sum = 0;
  for (uint32_t i = 0; i < dims; i++) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return sum;
}

inline double plain_cosine(const float* a, const float* b, uint32_t dims) {
  return plain_dot(a, b, dims) / std::sqrt(plain_dot(a, a, dims) * plain_dot(b, b, dims));
}

/// The k-th best cosine of every probe among the rows of `mask`, or among the first `rows` of the
/// set if it is null.
struct Truth {
  const Bitset* mask = nullptr;
  uint32_t rows = 0;
  std::vector<double> kth;

  bool holds(uint32_t row) const { return row < rows && (mask == nullptr || mask->test(row)); }
  /// Number of nearest vectors of a probe: fewer than k if there are fewer rows.
  uint32_t expected_hits() const {
    return std::min(kNearestVectors, mask == nullptr ? rows : mask->count());
  }
};

class KthBest {
 public:
  void offer(double score) {
    if (best_.size() < kNearestVectors) {
      best_.push(score);
    } else if (score > best_.top()) {
      best_.pop();
      best_.push(score);
    }
  }
  /// With fewer than k rows, every row is one of the nearest.
  double value() const { return best_.size() < kNearestVectors ? -2 : best_.top(); }

 private:
  std::priority_queue<double, std::vector<double>, std::greater<>> best_;
};

/// Fills `kth` of all truths in one pass over the rows. False if the core's dot product in double
/// precision, which is used for speed, differs from a plain loop.
inline bool compute_truths(const VectorSet& set, std::vector<Truth*> truths) {
  const simd::Kernels& kernels = simd::kernels();
  std::vector<double> lengths(set.size());
  for (uint32_t i = 0; i < set.size(); i++)
    lengths[i] = std::sqrt(plain_dot(set.row(i), set.row(i), set.dims));
  for (Truth* truth : truths) truth->kth.clear();
  for (uint32_t p = 0; p < set.probe_count(); p++) {
    const float* probe = set.probe(p);
    const double length = std::sqrt(plain_dot(probe, probe, set.dims));
    std::vector<KthBest> best(truths.size());
    for (uint32_t i = 0; i < set.size(); i++) {
      const double dot = kernels.dot_exact(probe, set.row(i), set.dims);
      const double cosine = dot / (length * lengths[i]);
      if ((i + p) % 1009 == 0 &&
          std::fabs(cosine - plain_cosine(probe, set.row(i), set.dims)) > 1e-12)
        return false;
      for (size_t t = 0; t < truths.size(); t++)
        if (truths[t]->holds(i)) best[t].offer(cosine);
    }
    for (size_t t = 0; t < truths.size(); t++) truths[t]->kth.push_back(best[t].value());
  }
  return true;
}

/// The number of the k nearest vectors of a probe in `found`; duplicates count once.
inline uint32_t count_hits(const VectorSet& set, const Truth& truth, uint32_t probe,
                           std::vector<uint32_t> found) {
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  const auto hits = std::count_if(found.begin(), found.end(), [&](uint32_t row) {
    return truth.holds(row) &&
           plain_cosine(set.probe(probe), set.row(row), set.dims) >= truth.kth[probe] - kTie;
  });
  return std::min(static_cast<uint32_t>(hits), kNearestVectors);
}

}  // namespace quarry::bench
