// Caches the whole result of aggregations over all documents of a shard in the filter cache
// (query/cache/filter_cache.h), as long as the segments and their live documents stay the same.
// Adding up the cached totals of the segments takes a time that grows with the number of segments.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "query/plan/compiler.h"
#include "query/plan/plan.h"

namespace quarry {

/// One per search.
class ShardResultCache {
 public:
  /// Looks up the result. Only searches over all documents have one, and only if several segments
  /// or deletions make it worthwhile.
  ShardResultCache(const Compiler& compiler, const Plan& plan, const std::vector<Leaf>& leaves);

  /// The encoded section of aggregations; null: not cached.
  const std::vector<uint8_t>* get() const;
  /// Caches the result `made` if it was requested before and is small. It must depend only on
  /// columns of live documents.
  void put(const std::vector<uint8_t>& made) const;

 private:
  struct Entry;

  const Compiler& compiler_;
  const std::vector<Leaf>& leaves_;
  std::string name_;  // empty: not cacheable
  bool requested_before_ = false;
  std::shared_ptr<const Entry> entry_;
};

}  // namespace quarry
