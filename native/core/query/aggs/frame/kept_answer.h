// The whole answer to aggregations over every document of a shard, kept with the filters (query/cache/filter_cache.h) for as
// long as the segments and their live documents stay the same: to add up what is kept of each segment takes a time that
// grows with their number.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "query/plan/compiler.h"
#include "query/plan/plan.h"

namespace quarry {

/// Of one search.
class KeptAnswer {
 public:
  /// Looks the answer up. Only searches for everything have one, where several segments or deletions make it worth while.
  KeptAnswer(const Compiler& compiler, const Plan& plan, const std::vector<Leaf>& leaves);

  /// The section of aggregations; null: it has to be made.
  const std::vector<uint8_t>* get() const;
  /// Keeps what was made, if it was wanted before and is short. It must depend on columns of live documents alone.
  void put(const std::vector<uint8_t>& made) const;

 private:
  struct Entry;

  const Compiler& compiler_;
  const std::vector<Leaf>& leaves_;
  std::string name_;  // empty: nothing is kept
  bool asked_before_ = false;
  std::shared_ptr<const Entry> entry_;
};

}  // namespace quarry
