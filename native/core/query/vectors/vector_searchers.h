// What all searches of vectors in an engine share: searchers with their warm scratch, and the embedders
// that make vectors of the texts to search for.
#pragma once

#include "base/lending_pool.h"
#include "text/analysis/embedder_pool.h"
#include "vector/vector_search.h"

namespace quarry {

class VectorSearcherPool : public LendingPool<VectorSearcher> {
 public:
  /// `embedders` outlives the pool; null: every text has one of its own.
  explicit VectorSearcherPool(EmbedderPool* embedders = nullptr) : embedders_(embedders) {}
  /// `pool` may be null, as for lend().
  static EmbedderPool* embedders(const VectorSearcherPool* pool) {
    return pool != nullptr ? pool->embedders_ : nullptr;
  }

 private:
  EmbedderPool* embedders_;
};

}  // namespace quarry
