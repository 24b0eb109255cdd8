// Finds the pieces and maps their offsets.
#include "text/char_filters/normalizer_char_filter.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "text/analysis/utf8.h"

namespace quarry {
namespace {

/// The end of the piece that starts at `at`.
size_t piece_end(NormalForm form, std::string_view text, size_t at) {
  size_t end = at + decode_utf8(text, at).bytes;
  while (end < text.size()) {
    const CodePoint next = decode_utf8(text, end);
    if (is_normalization_boundary(form, next.value)) break;
    end += next.bytes;
  }
  return end;
}

/// Maps the offsets of `normal`, which starts at `out_at`, to those of `piece`, which starts at
/// `text_at`. In UTF-16 units, what a longer text has more is at the start.
void map_offsets(std::string_view piece, size_t text_at, std::string_view normal, size_t out_at,
                 OffsetMap& map) {
  const size_t more = utf16_length(normal) - std::min(utf16_length(normal), utf16_length(piece));
  size_t unit = 0;        // of `normal`
  size_t piece_unit = 0;  // of `piece`, at `at`
  size_t at = 0;
  for (size_t byte = 0; byte < normal.size();) {
    const size_t wanted = unit - std::min(unit, more);
    while (at < piece.size()) {
      const CodePoint letter = decode_utf8(piece, at);
      const size_t units = letter.value > 0xFFFF ? 2 : 1;
      if (piece_unit + units > wanted) break;
      piece_unit += units;
      at += letter.bytes;
    }
    map.add_fixed(static_cast<uint32_t>(out_at + byte),
                  static_cast<int64_t>(text_at + at) - static_cast<int64_t>(out_at + byte));
    const CodePoint letter = decode_utf8(normal, byte);
    byte += letter.bytes;
    unit += letter.value > 0xFFFF ? 2 : 1;
  }
  const size_t out_end = out_at + normal.size();
  map.add(static_cast<uint32_t>(out_end),
          static_cast<int64_t>(text_at + piece.size()) - static_cast<int64_t>(out_end));
}

}  // namespace

void NormalizerCharFilter::apply(std::string_view text, std::string& out, OffsetMap& map,
                                 AnalysisBudget& budget) const {
  std::u32string letters;
  std::string normal;
  for (size_t at = 0; at < text.size();) {
    const size_t end = piece_end(form_, text, at);
    const std::string_view piece = text.substr(at, end - at);
    decode_word(piece, letters);
    normalize_unicode(form_, compose_, letters);
    encode_word(letters, normal);
    const bool same_offsets =
        normal == piece || (is_ascii(normal) && is_ascii(piece) && normal.size() == piece.size());
    if (!same_offsets) map_offsets(piece, at, normal, out.size(), map);
    out += normal;
    at = end;
    if (!budget.allows(map.size(), out.size())) return;
  }
}

}  // namespace quarry
