// The documents of a shard nearest in meaning: by the vector of the whole text alone, or, where a
// text has passages, by the mean of that and of its best passage. Two lists of neighbours are joined
// by the threshold algorithm (Fagin, Lotem, Naor 2003): they are read as deep as it takes until no
// document beyond them can be among the best.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "query/plan/query.h"
#include "vector/vector_search.h"

namespace quarry {

/// How near a document is. Both are `_score`s of vectors, (1 + cosine) / 2.
struct Nearness {
  double whole = 0;
  std::optional<double> passage;  // the best of them
  double score() const { return passage ? (whole + *passage) / 2 : whole; }
};

/// One search, one thread.
class SemanticSearch {
 public:
  /// Names of the vector fields; all arguments outlive this. `filter`: null for none.
  SemanticSearch(std::vector<Leaf> leaves, std::string_view vectors, std::string_view passages,
                 const PreparedVector& query, SearchProgress& progress);

  /// The k best that pass `filter` (null: all), score descending, then document ascending: fewer
  /// when there are not as many or the time was up. `num_candidates` as VectorSearcher::search.
  std::vector<VectorHit> run(uint32_t k, uint32_t num_candidates, Weight* filter,
                             VectorSearcher& searcher);
  /// Of a document (base + document of the segment); nothing where it has no vector.
  std::optional<Nearness> nearness(uint32_t doc);

 private:
  struct Part {
    Leaf leaf;
    const VectorColumn* whole = nullptr;     // never null
    const VectorColumn* passages = nullptr;  // null: no text of the segment is long
    Bitset filter;
    bool searched = false;
  };
  /// Of one list: the best so far, and whether it ends there.
  struct List {
    std::vector<VectorHit> hits;
    bool complete = false;
  };
  struct Wanted {
    uint32_t k = 0;
    uint32_t num_candidates = 0;
    bool filtered = false;
  };

  List nearest(const VectorColumn* Part::*column, uint32_t depth, const Wanted& wanted,
               VectorSearcher& searcher);
  void score_unseen(const std::vector<VectorHit>& hits);
  bool settled(const List& whole, const List& passages, uint32_t k);
  std::vector<VectorHit> best(uint32_t k) const;

  const PreparedVector& query_;
  SearchProgress& progress_;
  std::vector<Part> parts_;  // ascending by base
  bool has_passages_ = false;
  std::unordered_set<uint32_t> seen_;
  std::vector<VectorHit> scored_;  // what was seen, with its score
};

}  // namespace quarry
