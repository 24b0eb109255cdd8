// Counts the terms of a keyword column in one segment: by the codes of the column, or by the term
// frequencies if every live document counts.
#pragma once

#include "columns/column.h"
#include "query/aggs/frame/aggregator.h"
#include "query/aggs/frame/segment_totals.h"
#include "query/aggs/frame/value_source.h"
#include "query/aggs/terms/term_counts.h"

namespace quarry {

/// Up to this number of terms, each term has several counters.
inline constexpr size_t kFewTerms = 1024;

/// Terms by code: a number for each, in the order of the ordinals.
class LeafTerms {
 public:
  /// Starts the segment of `source`, which has whole_terms().
  void start(const ValueSource& source);
  /// All codes are below it; 0: the segment has no values.
  size_t size() const { return size_; }
  const ColumnCodes& codes() const { return codes_; }
  uint32_t ordinal_of(uint32_t code) const {
    return static_cast<uint32_t>(static_cast<uint64_t>(codes_.base) + codes_.step * code);
  }
  size_t code_of(int64_t ordinal) const {
    return static_cast<size_t>(static_cast<uint64_t>(ordinal - codes_.base) / codes_.step);
  }

  /// Starts `counts` and counts every document.
  void count(const LeafDocs& docs, TermCounts& counts) const;
  /// The same by term frequencies; false if these are not sufficient, or if count() is faster. Some
  /// counts may be 0.
  bool count_by_frequency(AggContext& context, const LeafDocs& docs, TermCounts& counts) const;
  /// The counts of the deleted documents of the segment whose live documents are `docs`: code in
  /// the upper half of each number, documents in the lower half. Null: not cached yet.
  SegmentTotalsPtr deleted_totals(AggContext& context, const LeafDocs& docs) const;

 private:
  void add(const LeafDocs& docs, TermCounts& counts) const;

  const ValueSource* source_ = nullptr;
  ColumnCodes codes_;
  size_t size_ = 0;
};

}  // namespace quarry
