// The normalization forms of Unicode (UAX #15), and the folding of the icu_folding filter.
#pragma once

#include <cstdint>
#include <string>

namespace quarry {

enum class NormalForm : uint8_t {
  kCanonical,   // NFC and NFD
  kCompatible,  // NFKC and NFKD
  kCasefold,    // NFKC_Casefold: also without case and ignorable characters
  kFolding,     // also without diacritics, by the foldings of UTR #30 as Lucene has them
};

/// Replaces `word` with its normal form: composed, or decomposed.
void normalize_unicode(NormalForm form, bool compose, std::u32string& word);

/// Whether a text can be cut before the letter: the parts are then normalized alike.
bool is_normalization_boundary(NormalForm form, char32_t letter);

}  // namespace quarry
