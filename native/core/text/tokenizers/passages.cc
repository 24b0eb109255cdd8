// A passage starts every kPassageStride words, until one reaches the end of the text.
#include "text/tokenizers/passages.h"

#include <algorithm>

#include "text/embedder/lexical_words.h"

namespace quarry {

std::vector<ByteRange> split_passages(std::string_view text) {
  std::vector<ByteRange> words;
  LexicalScanner scanner(text);
  for (LexicalWord word; scanner.next(word);) words.push_back({word.start, word.end});
  std::vector<ByteRange> passages;
  if (words.size() <= kWholeTextWords) return passages;
  for (size_t first = 0;; first += kPassageStride) {
    const size_t last = std::min(first + kPassageWords, words.size()) - 1;
    passages.push_back({words[first].start, words[last].end});
    if (last + 1 == words.size()) return passages;
  }
}

}  // namespace quarry
