// Long texts in passages: what the built-in embedder embeds beside the whole text, because a long
// text's own vector drowns what only a part of it says.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace quarry {

// A text above kWholeTextWords is cut; words as LexicalScanner finds them, stop words included.
constexpr size_t kWholeTextWords = 250;
constexpr size_t kPassageWords = 120;
constexpr size_t kPassageStride = 80;  // so neighbours share a third

/// Bytes of a text, half-open.
struct ByteRange {
  size_t start = 0;
  size_t end = 0;
  bool operator==(const ByteRange&) const = default;
};

/// The passages of a text above kWholeTextWords, from the first byte of a first word to the last of
/// a last one, in order; the last passage ends with the last word and may be shorter. None for a
/// text that is not longer.
std::vector<ByteRange> split_passages(std::string_view text);

}  // namespace quarry
