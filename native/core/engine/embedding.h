// The built-in embedder as callers outside the core use it: many texts a call, dims checked.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "text/embedder/lexical_embedder.h"

namespace quarry {

/// The vectors of `texts` (UTF-8), `dims` floats each, one after the other. A text without
/// direction (LexicalEmbedder::embed) gives zeros. illegal_argument_exception for dims outside 1 ..
/// kMaxLexicalDims. `embedder` is the calling thread's own.
Result<std::vector<float>> embed_texts(LexicalEmbedder& embedder,
                                       std::span<const std::string> texts, uint32_t dims,
                                       const TermWeight& weight);

}  // namespace quarry
