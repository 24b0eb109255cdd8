// Seeded pseudo-random numbers (splitmix64), and random UUIDs.
#pragma once

#include <cstdint>
#include <string>

namespace quarry {

/// Deterministic for a seed. Not suitable for secrets. Not thread-safe.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t next() noexcept {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  /// Uniform in [0, bound), bound > 0.
  uint64_t below(uint64_t bound) noexcept { return next() % bound; }

 private:
  uint64_t state_;
};

/// A random (version 4) UUID in its 36-character form, from the system's generator. Thread-safe.
std::string random_uuid();

}  // namespace quarry
