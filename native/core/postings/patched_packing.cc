#include "postings/patched_packing.h"

#include <array>
#include <bit>

namespace quarry {
namespace {

/// One exception per this many values at most: repairing is slower than unpacking wider.
constexpr uint32_t kValuesPerException = 8;
constexpr uint32_t kMaxExceptionBytes = 255;

using Histogram = std::array<uint32_t, kMaxPackWidth + 1>;

struct Exceptions {
  uint32_t count = 0;
  uint32_t bytes = 0;
};

/// What a width of `width` bits leaves over.
Exceptions exceptions_above(const Histogram& counts, uint32_t width, uint32_t widest) {
  Exceptions left;
  for (uint32_t bits = width + 1; bits <= widest; ++bits) {
    left.count += counts[bits];
    left.bytes += counts[bits] * (1 + (bits - width + 6) / 7);
  }
  return left;
}

uint32_t best_width(std::span<const uint32_t> values) {
  Histogram counts{};
  uint32_t widest = 0;
  for (const uint32_t value : values) {
    const auto bits = static_cast<uint32_t>(std::bit_width(value));
    counts[bits]++;
    if (bits > widest) widest = bits;
  }
  const auto count = static_cast<uint32_t>(values.size());
  uint32_t best = widest;
  size_t best_bytes = packed_bytes(count, widest);
  for (uint32_t width = widest; width-- > 0;) {
    const Exceptions left = exceptions_above(counts, width, widest);
    if (left.count * kValuesPerException > count || left.bytes > kMaxExceptionBytes) break;
    const size_t bytes = packed_bytes(count, width) + left.bytes;
    if (bytes >= best_bytes) continue;
    best = width;
    best_bytes = bytes;
  }
  return best;
}

}  // namespace

PackShape put_patched(std::span<const uint32_t> values, ByteWriter& out) {
  const uint32_t width = best_width(values);
  const auto count = static_cast<uint32_t>(values.size());
  const uint32_t mask = width == 32 ? ~uint32_t{0} : (uint32_t{1} << width) - 1;
  uint32_t low[kPackValues] = {};
  for (uint32_t i = 0; i < count; ++i) low[i] = values[i] & mask;

  const size_t at = out.size();
  out.buffer().resize(at + packed_bytes(count, width));
  pack_bits(low, count, width, out.buffer().data() + at);
  const size_t exceptions_at = out.size();
  for (uint32_t i = 0; i < count; ++i) {
    if (values[i] == low[i]) continue;
    out.put(static_cast<uint8_t>(i));
    out.put_varint(values[i] >> width);
  }
  return {static_cast<uint8_t>(width), static_cast<uint8_t>(out.size() - exceptions_at)};
}

bool get_patched(Bytes in, uint64_t at, uint32_t count, PackShape shape,
                 uint32_t* values) noexcept {
  if (shape.width > kMaxPackWidth || at > in.size()) return false;
  if (in.size() - at < patched_bytes(count, shape)) return false;
  const uint8_t* from = in.data() + at;
  unpack_bits(from, count, shape.width, values);
  if (shape.exception_bytes == 0) return true;
  if (shape.width == kMaxPackWidth) return false;

  ByteReader exceptions(in.subspan(at + packed_bytes(count, shape.width), shape.exception_bytes));
  while (!exceptions.done()) {
    const uint32_t index = exceptions.get<uint8_t>();
    const uint64_t high = exceptions.get_varint();
    if (exceptions.failed() || index >= count) return false;
    values[index] |= static_cast<uint32_t>(high << shape.width);
  }
  return true;
}

}  // namespace quarry
