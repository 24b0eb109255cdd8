// Texts for tests of semantic fields, and their expected vectors.
#pragma once

#include <string>
#include <vector>

#include "base/random.h"
#include "json/number.h"
#include "text/embedder/lexical_embedder.h"
#include "text/tokenizers/passages.h"
#include "vector/vector_writer.h"

namespace quarry::testing {

/// An empty text, blanks, stop words, a sentence, or enough words for passages.
inline std::string random_text(Random& random) {
  switch (random.below(8)) {
    case 0:
      return "";
    case 1:
      return " \n ";
    case 2:
      return "the of and it";
    default:
      break;
  }
  const uint64_t most = random.below(4) == 0 ? 700 : 30;
  std::string text;
  for (uint64_t count = 1 + random.below(most); count > 0; count--) {
    text += "word" + std::to_string(random.below(200)) + (random.below(9) == 0 ? ". The " : " ");
  }
  return text;
}

/// The vector of the built-in embedder as columns store it; empty when the text has no direction.
inline std::vector<float> embedded_unit(std::string_view text, uint32_t dims,
                                        LexicalRecipe recipe = LexicalRecipe::kFirst) {
  std::vector<float> vector(dims);
  LexicalEmbedder embedder;
  if (!embedder.embed(text, vector, {}, recipe)) return {};
  return unit_vector(vector);
}

inline std::string floats_json(const std::vector<float>& vector) {
  std::string json = "[";
  for (const float value : vector) json += (json.size() > 1 ? "," : "") + format_float(value);
  return json + "]";
}

}  // namespace quarry::testing
