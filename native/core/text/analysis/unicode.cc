// Lookups in the generated range tables: a direct table for the first 0x3400 code points (all
// alphabets in use), binary search above.
#include "text/analysis/unicode.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>

#include "text/analysis/utf8.h"

namespace quarry {
namespace {

struct ClassRange {
  uint32_t start;
  uint32_t end;
  uint8_t value;
};
struct CaseRange {
  uint32_t start;
  uint32_t end;
  uint32_t stride;
  int32_t delta;
};
struct AsciiFold {
  uint32_t code_point;
  char text[5];
};

#include "text/unicode/unicode_tables.inc"

// Below this every class has its own byte; above are CJK, Hangul and the supplementary planes.
constexpr uint32_t kDirectEnd = 0x3400;
constexpr uint32_t kDirectCaseEnd = 0x600;  // Latin, Greek, Cyrillic, Armenian

template <size_t N>
constexpr std::array<uint8_t, kDirectEnd> direct_classes(const ClassRange (&ranges)[N]) {
  std::array<uint8_t, kDirectEnd> out{};
  for (const ClassRange& range : ranges) {
    for (uint32_t cp = range.start; cp <= range.end && cp < kDirectEnd; ++cp) out[cp] = range.value;
  }
  return out;
}

constexpr Category category_of(uint32_t cp, uint8_t general) {
  using enum GeneralCategory;
  const auto within = [general](GeneralCategory first, GeneralCategory last) {
    return general >= static_cast<uint8_t>(first) && general <= static_cast<uint8_t>(last);
  };
  if (within(kLu, kLo)) return Category::kLetter;
  if (within(kMn, kMe)) return Category::kMark;
  if (within(kNd, kNd)) return Category::kDigit;
  if (within(kNl, kNo)) return Category::kNumber;
  if (within(kPc, kPo)) return Category::kPunctuation;
  if (within(kSm, kSo)) return Category::kSymbol;
  const bool no_break = cp == 0xA0 || cp == 0x2007 || cp == 0x202F;
  const bool control = (cp >= 0x9 && cp <= 0xD) || (cp >= 0x1C && cp <= 0x1F);
  return (within(kZs, kZp) && !no_break) || control ? Category::kSpace : Category::kOther;
}

constexpr std::array<uint8_t, kDirectEnd> direct_categories(
    const std::array<uint8_t, kDirectEnd>& general) {
  std::array<uint8_t, kDirectEnd> out{};
  for (uint32_t cp = 0; cp < kDirectEnd; ++cp) {
    out[cp] = static_cast<uint8_t>(category_of(cp, general[cp]));
  }
  return out;
}

template <size_t N>
constexpr std::array<int32_t, kDirectCaseEnd> direct_deltas(const CaseRange (&ranges)[N]) {
  std::array<int32_t, kDirectCaseEnd> out{};
  for (const CaseRange& range : ranges) {
    for (uint32_t cp = range.start; cp <= range.end && cp < kDirectCaseEnd; cp += range.stride) {
      out[cp] = range.delta;
    }
  }
  return out;
}

constexpr auto kWordDirect = direct_classes(kWordRanges);
constexpr auto kGeneralDirect = direct_classes(kCategoryRanges);
constexpr auto kCategoryDirect = direct_categories(kGeneralDirect);
constexpr auto kLowerDirect = direct_deltas(kLowerRanges);
constexpr auto kUpperDirect = direct_deltas(kUpperRanges);

template <typename Range, size_t N>
const Range* find_range(const Range (&ranges)[N], uint32_t cp) noexcept {
  const Range* at =
      std::lower_bound(std::begin(ranges), std::end(ranges), cp,
                       [](const Range& range, uint32_t value) { return range.end < value; });
  return at == std::end(ranges) || at->start > cp ? nullptr : at;
}

template <size_t N>
uint8_t find_class(const ClassRange (&ranges)[N], uint32_t cp) noexcept {
  const ClassRange* range = find_range(ranges, cp);
  return range == nullptr ? uint8_t{0} : range->value;
}

template <size_t N>
uint32_t map_case(const CaseRange (&ranges)[N], uint32_t cp) noexcept {
  const CaseRange* range = find_range(ranges, cp);
  if (range == nullptr || (cp - range->start) % range->stride != 0) return cp;
  return static_cast<uint32_t>(static_cast<int32_t>(cp) + range->delta);
}

template <typename Map>
std::string map_text(std::string_view text, Map map) {
  std::string out;
  out.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const CodePoint cp = decode_utf8(text, at);
    append_utf8(out, map(cp.value));
    at += cp.bytes;
  }
  return out;
}

}  // namespace

WordProperty word_property(uint32_t cp) noexcept {
  if (cp < kDirectEnd) return {kWordDirect[cp]};
  return {find_class(kWordRanges, cp)};
}

GeneralCategory general_category(uint32_t cp) noexcept {
  if (cp < kDirectEnd) return static_cast<GeneralCategory>(kGeneralDirect[cp]);
  return static_cast<GeneralCategory>(find_class(kCategoryRanges, cp));
}

Category category(uint32_t cp) noexcept {
  if (cp < kDirectEnd) return static_cast<Category>(kCategoryDirect[cp]);
  return category_of(cp, find_class(kCategoryRanges, cp));
}

uint32_t to_lower(uint32_t cp) noexcept {
  if (cp < kDirectCaseEnd) {
    return static_cast<uint32_t>(static_cast<int32_t>(cp) + kLowerDirect[cp]);
  }
  return map_case(kLowerRanges, cp);
}

uint32_t to_upper(uint32_t cp) noexcept {
  if (cp < kDirectCaseEnd) {
    return static_cast<uint32_t>(static_cast<int32_t>(cp) + kUpperDirect[cp]);
  }
  return map_case(kUpperRanges, cp);
}

uint32_t fold_case(uint32_t cp) noexcept { return to_lower(to_upper(cp)); }

std::string_view ascii_fold(uint32_t cp) noexcept {
  const auto* at = std::lower_bound(
      std::begin(kAsciiFolds), std::end(kAsciiFolds), cp,
      [](const AsciiFold& fold, uint32_t value) { return fold.code_point < value; });
  return at == std::end(kAsciiFolds) || at->code_point != cp ? std::string_view{} : at->text;
}

std::string to_lower(std::string_view text) {
  return map_text(text, [](uint32_t cp) { return to_lower(cp); });
}

std::string to_upper(std::string_view text) {
  return map_text(text, [](uint32_t cp) { return to_upper(cp); });
}

}  // namespace quarry
