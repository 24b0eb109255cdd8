// The documents of a shard that are semantically nearest: by the vector of the whole text, or, if a
// text has passages, by the mean of that and of its best passage. Two lists of nearest vectors are
// combined by the threshold algorithm (Fagin, Lotem, Naor 2003): they are read until no document
// beyond them can be among the best.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "query/plan/query.h"
#include "vector/vector_search.h"

namespace quarry {

/// The similarity of a document. Both members are `_score`s of vectors, (1 + cosine) / 2.
struct SemanticSimilarity {
  double whole = 0;
  std::optional<double> passage;  // that of the best passage
  double score() const { return passage ? (whole + *passage) / 2 : whole; }
};

/// Used by one search on one thread.
class SemanticSearch {
 public:
  /// `vectors` and `passages` are names of vector fields; all arguments must outlive the object. If
  /// `passages` is empty, the vectors of whole texts alone rank.
  SemanticSearch(std::vector<Leaf> leaves, std::string_view vectors, std::string_view passages,
                 const PreparedVector& query, SearchProgress& progress);

  /// The k best documents that pass `filter` (null: all), by descending score, then ascending
  /// document. Fewer if there are not as many or the time was up. `num_candidates` as in
  /// VectorSearcher::search.
  std::vector<VectorHit> run(uint32_t k, uint32_t num_candidates, Weight* filter,
                             VectorSearcher& searcher);
  /// The similarity of a document (base + document of the segment); nothing if it has no vector.
  std::optional<SemanticSimilarity> similarity(uint32_t doc);

 private:
  struct Part {
    Leaf leaf;
    const VectorColumn* whole = nullptr;     // never null
    const VectorColumn* passages = nullptr;  // null: the segment has no long text
    Bitset filter;
    bool searched = false;
  };
  /// One list: its best vectors so far, and whether it is complete.
  struct List {
    std::vector<VectorHit> hits;
    bool complete = false;
  };
  struct Wanted {
    uint32_t k = 0;
    uint32_t num_candidates = 0;
    bool filtered = false;
  };

  List nearest(const VectorColumn* Part::* column, uint32_t depth, const Wanted& wanted,
               VectorSearcher& searcher);
  void score_unseen(const std::vector<VectorHit>& hits);
  bool settled(const List& whole, const List& passages, uint32_t k);
  std::vector<VectorHit> best(uint32_t k) const;

  const PreparedVector& query_;
  SearchProgress& progress_;
  std::vector<Part> parts_;  // ascending by base
  bool has_passages_ = false;
  std::unordered_set<uint32_t> seen_;
  std::vector<VectorHit> scored_;  // the documents seen so far, with their scores
};

}  // namespace quarry
