// Counts the terms of a keyword column in one segment: by the codes of the column, or by the term
// frequencies if every live document counts.
#pragma once

#include "columns/column.h"
#include "query/aggs/frame/aggregator.h"
#include "query/aggs/frame/place_counting.h"
#include "query/aggs/frame/segment_totals.h"
#include "query/aggs/frame/value_source.h"
#include "query/aggs/terms/term_counts.h"

namespace quarry {

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
  /// find_deleted_counts() by code.
  SegmentTotalsPtr deleted_counts(AggContext& context, const LeafDocs& docs) const;

  /// Counts every document at place_of(code).
  template <typename PlaceOf>
  void add(const LeafDocs& docs, TermCounts& counts, PlaceOf place_of) const {
    if (!counts.sparse())
      return count_places(docs, codes_, counts.array_size(), counts.array(), place_of);
    for (DocPortions portions(docs); portions.next();) {
      portions.each(codes_, [&counts, place_of](uint32_t, uint64_t code) {
        counts.add(static_cast<uint32_t>(place_of(code)));
      });
    }
  }

 private:
  void add(const LeafDocs& docs, TermCounts& counts) const {
    add(docs, counts, [](uint64_t code) { return code; });
  }

  const ValueSource* source_ = nullptr;
  ColumnCodes codes_;
  size_t size_ = 0;
};

}  // namespace quarry
