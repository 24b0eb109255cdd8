// The loops over rows of codes, shared by the instruction sets. Not a regular header: a kernel file
// includes it within its anonymous namespace, after it has defined
//   QUARRY_KERNEL  the target attribute of its functions (a template of another file cannot inline
//                  them, because it would be compiled for another target)
//   dot_four<kWords>(r0, r1, r2, r3, query, words, out)
//                  the dot products of four rows of `words` times 64 bytes; kWords equals `words`
//                  when it is a compile-time constant, or 0

template <size_t kWords>
QUARRY_KERNEL void contiguous(CodeRows rows, uint32_t first, uint32_t count, const int8_t* query,
                              int32_t* out) noexcept {
  const size_t words = kWords != 0 ? kWords : rows.stride / 64;
  const size_t stride = words * 64;
  const uint8_t* at = rows.base + first * stride;
  uint32_t i = 0;
  for (; i + 4 <= count; i += 4, at += 4 * stride) {
    dot_four<kWords>(at, at + stride, at + 2 * stride, at + 3 * stride, query, words, out + i);
  }
  if (i == count) return;
  const uint8_t* last = rows.base + (first + count - 1) * stride;
  int32_t four[4];
  dot_four<kWords>(at, i + 1 < count ? at + stride : last, last, last, query, words, four);
  for (uint32_t j = 0; i + j < count; j++) out[i + j] = four[j];
}

/// The number of rows to prefetch ahead: about 1.5 KiB, which hides a miss of the last-level cache.
template <size_t kWords>
constexpr uint32_t kAheadOf = kWords == 1   ? 16
                              : kWords <= 3 ? 12
                                            : 8;

template <size_t kWords>
QUARRY_KERNEL void gathered(CodeRows rows, const uint32_t* ordinals, uint32_t count,
                            const int8_t* query, int32_t* out) noexcept {
  constexpr uint32_t kAhead = kAheadOf<kWords>;
  const size_t words = kWords != 0 ? kWords : rows.stride / 64;
  const size_t stride = words * 64;
  for (uint32_t i = 0; i < count && i < kAhead; i++) {
    prefetch(rows.base + ordinals[i] * stride, stride);
  }
  uint32_t i = 0;
  for (; i + 4 <= count; i += 4) {
    for (uint32_t j = i + kAhead; j < i + kAhead + 4 && j < count; j++) {
      prefetch(rows.base + ordinals[j] * stride, stride);
    }
    dot_four<kWords>(rows.base + ordinals[i] * stride, rows.base + ordinals[i + 1] * stride,
                     rows.base + ordinals[i + 2] * stride, rows.base + ordinals[i + 3] * stride,
                     query, words, out + i);
  }
  if (i == count) return;
  const uint8_t* tail[3];
  for (uint32_t j = 0; j < 3; j++) {
    tail[j] = rows.base + ordinals[i + j < count ? i + j : count - 1] * stride;
  }
  int32_t four[4];
  dot_four<kWords>(tail[0], tail[1], tail[2], tail[2], query, words, four);
  for (uint32_t j = 0; i + j < count; j++) out[i + j] = four[j];
}

/// The common widths have specialised code: sketches of 64 to 256 dimensions, rows of 384 and 768.
void dot_codes(CodeRows rows, uint32_t first, uint32_t count, const int8_t* query,
               int32_t* out) noexcept {
  switch (rows.stride / 64) {
    case 1:
      return contiguous<1>(rows, first, count, query, out);
    case 2:
      return contiguous<2>(rows, first, count, query, out);
    case 3:
      return contiguous<3>(rows, first, count, query, out);
    case 4:
      return contiguous<4>(rows, first, count, query, out);
    case 6:
      return contiguous<6>(rows, first, count, query, out);
    case 12:
      return contiguous<12>(rows, first, count, query, out);
    default:
      return contiguous<0>(rows, first, count, query, out);
  }
}

void gather_codes(CodeRows rows, const uint32_t* ordinals, uint32_t count, const int8_t* query,
                  int32_t* out) noexcept {
  switch (rows.stride / 64) {
    case 1:
      return gathered<1>(rows, ordinals, count, query, out);
    case 2:
      return gathered<2>(rows, ordinals, count, query, out);
    case 3:
      return gathered<3>(rows, ordinals, count, query, out);
    case 4:
      return gathered<4>(rows, ordinals, count, query, out);
    case 6:
      return gathered<6>(rows, ordinals, count, query, out);
    case 12:
      return gathered<12>(rows, ordinals, count, query, out);
    default:
      return gathered<0>(rows, ordinals, count, query, out);
  }
}
