// A fixed set of documents of one segment and the scorers over it: the result of filters, ranges
// and multi-term clauses.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/bit_list.h"
#include "base/bitset.h"
#include "query/plan/query.h"

namespace quarry {

/// Immutable. A bit set if it holds at least one document in 32, else a sorted array of documents.
class DocIdSet {
 public:
  explicit DocIdSet(Bitset bits);
  /// `docs`: ascending, no duplicates, below `max_doc`.
  DocIdSet(std::vector<uint32_t> docs, uint32_t max_doc);

  uint32_t count() const { return count_; }
  bool dense() const { return dense_; }
  const Bitset& bits() const { return bits_; }
  const std::vector<uint32_t>& docs() const { return docs_; }
  size_t bytes() const {
    return sizeof(*this) + bits_.bytes() + docs_.capacity() * sizeof(uint32_t);
  }

 private:
  bool dense_ = false;
  uint32_t count_ = 0;
  Bitset bits_;
  std::vector<uint32_t> docs_;
};

using DocIdSetPtr = std::shared_ptr<const DocIdSet>;

/// Every document of the set scores `score`. Null for an empty set.
ScorerPtr make_doc_id_set_scorer(DocIdSetPtr set, float score);
/// Documents 0 .. max_doc - 1, all scoring `score`.
ScorerPtr make_all_docs_scorer(uint32_t max_doc, float score);
/// All documents that `scorer` matches.
DocIdSetPtr collect_doc_id_set(Scorer& scorer, uint32_t max_doc, StopCheck& stop);

/// The number of live documents of the set; `live` null: all are live.
uint64_t count_live(const DocIdSet& set, const Bitset* live);

/// Sets bits [from, to).
void set_bits(uint64_t* bits, uint32_t from, uint32_t to) noexcept;

/// ORs bits [begin, end) of `from` into `bits` (bit 0 = begin).
void copy_bits(const Bitset& from, uint32_t begin, uint32_t end, uint64_t* bits);

}  // namespace quarry
