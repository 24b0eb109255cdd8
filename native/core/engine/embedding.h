// The built-in embedder for callers outside the core: several strings per call, with `dims`
// checked.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "text/embedder/lexical_embedder.h"

namespace quarry {

/// The vectors of `texts` (UTF-8), `dims` floats each, one after the other. A string without a
/// direction (LexicalEmbedder::embed) gives zeros. illegal_argument_exception for dims outside 1 ..
/// kMaxLexicalDims. The calling thread must own `embedder`.
Result<std::vector<float>> embed_texts(LexicalEmbedder& embedder,
                                       std::span<const std::string> texts, uint32_t dims,
                                       const TermWeight& weight,
                                       LexicalRecipe recipe = LexicalRecipe::kFirst);

}  // namespace quarry
