// Built-in embedders with their caches of word vectors, shared by all operations of an engine that
// embed text.
#pragma once

#include "base/lending_pool.h"
#include "text/embedder/lexical_embedder.h"

namespace quarry {

class EmbedderPool : public LendingPool<LexicalEmbedder> {};

}  // namespace quarry
