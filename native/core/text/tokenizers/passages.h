// Splits long texts into passages, which are embedded in addition to the whole text, because the
// vector of a long text does not represent its single parts.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace quarry {

// A text of more than kWholeTextWords is split. Words are those of LexicalScanner, including stop
// words.
constexpr size_t kWholeTextWords = 250;
constexpr size_t kPassageWords = 120;
constexpr size_t kPassageStride = 80;  // consecutive passages share a third

/// Bytes of a text, half-open.
struct ByteRange {
  size_t start = 0;
  size_t end = 0;
  bool operator==(const ByteRange&) const = default;
};

/// The passages of a text of more than kWholeTextWords words, in order. Each extends from the first
/// byte of its first word to the last byte of its last word. The last passage ends with the last
/// word of the text and may be shorter. Empty for a text that is not longer.
std::vector<ByteRange> split_passages(std::string_view text);

}  // namespace quarry
