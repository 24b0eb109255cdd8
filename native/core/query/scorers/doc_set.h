// A fixed set of documents of one segment, and the scorers over it: what filters, ranges and
// multi-term clauses become.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/bitset.h"
#include "query/plan/query.h"

namespace quarry {

/// Immutable. A bit set when at least one document in 32 is in it, sorted documents otherwise.
class DocSet {
 public:
  explicit DocSet(Bitset bits);
  /// `docs`: ascending, no duplicates, below `max_doc`.
  DocSet(std::vector<uint32_t> docs, uint32_t max_doc);

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

using DocSetPtr = std::shared_ptr<const DocSet>;

/// Every document of the set scores `score`. Null for an empty set.
ScorerPtr make_doc_set_scorer(DocSetPtr set, float score);
/// Documents 0 .. max_doc - 1, all scoring `score`.
ScorerPtr make_all_docs_scorer(uint32_t max_doc, float score);
/// Everything that `scorer` matches.
DocSetPtr collect_doc_set(Scorer& scorer, uint32_t max_doc, StopCheck& stop);

/// How many documents of the set are live; `live` null: all are.
uint64_t count_live(const DocSet& set, const Bitset* live);

/// How many bits are set.
uint64_t count_bits(std::span<const uint64_t> words) noexcept;
/// How many are set in both; as many words.
uint64_t count_shared_bits(std::span<const uint64_t> a, std::span<const uint64_t> b) noexcept;

/// Sets bits [from, to).
void set_bits(uint64_t* bits, uint32_t from, uint32_t to) noexcept;

/// Copies bits [begin, end) of `from` to `bits` (bit 0 = begin), ORed in.
void copy_bits(const Bitset& from, uint32_t begin, uint32_t end, uint64_t* bits);

}  // namespace quarry
