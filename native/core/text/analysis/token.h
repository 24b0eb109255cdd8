// The tokens that analysis produces for the index and for queries. Buffers are reused between
// texts, so that analysis does not allocate once they are large enough.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/arena.h"

namespace quarry {

/// One token. `text` points into the analyzed text or into the buffer's arena, and is valid until
/// the buffer is cleared or the text is destroyed. Offsets are bytes of the analyzed text (before
/// filters), half-open.
struct Token {
  std::string_view text;
  uint32_t position =
      0;  // absolute within one analyze() call, from 0, including the gaps of removed tokens
  uint32_t position_length = 1;  // > 1 only for graph tokens (synonyms, shingles)
  uint32_t start = 0;
  uint32_t end = 0;
  const char* type =
      "<ALPHANUM>";  // static string: <ALPHANUM>, <NUM>, <IDEOGRAPHIC>, word, SYNONYM, shingle …
  bool keyword = false;  // not changed by stemmers (keyword_marker)
};

/// The output of one analyze() call.
struct TokenBuffer {
  std::vector<Token> tokens;
  Arena arena;
  /// The position from which a following value of the same field continues (last position + 1 +
  /// trailing gaps).
  uint32_t end_position = 0;
  /// The analyzed text, in which tokens have their offsets; valid during analyze(). Empty for the
  /// single terms of normalize().
  std::string_view source;

  void clear() {
    tokens.clear();
    arena.clear();
    end_position = 0;
    source = {};
  }
};

}  // namespace quarry
