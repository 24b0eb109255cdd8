// The Porter stemmer in the form that Elasticsearch's `english` analyzer and `porter_stem` use:
// M.F. Porter, "An algorithm for suffix stripping", 1980, with the author's three later departures
// ("bli", "logi", words of two letters). libstemmer's "porter" is the paper without these
// departures, so it is not used.
#pragma once

#include <cstddef>

namespace quarry {

/// Stems `word` (lower-case) in place and returns the new length, which is never larger than
/// `length`. Bytes other than a-z count as consonants.
size_t porter_stem(char* word, size_t length) noexcept;

}  // namespace quarry
