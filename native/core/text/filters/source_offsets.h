// Offsets of the parts of a token, for filters that split tokens.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "text/analysis/token.h"
#include "text/analysis/utf8.h"

namespace quarry {

/// Maps offsets within a token's text to offsets of the analyzed text. They correspond when both
/// have the same length in UTF-16 units, as in Lucene; otherwise, after a stemmer or a synonym,
/// every part has the offsets of the whole token.
class SourceOffsets {
 public:
  SourceOffsets(const Token& token, std::string_view source) {
    if (token.end < token.start || token.end > source.size()) return;
    source = source.substr(token.start, token.end - token.start);
    if (utf16_length(source) != utf16_length(token.text)) return;
    offsets_.reserve(token.text.size() + 1);
    size_t source_at = 0;
    int units = 0;  // of the token, for which the source has not advanced yet
    for (size_t at = 0; at < token.text.size();) {
      const CodePoint letter = decode_utf8(token.text, at);
      offsets_.insert(offsets_.end(), letter.bytes, token.start + static_cast<uint32_t>(source_at));
      at += letter.bytes;
      units += letter.value > 0xFFFF ? 2 : 1;
      while (units > 0 && source_at < source.size()) {
        const CodePoint next = decode_utf8(source, source_at);
        const int width = next.value > 0xFFFF ? 2 : 1;
        if (width > units) break;
        source_at += next.bytes;
        units -= width;
      }
    }
    offsets_.push_back(token.end);
  }

  bool aligned() const { return !offsets_.empty(); }
  /// The offset in the analyzed text of byte `at` of the token. Requires aligned().
  uint32_t at(size_t at) const { return offsets_[at]; }

 private:
  std::vector<uint32_t> offsets_;
};

}  // namespace quarry
