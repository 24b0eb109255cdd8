// How many of a term's documents in a segment are live. No statistics of the index know, and to count a frequent term
// again for every search would take as long as to score it: kept with the filters.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "query/filter_cache.h"
#include "query/query.h"

namespace quarry {

/// Of one term. Deletions of a segment only grow, so the number of its live documents tells which of them a count has
/// seen: an entry that has seen others is replaced.
class LiveCounts {
 public:
  LiveCounts(std::string_view field, std::string_view term);

  /// What is kept, or what `count` finds, which is kept if the term was asked for before. `dear`: it is called only when
  /// there were no deletions since it was last asked for. -1: not called.
  int64_t get(FilterCache& cache, const Leaf& leaf, bool dear,
              const std::function<uint64_t()>& count) const;

 private:
  std::string name_;
};

}  // namespace quarry
