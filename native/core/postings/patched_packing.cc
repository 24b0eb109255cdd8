#include "postings/patched_packing.h"

#include <bit>

namespace quarry {
namespace {

/// At most one exception per this many values, since patching is slower than unpacking a larger
/// width.
constexpr uint32_t kValuesPerException = 8;
constexpr uint32_t kMaxExceptionBytes = 255;

/// The number of values that need more than `width` bits. The loop can be vectorized by compilers.
uint32_t count_wider(std::span<const uint32_t> values, uint32_t width) {
  uint32_t count = 0;
  for (const uint32_t value : values) count += (value >> width) != 0 ? 1 : 0;
  return count;
}

uint32_t best_width(std::span<const uint32_t> values) {
  uint32_t any = 0;
  for (const uint32_t value : values) any |= value;
  const auto widest = static_cast<uint32_t>(std::bit_width(any));
  const auto count = static_cast<uint32_t>(values.size());
  uint32_t best = widest;
  size_t best_bytes = packed_bytes(count, widest);
  for (uint32_t width = widest; width-- > 0;) {
    const uint32_t exceptions = count_wider(values, width);
    if (exceptions * kValuesPerException > count) break;
    // An exception takes an index, and one byte for every seven remaining bits.
    size_t bytes = exceptions;
    for (uint32_t bits = width; bits < widest; bits += 7) bytes += count_wider(values, bits);
    if (bytes > kMaxExceptionBytes) break;
    bytes += packed_bytes(count, width);
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
