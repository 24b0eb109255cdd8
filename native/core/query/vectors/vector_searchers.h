// Shared by all vector searches of an engine: searchers with their warm scratch memory, and the
// embedders of query texts.
#pragma once

#include "base/lending_pool.h"
#include "text/analysis/embedder_pool.h"
#include "vector/vector_search.h"

namespace quarry {

class VectorSearcherPool : public LendingPool<VectorSearcher> {
 public:
  /// `embedders` must outlive the pool; null: every text gets a new embedder.
  explicit VectorSearcherPool(EmbedderPool* embedders = nullptr) : embedders_(embedders) {}
  /// `pool` may be null, as for lend().
  static EmbedderPool* embedders(const VectorSearcherPool* pool) {
    return pool != nullptr ? pool->embedders_ : nullptr;
  }

 private:
  EmbedderPool* embedders_;
};

}  // namespace quarry
