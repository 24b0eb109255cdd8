// The registers, estimate and hashes of cardinality.
#include "query/aggs/metrics/hyper_log_log.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>

namespace quarry {
namespace {

constexpr uint32_t kMinPrecision = 4;
constexpr uint32_t kMaxPrecision = 18;
constexpr double kWholeLimit = 9007199254740992.0;  // 2^53

double sigma(double x) {
  if (x == 1.0) return std::numeric_limits<double>::infinity();
  double y = 1;
  double z = x;
  for (double before = -1; z != before;) {
    x *= x;
    before = z;
    z += x * y;
    y += y;
  }
  return z;
}

double tau(double x) {
  if (x == 0.0 || x == 1.0) return 0.0;
  double y = 1;
  double z = 1 - x;
  for (double before = -1; z != before;) {
    x = std::sqrt(x);
    before = z;
    y *= 0.5;
    z -= (1 - x) * (1 - x) * y;
  }
  return z / 3;
}

}  // namespace

uint32_t hll_precision(uint32_t threshold) noexcept {
  const auto entries = static_cast<uint64_t>(std::ceil(threshold / 0.75));
  return std::clamp(static_cast<uint32_t>(std::bit_width(entries * 4)), kMinPrecision,
                    kMaxPrecision);
}

void hll_add(std::span<uint8_t> registers, uint32_t precision, uint64_t hash) noexcept {
  const auto index = static_cast<size_t>(hash >> (64 - precision));
  const auto zeros = static_cast<uint32_t>(std::countl_zero(hash << precision));
  const auto rank = static_cast<uint8_t>(std::min(zeros + 1, 64 - precision + 1));
  registers[index] = std::max(registers[index], rank);
}

double hll_estimate(std::span<const uint8_t> registers, uint32_t precision) noexcept {
  const auto m = static_cast<double>(registers.size());
  const uint32_t q = 64 - precision;
  std::array<double, 66> counts{};
  for (const uint8_t rank : registers) counts[std::min<uint32_t>(rank, q + 1)]++;
  double z = m * tau((m - counts[q + 1]) / m);
  for (uint32_t k = q; k >= 1; k--) z = 0.5 * (z + counts[k]);
  z += m * sigma(counts[0] / m);
  return m * m / (2 * std::numbers::ln2 * z);
}

uint64_t hash_integer(int64_t value) noexcept {
  auto hash = static_cast<uint64_t>(value) + 0x9e3779b97f4a7c15ULL;
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9ULL;
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebULL;
  return hash ^ (hash >> 31);
}

uint64_t hash_number(double value) noexcept {
  if (value == std::floor(value) && std::fabs(value) < kWholeLimit)
    return hash_integer(static_cast<int64_t>(value));
  return hash_integer(std::bit_cast<int64_t>(value));
}

}  // namespace quarry
