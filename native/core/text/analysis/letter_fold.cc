// Lookups by binary search, which is fast enough because few characters of a word are beyond ASCII.
#include "text/analysis/letter_fold.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "text/analysis/unicode.h"
#include "text/analysis/utf8.h"
#include "text/unicode/hangul.h"

namespace quarry {
namespace {

/// Code points that are skipped.
struct DropRange {
  uint32_t start;
  uint32_t end;
};
/// Every `stride`-th code point is mapped by adding `delta`.
struct FoldRange {
  uint32_t start;
  uint32_t end;
  uint32_t stride;
  int32_t delta;
};
struct FoldText {
  uint32_t code_point;
  std::string_view text;
};

#include "text/analysis/letter_folds.inc"

template <typename Range, size_t N>
const Range* find_fold(const Range (&ranges)[N], uint32_t cp) noexcept {
  const Range* at =
      std::lower_bound(std::begin(ranges), std::end(ranges), cp,
                       [](const Range& range, uint32_t value) { return range.end < value; });
  return at == std::end(ranges) || at->start > cp ? nullptr : at;
}

std::string_view encode(uint32_t cp, FoldBuffer& buffer) noexcept {
  return {buffer.bytes, encode_utf8(cp, buffer.bytes)};
}

std::string_view decompose_syllable(uint32_t cp, FoldBuffer& buffer) noexcept {
  char* out = buffer.bytes;
  out += encode_utf8(Hangul::lead(cp), out);
  out += encode_utf8(Hangul::vowel(cp), out);
  if (Hangul::tail(cp) != Hangul::kNoTail) out += encode_utf8(Hangul::tail(cp), out);
  return {buffer.bytes, static_cast<size_t>(out - buffer.bytes)};
}

bool in_words(uint32_t cp) noexcept {
  const Category kind = category(cp);
  return kind == Category::kLetter || kind == Category::kDigit || kind == Category::kNumber ||
         kind == Category::kMark;
}

}  // namespace

std::string_view fold_letter(uint32_t cp, FoldBuffer& buffer) noexcept {
  if (Hangul::is_syllable(cp)) return decompose_syllable(cp, buffer);
  if (find_fold(kDropped, cp) != nullptr) return {};
  const FoldRange* range = find_fold(kToOne, cp);
  if (range != nullptr && (cp - range->start) % range->stride == 0) {
    return encode(static_cast<uint32_t>(static_cast<int32_t>(cp) + range->delta), buffer);
  }
  const auto* several = std::lower_bound(
      std::begin(kToSeveral), std::end(kToSeveral), cp,
      [](const FoldText& fold, uint32_t value) { return fold.code_point < value; });
  if (several != std::end(kToSeveral) && several->code_point == cp) return several->text;
  return in_words(cp) ? encode(to_lower(cp), buffer) : " ";
}

}  // namespace quarry
