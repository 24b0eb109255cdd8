// Embeds each string with the embedder of the calling thread into one block of floats.
#include "engine/embedding.h"

namespace quarry {

Result<std::vector<float>> embed_texts(LexicalEmbedder& embedder,
                                       std::span<const std::string> texts, uint32_t dims,
                                       const TermWeight& weight, LexicalRecipe recipe) {
  if (dims < 1 || dims > kMaxLexicalDims) {
    return Status(ErrorType::kIllegalArgument,
                  "[dims] of the embedder [" + std::string(lexical_embedder_name(recipe)) +
                      "] must be between 1 and " + std::to_string(kMaxLexicalDims) + ", got [" +
                      std::to_string(dims) + "]");
  }
  std::vector<float> vectors(texts.size() * dims);
  for (size_t i = 0; i < texts.size(); ++i) {
    embedder.embed(texts[i], std::span(vectors).subspan(i * dims, dims), weight, recipe);
  }
  return vectors;
}

}  // namespace quarry
