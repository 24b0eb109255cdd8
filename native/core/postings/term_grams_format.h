// Constants of the section of grams, shared by writer and reader; the format is described in
// term_grams.h.
#pragma once

#include <cstddef>
#include <cstdint>

namespace quarry::grams_format {

inline constexpr uint32_t kMagic = 0x4d524751;  // "QGRM"
inline constexpr uint16_t kVersion = 1;
inline constexpr size_t kGramBytes = 3;
inline constexpr uint32_t kLastGram = 0xffffff;
inline constexpr uint32_t kGroupGrams = 64;  // grams whose lists have one base

constexpr size_t base_count(uint32_t grams) {
  return (size_t{grams} + kGroupGrams - 1) / kGroupGrams;
}

inline uint32_t gram_at(const char* text) noexcept {
  const auto byte = [text](size_t i) { return uint32_t{static_cast<uint8_t>(text[i])}; };
  return byte(0) << 16 | byte(1) << 8 | byte(2);
}

}  // namespace quarry::grams_format
