// Base of clauses whose documents and scores are a list: the nearest vectors of a vector, or
// documents that an earlier phase found.
#pragma once

#include <cstdint>
#include <vector>

#include "query/plan/query.h"

namespace quarry {

/// Documents of a shard (base + document of the segment), ascending, and the score of each.
struct ScoredDocs {
  std::vector<uint32_t> docs;
  std::vector<float> scores;
};

class ScoredDocsWeight : public Weight {
 public:
  /// `bound`: of all scores, the boost included.
  explicit ScoredDocsWeight(float bound) {
    set_bound(bound);
    set_list();
  }
  uint64_t cost(const Leaf& leaf) override;
  ScorerPtr scorer(const Leaf& leaf, uint64_t lead_cost) override;
  LeafPlan plan(const Leaf& leaf, Counting counting) override;
  Explanation explain(const Leaf& leaf, uint32_t doc) override;

 protected:
  /// Returns the same list at every call, with the boost included.
  virtual const ScoredDocs& found() = 0;
  /// The total number of documents over all shards, for explanations.
  virtual uint64_t found_everywhere() { return found().docs.size(); }

 private:
  struct Part {
    size_t begin = 0;
    size_t end = 0;
  };
  /// The part of the list that lies in one segment.
  Part part(const Leaf& leaf);
};

}  // namespace quarry
