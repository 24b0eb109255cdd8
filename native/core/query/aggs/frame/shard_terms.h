// Documents by term of a keyword field over the segments of a shard, for one owner: by code while there is one
// segment, by the numbers of a TermNumbering over several, and by text where there is none yet.
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
  /// `source`, which has whole_terms() and no missing value, must outlive it.
  ShardTerms(AggContext& context, ValueSource& source);

  /// Starts the segment, in the source as well.
  void start_leaf(const Leaf& leaf);
  void collect_leaf(const LeafDocs& docs);
  /// Values of the segment as the source reads them.
  void collect(const ValueList& values);
  /// Behind the last document.
  void settle();

  /// take(number, count) for all terms; some counts may be 0.
  template <typename Take>
  void each(Take take) const {
    each_from([] { return uint64_t{1}; }, take);
  }
  /// The same; those that count less than least() says may be left out.
  template <typename Least, typename Take>
  void each_from(Least least, Take take) const {
    if (!by_text()) return in_order_.each_from(least, take);
    for (uint32_t key = 0; key < by_key_.size(); key++) take(key, by_key_[key]);
  }
  /// Of all terms together.
  TermCounts::Totals totals() const;
  /// Before settle(): the terms that live documents have, when all of every segment were collected and only deleted ones
  /// had to be counted for that; null: totals() tells.
  std::optional<uint32_t> distinct_put_off() const;
  int compare(uint32_t a, uint32_t b) const;
  std::string_view text(uint32_t number) const;

  /// Segments meet by text: what is below does not tell anything.
  bool by_text() const { return !one_segment_ && numbering_ == nullptr; }
  /// The terms of the segment that was started.
  const LeafTerms& leaf() const { return leaf_; }
  /// Their numbers by ordinal; empty: their codes are numbers.
  std::span<const uint32_t> numbers(const Leaf& leaf) const {
    return one_segment_ ? std::span<const uint32_t>() : numbering_->numbers(leaf);
  }
  /// Numbers are below it.
  size_t number_limit() const { return one_segment_ ? leaf_.size() : numbering_->size(); }

 private:
  void settle_leaf();
  void start_numbers(uint64_t values);
  void count_numbers(const LeafDocs& docs, TermCounts& counts);
  void count_few(const LeafDocs& docs, TermCounts& counts);
  /// Every live document of a segment counts: the deleted ones are taken off the frequencies later.
  bool put_off(const LeafDocs& docs);
  void add_put_off();

  AggContext& context_;
  ValueSource& source_;
  bool one_segment_;
  TermNumberingPtr numbering_;
  LeafTerms leaf_;
  const Leaf* at_ = nullptr;
  TermCounts in_order_;  // by code of the only segment, or by number
  bool started_ = false;  // in_order_, or in_leaf_ of this segment
  std::vector<const Leaf*> put_off_;
  TermCounts gone_;  // by number: deleted documents of segments put off
  TermCounts in_leaf_;
  TermKeys keys_;
  BucketArray<uint64_t> by_key_;
};

}  // namespace quarry
