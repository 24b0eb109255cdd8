// Uses the compiler's four-lane vectors, which become SSE2 on x86-64 and NEON on AArch64: both are
// part of the baseline, so no selection at run time is needed.
#include "postings/bit_packing.h"

#include <array>
#include <cstring>
#include <utility>

namespace quarry {
namespace {

using Lanes [[gnu::vector_size(16)]] = uint32_t;

inline Lanes load_lanes(const void* from) noexcept {
  Lanes lanes;
  std::memcpy(&lanes, from, sizeof(lanes));
  return lanes;
}

inline void store_lanes(void* to, Lanes lanes) noexcept { std::memcpy(to, &lanes, sizeof(lanes)); }

inline Lanes all(uint32_t value) noexcept { return Lanes{value, value, value, value}; }

constexpr uint32_t mask_of(uint32_t width) noexcept {
  return width == 32 ? ~uint32_t{0} : (uint32_t{1} << width) - 1;
}

template <uint32_t kWidth, uint32_t kRow>
[[gnu::always_inline]] inline void unpack_row(const uint8_t* in, uint32_t* out) noexcept {
  constexpr uint32_t kBit = kWidth * kRow;
  constexpr uint32_t kWord = kBit / 32;
  constexpr uint32_t kShift = kBit % 32;
  Lanes row = load_lanes(in + size_t{16} * kWord) >> static_cast<int>(kShift);
  if constexpr (kShift + kWidth > 32) {
    row |= load_lanes(in + size_t{16} * (kWord + 1)) << static_cast<int>(32 - kShift);
  }
  if constexpr (kWidth < 32) row &= all(mask_of(kWidth));
  store_lanes(out + size_t{4} * kRow, row);
}

template <uint32_t kWidth, uint32_t... kRows>
void unpack_rows(const uint8_t* in, uint32_t* out,
                 std::integer_sequence<uint32_t, kRows...>) noexcept {
  (unpack_row<kWidth, kRows>(in, out), ...);
}

template <uint32_t kWidth>
void unpack_full(const uint8_t* in, uint32_t* out) noexcept {
  if constexpr (kWidth == 0) {
    std::memset(out, 0, sizeof(uint32_t) * kPackValues);
  } else {
    unpack_rows<kWidth>(in, out, std::make_integer_sequence<uint32_t, 32>{});
  }
}

using Unpacker = void (*)(const uint8_t*, uint32_t*) noexcept;

template <uint32_t... kWidths>
constexpr std::array<Unpacker, kMaxPackWidth + 1> make_unpackers(
    std::integer_sequence<uint32_t, kWidths...>) {
  return {unpack_full<kWidths>...};
}

constexpr std::array<Unpacker, kMaxPackWidth + 1> kUnpackers =
    make_unpackers(std::make_integer_sequence<uint32_t, kMaxPackWidth + 1>{});

/// Prefix sums within a vector: lane i becomes the sum of lanes 0 to i.
inline Lanes running(Lanes v) noexcept {
  const Lanes zero = all(0);
  v += __builtin_shufflevector(zero, v, 0, 4, 5, 6);
  v += __builtin_shufflevector(zero, v, 0, 1, 4, 5);
  return v;
}

inline Lanes last_lane(Lanes v) noexcept { return __builtin_shufflevector(v, v, 3, 3, 3, 3); }

}  // namespace

void pack_bits(const uint32_t* values, uint32_t count, uint32_t width, uint8_t* out) noexcept {
  std::memset(out, 0, packed_bytes(count, width));
  for (uint32_t first = 0, bit = 0; first < count && width != 0; first += 4, bit += width) {
    uint32_t row[4] = {};
    std::memcpy(row, values + first, sizeof(uint32_t) * (count - first < 4 ? count - first : 4));
    const Lanes lanes = load_lanes(row);
    const uint32_t shift = bit % 32;
    uint8_t* word = out + size_t{16} * (bit / 32);
    store_lanes(word, load_lanes(word) | (lanes << static_cast<int>(shift)));
    if (shift + width > 32) store_lanes(word + 16, lanes >> static_cast<int>(32 - shift));
  }
}

void unpack_bits(const uint8_t* in, uint32_t count, uint32_t width, uint32_t* values) noexcept {
  if (count == kPackValues) {
    kUnpackers[width](in, values);
    return;
  }
  const Lanes mask = all(mask_of(width));
  for (uint32_t first = 0, bit = 0; first < count; first += 4, bit += width) {
    Lanes row = all(0);
    if (width != 0) {
      const uint32_t shift = bit % 32;
      const uint8_t* word = in + size_t{16} * (bit / 32);
      row = load_lanes(word) >> static_cast<int>(shift);
      if (shift + width > 32) row |= load_lanes(word + 16) << static_cast<int>(32 - shift);
    }
    store_lanes(values + first, row & mask);
  }
}

void unpack_bits_scalar(const uint8_t* in, uint32_t count, uint32_t width,
                        uint32_t* values) noexcept {
  for (uint32_t i = 0; i < (count + 3) / 4 * 4; ++i) {
    uint32_t value = 0;
    for (uint32_t k = 0; k < width; ++k) {
      const uint32_t bit = i / 4 * width + k;
      const uint8_t byte = in[size_t{16} * (bit / 32) + size_t{4} * (i % 4) + bit % 32 / 8];
      value |= static_cast<uint32_t>((byte >> (bit % 8)) & 1) << k;
    }
    values[i] = value;
  }
}

void sum_gaps(uint32_t (&values)[kPackValues], uint32_t base) noexcept {
  const Lanes ones = Lanes{1, 2, 3, 4};
  Lanes before = all(base);
  for (uint32_t i = 0; i < kPackValues; i += 4) {
    // The sums within a vector do not depend on the previous vector; only one addition does.
    const Lanes sums = running(load_lanes(values + i)) + ones;
    store_lanes(values + i, sums + before);
    before += last_lane(sums);
  }
}

void sum_gaps_scalar(uint32_t (&values)[kPackValues], uint32_t base) noexcept {
  for (uint32_t& value : values) value = base += value + 1;
}

void sum_before(const uint32_t (&values)[kPackValues], uint32_t (&sums)[kPackValues]) noexcept {
  Lanes before = all(0);
  for (uint32_t i = 0; i < kPackValues; i += 4) {
    const Lanes own = load_lanes(values + i);
    const Lanes sum = running(own);
    store_lanes(sums + i, sum - own + before);
    before += last_lane(sum);
  }
}

}  // namespace quarry
