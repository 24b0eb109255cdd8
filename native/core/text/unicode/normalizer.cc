// Decomposes by the tables of a form and those below it, orders marks by their combining class, and
// composes again.
#include "text/unicode/normalizer.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "text/analysis/utf8.h"
#include "text/unicode/hangul.h"

namespace quarry {
namespace {

struct CombiningRange {
  uint32_t start;
  uint32_t end;
  uint8_t value;  // the canonical combining class
};
struct Composition {
  uint32_t first;
  uint32_t second;
  uint32_t composed;
};
/// Code points that become nothing.
struct DroppedRange {
  uint32_t start;
  uint32_t end;
};
/// Every `stride`-th code point is mapped by adding `delta`.
struct MapRange {
  uint32_t start;
  uint32_t end;
  uint32_t stride;
  int32_t delta;
};
/// A code point that becomes several, in UTF-8.
struct MapText {
  uint32_t code_point;
  std::string_view text;
};

#include "text/unicode/normalization_tables.inc"

/// What a form maps otherwise than the form before it, decomposed.
struct Layer {
  std::span<const DroppedRange> dropped;
  std::span<const MapRange> to_one;
  std::span<const MapText> to_several;
};
// In the order of NormalForm. Canonical and compatible forms are never empty.
constexpr Layer kLayers[] = {
    {{}, kCanonicalToOne, kCanonicalToSeveral},
    {{}, kCompatibleToOne, kCompatibleToSeveral},
    {kCasefoldDropped, kCasefoldToOne, kCasefoldToSeveral},
    {kFoldingDropped, kFoldingToOne, kFoldingToSeveral},
};

template <typename Range>
const Range* range_of(std::span<const Range> ranges, char32_t letter) {
  const auto at =
      std::lower_bound(ranges.begin(), ranges.end(), uint32_t{letter},
                       [](const Range& one, uint32_t value) { return one.end < value; });
  return at == ranges.end() || at->start > letter ? nullptr : &*at;
}

/// Appends what the layer makes of a letter; false when it leaves that to the layer below.
bool map_letter(const Layer& layer, char32_t letter, std::u32string& out) {
  if (range_of(layer.dropped, letter) != nullptr) return true;
  const MapRange* range = range_of(layer.to_one, letter);
  if (range != nullptr && (letter - range->start) % range->stride == 0) {
    out += static_cast<char32_t>(static_cast<int32_t>(letter) + range->delta);
    return true;
  }
  const auto text =
      std::lower_bound(layer.to_several.begin(), layer.to_several.end(), uint32_t{letter},
                       [](const MapText& one, uint32_t value) { return one.code_point < value; });
  if (text == layer.to_several.end() || text->code_point != letter) return false;
  for (size_t at = 0; at < text->text.size();) {
    const CodePoint cp = decode_utf8(text->text, at);
    out += static_cast<char32_t>(cp.value);
    at += cp.bytes;
  }
  return true;
}

void decompose(NormalForm form, char32_t letter, std::u32string& out) {
  if (Hangul::is_syllable(letter)) {
    out += char32_t{Hangul::lead(letter)};
    out += char32_t{Hangul::vowel(letter)};
    if (Hangul::tail(letter) != Hangul::kNoTail) out += char32_t{Hangul::tail(letter)};
    return;
  }
  for (size_t layer = static_cast<size_t>(form) + 1; layer-- > 0;) {
    if (map_letter(kLayers[layer], letter, out)) return;
  }
  out += letter;
}

uint8_t combining_class(char32_t letter) {
  if (letter < 0x300) return 0;
  const auto* range = range_of(std::span<const CombiningRange>(kCombiningClasses), letter);
  return range == nullptr ? uint8_t{0} : range->value;
}

void order_marks(std::u32string& word) {
  for (size_t at = 0; at < word.size();) {
    if (combining_class(word[at++]) == 0) continue;
    const size_t start = at - 1;
    while (at < word.size() && combining_class(word[at]) != 0) ++at;
    std::stable_sort(word.begin() + static_cast<std::ptrdiff_t>(start),
                     word.begin() + static_cast<std::ptrdiff_t>(at), [](char32_t a, char32_t b) {
                       return combining_class(a) < combining_class(b);
                     });
  }
}

/// The letter that two compose to, or 0.
char32_t composed(NormalForm form, char32_t first, char32_t second) {
  if (const uint32_t syllable = Hangul::compose(first, second); syllable != 0) return syllable;
  const std::pair<uint32_t, uint32_t> wanted{first, second};
  const auto* at = std::lower_bound(std::begin(kCompositions), std::end(kCompositions), wanted,
                                    [](const Composition& one, const auto& value) {
                                      return std::pair{one.first, one.second} < value;
                                    });
  if (at == std::end(kCompositions) || at->first != first || at->second != second) return 0;
  // A letter that the form maps otherwise is not made.
  std::u32string other;
  for (size_t layer = 1; layer <= static_cast<size_t>(form); ++layer) {
    if (map_letter(kLayers[layer], at->composed, other)) return 0;
  }
  return at->composed;
}

void compose_all(NormalForm form, std::u32string& word) {
  constexpr size_t kNone = static_cast<size_t>(-1);
  size_t starter = kNone;
  size_t kept = 0;
  uint8_t last = 0;  // the class of the last letter that was kept
  for (const char32_t letter : word) {
    const uint8_t own = combining_class(letter);
    // Letters of the same or a higher class in between block a composition.
    const bool reaches = starter != kNone && (kept == starter + 1 || (last != 0 && last < own));
    const char32_t whole = reaches ? composed(form, word[starter], letter) : 0;
    if (whole != 0) {
      word[starter] = whole;
      continue;
    }
    if (own == 0) starter = kept;
    last = own;
    word[kept++] = letter;
  }
  word.resize(kept);
}

bool composes_with_letter_before(char32_t letter) {
  static const std::vector<uint32_t> kSeconds = [] {
    std::vector<uint32_t> out;
    for (const Composition& one : kCompositions) out.push_back(one.second);
    std::sort(out.begin(), out.end());
    return out;
  }();
  if (letter >= Hangul::kVowel && letter < Hangul::kNoTail + Hangul::kTails) return true;
  return std::binary_search(kSeconds.begin(), kSeconds.end(), uint32_t{letter});
}

}  // namespace

void normalize_unicode(NormalForm form, bool compose, std::u32string& word) {
  std::u32string out;
  out.reserve(word.size());
  for (const char32_t letter : word) decompose(form, letter, out);
  order_marks(out);
  if (compose) compose_all(form, out);
  word = std::move(out);
}

bool is_normalization_boundary(NormalForm form, char32_t letter) {
  if (letter < 0x80) return true;
  std::u32string parts;
  decompose(form, letter, parts);
  return !parts.empty() && combining_class(parts.front()) == 0 &&
         !composes_with_letter_before(parts.front());
}

}  // namespace quarry
