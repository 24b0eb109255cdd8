// Searchers of vectors with their warm scratch, lent to one search at a time: as many as ever
// searched at once.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "vector/vector_search.h"

namespace quarry {

/// Thread-safe; outlives its leases.
class VectorSearcherPool {
 public:
  /// Gives the searcher back when it goes.
  class Lease {
   public:
    Lease(VectorSearcherPool* pool, std::unique_ptr<VectorSearcher> searcher)
        : pool_(pool), searcher_(std::move(searcher)) {}
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    ~Lease() {
      if (pool_ != nullptr) pool_->put(std::move(searcher_));
    }
    VectorSearcher& operator*() { return *searcher_; }

   private:
    VectorSearcherPool* pool_;
    std::unique_ptr<VectorSearcher> searcher_;
  };

  /// `pool` may be null: a searcher of its own.
  static Lease lend(VectorSearcherPool* pool) {
    return {pool, pool != nullptr ? pool->get() : std::make_unique<VectorSearcher>()};
  }

 private:
  std::unique_ptr<VectorSearcher> get() {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        std::unique_ptr<VectorSearcher> last = std::move(idle_.back());
        idle_.pop_back();
        return last;
      }
    }
    return std::make_unique<VectorSearcher>();
  }
  void put(std::unique_ptr<VectorSearcher> searcher) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(searcher));
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<VectorSearcher>> idle_;
};

}  // namespace quarry
