// Letters as the built-in embedder compares them: without case, accents and compatibility forms.
// The data is letter_folds.inc, written by native/tools/unicode_tables.mjs.
#pragma once

#include <cstdint>
#include <string_view>

namespace quarry {

/// Room for a folding that is computed: three Hangul letters of three bytes.
struct FoldBuffer {
  char bytes[12];
};

/// What `code_point` (>= 0x80) becomes, as UTF-8: letters, digits and vowel signs in lower case; '
/// for apostrophes; a space where a word ends; empty for accents and invisible characters, which
/// are passed over. Points into static tables or into `buffer`.
std::string_view fold_letter(uint32_t code_point, FoldBuffer& buffer) noexcept;

}  // namespace quarry
