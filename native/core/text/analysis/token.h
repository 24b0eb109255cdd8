// Tokens as analysis hands them to the index and to queries. Reused between texts, so nothing is
// allocated once warm.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/arena.h"

namespace quarry {

/// One token. `text` points into the analysed text or into the buffer's arena: valid until the
/// buffer is cleared and the text dies. Offsets are bytes of the analysed text (before filters),
/// half-open.
struct Token {
  std::string_view text;
  uint32_t position =
      0;  // absolute within one analyze() call, first token at 0 (plus holes of removed tokens)
  uint32_t position_length = 1;  // > 1 only for graph tokens (synonyms, shingles)
  uint32_t start = 0;
  uint32_t end = 0;
  const char* type =
      "<ALPHANUM>";  // static string: <ALPHANUM>, <NUM>, <IDEOGRAPHIC>, word, SYNONYM, shingle …
  bool keyword = false;  // stemmers leave the token alone (keyword_marker)
};

/// Output of one analyze() call.
struct TokenBuffer {
  std::vector<Token> tokens;
  Arena arena;
  /// Position that a following value of the same field continues from (last position + 1 + trailing
  /// holes).
  uint32_t end_position = 0;

  void clear() {
    tokens.clear();
    arena.clear();
    end_position = 0;
  }
};

}  // namespace quarry
