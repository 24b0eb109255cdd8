// HyperLogLog over 64-bit hashes: a register holds the largest rank (leading zeros + 1 of the bits
// behind the index) of its hashes; registers merge by maximum. Estimate: O. Ertl, "New cardinality
// estimation algorithms for HyperLogLog sketches" (2017), the improved raw estimator: no bias
// tables, good from the first hash on. src/query/aggs/ has the same for merged registers.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace quarry {

inline constexpr uint32_t kMaxPrecisionThreshold = 40000;

/// Index bits for a threshold: about four registers per value counted exactly; 4 .. 18.
uint32_t hll_precision(uint32_t threshold) noexcept;
/// `registers`: 2^precision of them.
void hll_add(std::span<uint8_t> registers, uint32_t precision, uint64_t hash) noexcept;
double hll_estimate(std::span<const uint8_t> registers, uint32_t precision) noexcept;

/// Hashes of values, the same on every shard and for ever within a search. Whole numbers hash
/// alike whatever their type.
uint64_t hash_number(double value) noexcept;
uint64_t hash_integer(int64_t value) noexcept;

}  // namespace quarry
