#include "base/crc32c.h"

#include <array>

#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

namespace quarry {
namespace {

constexpr uint32_t kPolynomial = 0x82f63b78;  // reflected 0x1EDC6F41

constexpr std::array<uint32_t, 256> make_table() {
  std::array<uint32_t, 256> table{};
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t value = i;
    for (int bit = 0; bit < 8; bit++) value = (value >> 1) ^ ((value & 1) != 0 ? kPolynomial : 0);
    table[i] = value;
  }
  return table;
}

constexpr std::array<uint32_t, 256> kTable = make_table();

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) uint32_t crc32c_sse42(Bytes bytes, uint32_t seed) noexcept {
  uint64_t crc = ~seed;
  const uint8_t* at = bytes.data();
  size_t left = bytes.size();
  for (; left >= 8; left -= 8, at += 8) crc = _mm_crc32_u64(crc, load<uint64_t>(at));
  auto tail = static_cast<uint32_t>(crc);
  for (; left > 0; left--, at++) tail = _mm_crc32_u8(tail, *at);
  return ~tail;
}
#endif

}  // namespace

uint32_t crc32c_scalar(Bytes bytes, uint32_t seed) noexcept {
  uint32_t crc = ~seed;
  for (const uint8_t byte : bytes) crc = (crc >> 8) ^ kTable[(crc ^ byte) & 0xff];
  return ~crc;
}

uint32_t crc32c(Bytes bytes, uint32_t seed) noexcept {
#if defined(__x86_64__)
  static const bool has_instruction = __builtin_cpu_supports("sse4.2") != 0;
  if (has_instruction) return crc32c_sse42(bytes, seed);
#endif
  return crc32c_scalar(bytes, seed);
}

}  // namespace quarry
