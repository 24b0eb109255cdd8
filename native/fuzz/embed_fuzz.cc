// Embeds arbitrary text: words and passages must lie inside the text and in order, vectors must be
// finite and of unit length or zero, with any content of the cache. The first byte selects dims.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "text/embedder/lexical_embedder.h"
#include "text/embedder/lexical_words.h"
#include "text/tokenizers/passages.h"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void check_words(std::string_view text) {
  quarry::LexicalScanner scanner(text);
  size_t start = 0;
  for (quarry::LexicalWord word; scanner.next(word);) {
    require(!word.text.empty() && word.start >= start && word.end <= text.size());
    require(word.start < word.end);
    start = word.start;
  }
}

void check_passages(std::string_view text) {
  size_t start = 0;
  for (const quarry::ByteRange& passage : quarry::split_passages(text)) {
    require(passage.start >= start && passage.start < passage.end && passage.end <= text.size());
    start = passage.start;
  }
}

void check_vector(std::string_view text, size_t dims, quarry::LexicalRecipe recipe) {
  std::vector<float> cached(dims);
  std::vector<float> uncached(dims);
  quarry::LexicalEmbedder embedder;
  embedder.embed(text.substr(0, text.size() / 2), cached);
  const bool some = embedder.embed(text, cached, {}, recipe);
  quarry::LexicalEmbedder tiny(0);
  require(tiny.embed(text, uncached, {}, recipe) == some && cached == uncached);
  double squares = 0;
  for (const float value : cached) squares += static_cast<double>(value) * value;
  require(std::abs(squares - (some ? 1.0 : 0.0)) < 1e-5);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
  check_words(text);
  check_passages(text);
  for (const std::string_view name : quarry::kLexicalEmbedders) {
    check_vector(text, 1 + data[0] * size_t{16}, *quarry::find_lexical_recipe(name));
  }
  return 0;
}
