// Vectors for benchmarks: a set of the shared folder (int32 rows, int32 dims, then IEEE float16
// rows), or a set generated from a seed: clusters of clusters in a space with axes of decreasing
// variance, away from the origin, like sentence embeddings.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace quarry::bench {

struct VectorSet {
  std::string name;
  uint32_t dims = 0;
  std::vector<float> rows;
  std::vector<float> probes;

  uint32_t size() const { return static_cast<uint32_t>(rows.size() / dims); }
  uint32_t probe_count() const { return static_cast<uint32_t>(probes.size() / dims); }
  const float* row(uint32_t i) const { return rows.data() + size_t{i} * dims; }
  const float* probe(uint32_t i) const { return probes.data() + size_t{i} * dims; }
};

inline float half_to_float(uint16_t half) {
  const int exponent = (half >> 10) & 31;
  const int mantissa = half & 1023;
  const float size = exponent == 0 ? std::ldexp(static_cast<float>(mantissa), -24)
                                   : std::ldexp(static_cast<float>(mantissa + 1024), exponent - 25);
  return (half & 0x8000) != 0 ? -size : size;
}

/// Empty if the file does not have this format. Reads at most `limit` rows.
inline std::vector<float> read_halves(const std::string& path, uint32_t limit, uint32_t& dims) {
  std::ifstream in(path, std::ios::binary);
  int32_t head[2] = {};
  if (!in.read(reinterpret_cast<char*>(head), sizeof head) || head[0] <= 0 || head[1] <= 0)
    return {};
  dims = static_cast<uint32_t>(head[1]);
  const size_t values = size_t{std::min(static_cast<uint32_t>(head[0]), limit)} * dims;
  std::vector<uint16_t> halves(values);
  if (!in.read(reinterpret_cast<char*>(halves.data()), static_cast<std::streamsize>(values * 2)))
    return {};
  std::vector<float> out(values);
  for (size_t i = 0; i < values; i++) out[i] = half_to_float(halves[i]);
  return out;
}

/// Without rows if the files do not exist.
inline VectorSet read_set(const std::string& folder, const std::string& name, uint32_t probes) {
  VectorSet set;
  set.name = name;
  const std::string path = folder + "/" + name;
  set.rows = read_halves(path + ".base.f16bin", UINT32_MAX, set.dims);
  uint32_t dims = 0;
  set.probes = read_halves(path + ".query.f16bin", probes, dims);
  if (set.probes.empty() || dims != set.dims) set.rows.clear();
  return set;
}

/// Random numbers that are equal on all platforms: no function of the C library is involved.
class SeededNumbers {
 public:
  explicit SeededNumbers(uint64_t seed) : state_(seed) {}
  uint64_t next() {  // splitmix64
    uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  /// Approximately normal, mean 0, variance 1: the sum of four uniform numbers.
  float bell() {
    double sum = -2;
    for (int i = 0; i < 4; i++) sum += static_cast<double>(next() >> 11) * 0x1p-53;
    return static_cast<float>(sum * 1.7320508075688772);
  }

 private:
  uint64_t state_;
};

/// Reflects a vector at a hyperplane: several reflections in a row rotate the axes of a space.
class Mirror {
 public:
  Mirror(uint32_t dims, SeededNumbers& numbers) : normal_(dims) {
    float square = 0;
    for (float& value : normal_) value = numbers.bell(), square += value * value;
    for (float& value : normal_) value /= std::sqrt(square);
  }
  void apply(float* x) const {
    float dot = 0;
    for (size_t i = 0; i < normal_.size(); i++) dot += normal_[i] * x[i];
    for (size_t i = 0; i < normal_.size(); i++) x[i] -= 2 * dot * normal_[i];
  }

 private:
  std::vector<float> normal_;
};

class SetMaker {
 public:
  SetMaker(uint32_t rows, uint32_t dims, uint64_t seed) : dims_(dims), numbers_(seed) {
    for (int i = 0; i < 3; i++) mirrors_.emplace_back(dims, numbers_);
    const uint32_t groups = std::max(4u, static_cast<uint32_t>(std::cbrt(rows)));
    const std::vector<float> origin(dims, 0.0f);
    for (uint32_t g = 0; g < groups; g++) {
      const std::vector<float> group = near(origin.data(), 1.0f);
      for (uint32_t c = 0; c < groups; c++) centers_.push_back(near(group.data(), 0.7f));
    }
  }

  std::vector<float> take(uint32_t count) {
    std::vector<float> out;
    out.reserve(size_t{count} * dims_);
    for (uint32_t i = 0; i < count; i++) {
      std::vector<float> x = near(centers_[numbers_.next() % centers_.size()].data(), 0.9f);
      x[0] += 1.5f;
      for (const Mirror& mirror : mirrors_) mirror.apply(x.data());
      out.insert(out.end(), x.begin(), x.end());
    }
    return out;
  }

 private:
  std::vector<float> near(const float* center, float spread) {
    std::vector<float> out(dims_);
    for (uint32_t i = 0; i < dims_; i++)
      out[i] = center[i] + spread * numbers_.bell() / std::sqrt(1.0f + static_cast<float>(i) / 8);
    return out;
  }

  uint32_t dims_;
  SeededNumbers numbers_;
  std::vector<Mirror> mirrors_;
  std::vector<std::vector<float>> centers_;
};

inline VectorSet make_set(uint32_t rows, uint32_t dims, uint32_t probes, uint64_t seed = 7) {
  SetMaker maker(rows, dims, seed);
  VectorSet set;
  set.name = "generated";
  set.dims = dims;
  set.rows = maker.take(rows);
  set.probes = maker.take(probes);
  return set;
}

}  // namespace quarry::bench
