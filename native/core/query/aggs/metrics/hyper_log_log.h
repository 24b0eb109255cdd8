// HyperLogLog over 64-bit hashes: a register holds the largest rank (leading zeros + 1 of the bits
// after the index) of its hashes; registers merge by maximum. Estimate: O. Ertl, "New cardinality
// estimation algorithms for HyperLogLog sketches" (2017), the improved raw estimator, which needs
// no bias tables and is accurate from the first hash on. src/query/aggs/ implements the same
// estimate for merged registers.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace quarry {

inline constexpr uint32_t kMaxPrecisionThreshold = 40000;

/// Index bits for a threshold: about four registers per exactly counted value; 4 .. 18.
uint32_t hll_precision(uint32_t threshold) noexcept;
/// `registers` has 2^precision elements.
void hll_add(std::span<uint8_t> registers, uint32_t precision, uint64_t hash) noexcept;
double hll_estimate(std::span<const uint8_t> registers, uint32_t precision) noexcept;

/// Hashes of values, which are the same on every shard of a search. Whole numbers have the same
/// hash whatever their type.
uint64_t hash_number(double value) noexcept;
uint64_t hash_integer(int64_t value) noexcept;

}  // namespace quarry
