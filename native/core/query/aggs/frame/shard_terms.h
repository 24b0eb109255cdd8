// Counts documents by term of a keyword field over the segments of a shard, for one owner: by code
// if there is one segment, by the numbers of a TermNumbering if there are several, and by text if
// there is no numbering yet.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "query/aggs/frame/value_source.h"
#include "query/aggs/terms/leaf_terms.h"
#include "query/aggs/terms/term_counts.h"
#include "query/aggs/terms/term_keys.h"
#include "query/aggs/terms/term_numbering.h"

namespace quarry {

class ShardTerms {
 public:
  /// `source`, which has whole_terms() and no missing value, must outlive the object.
  ShardTerms(AggContext& context, ValueSource& source);

  /// Starts the segment, also in the source.
  void start_leaf(const Leaf& leaf);
  void collect_leaf(const LeafDocs& docs);
  /// Counts values of the segment, as the source reads them.
  void collect(const ValueList& values);
  /// Called after the last document.
  void settle();

  /// Calls take(number, count) for all terms; some counts may be 0.
  template <typename Take>
  void each(Take take) const {
    each_from([] { return uint64_t{1}; }, take);
  }
  /// The same, but terms that count less than least() may be skipped.
  template <typename Least, typename Take>
  void each_from(Least least, Take take) const {
    if (!by_text()) return in_order_.each_from(least, take);
    for (uint32_t key = 0; key < by_key_.size(); key++) take(key, by_key_[key]);
  }
  /// Over all terms.
  TermCounts::Totals totals() const;
  /// The number of terms that live documents have, if all live documents of every segment were
  /// collected and only deleted documents had to be counted for it; null: use totals(). Called
  /// before settle().
  std::optional<uint32_t> distinct_put_off() const;
  int compare(uint32_t a, uint32_t b) const;
  std::string_view text(uint32_t number) const;

  /// Terms of segments are joined by text; the methods below are not available then.
  bool by_text() const { return !one_segment_ && numbering_ == nullptr; }
  /// The terms of the started segment.
  const LeafTerms& leaf() const { return leaf_; }
  /// Term numbers by ordinal; empty: codes are the numbers.
  std::span<const uint32_t> numbers(const Leaf& leaf) const {
    return one_segment_ ? std::span<const uint32_t>() : numbering_->numbers(leaf);
  }
  /// All numbers are below it.
  size_t number_limit() const { return one_segment_ ? leaf_.size() : numbering_->size(); }

 private:
  void settle_leaf();
  void start_numbers(uint64_t values);
  void count_numbers(const LeafDocs& docs, TermCounts& counts);
  /// Defers a segment of which all live documents count: term frequencies minus deleted documents.
  bool put_off(const LeafDocs& docs);
  void add_put_off();

  AggContext& context_;
  ValueSource& source_;
  bool one_segment_;
  TermNumberingPtr numbering_;
  LeafTerms leaf_;
  const Leaf* at_ = nullptr;
  TermCounts in_order_;   // by code of the only segment, or by number
  bool started_ = false;  // whether in_order_, or in_leaf_ for this segment, is started
  std::vector<const Leaf*> put_off_;
  TermCounts gone_;  // by number: deleted documents of deferred segments
  TermCounts in_leaf_;
  TermKeys keys_;
  BucketArray<uint64_t> by_key_;
};

}  // namespace quarry
