// Terms of a keyword field that are counted and nothing else: no aggregations below, no filter, one
// owner. Segments are counted by ordinal, whole segments by the document frequencies of their terms,
// and texts are looked at for the best alone.
#pragma once

#include <vector>

#include "query/aggs/kinds.h"
#include "query/aggs/leaf_terms.h"
#include "query/aggs/term_counts.h"
#include "query/aggs/term_keys.h"
#include "query/aggs/terms_agg.h"
#include "query/aggs/terms_order.h"
#include "query/aggs/top_terms.h"
#include "query/aggs/value_source.h"

namespace quarry {

class PlainTermsAggregator final : public Aggregator, private TermsOrder::Buckets {
 public:
  /// Whether `parts` ask for nothing more than this class does.
  static bool suits(const TermsParts& parts);

  PlainTermsAggregator(AggContext& context, TermsParts parts, TermsOrder order);

  void start_leaf(const Leaf& leaf) override;
  bool collect_leaf(const LeafDocs& docs) override;
  void collect(const AggBatch& batch) override;
  Status finish() override;
  void emit(AggWriter& out, std::span<const uint32_t> owners) override;

 private:
  /// Buckets that are sent, best first, and what was cut.
  struct Cut {
    std::vector<CountedTerm> terms;
    uint64_t other = 0;
    double error = 0;
    bool any = false;
  };

  int compare_keys(uint32_t a, uint32_t b) const override {
    return compare_numbers(terms_[a].number, terms_[b].number);
  }
  uint64_t count(uint32_t bucket) const override { return terms_[bucket].count; }

  /// What was counted in the segment, to numbers of the shard.
  void settle();
  bool wanted(uint64_t count) const {
    return count >= spec_.min_doc_count && count > 0 &&
           (spec_.max_doc_count == 0 || count <= spec_.max_doc_count);
  }
  /// take(number, count) for all terms of the shard.
  template <typename Take>
  void each_term(Take take) const;
  int compare_numbers(uint32_t a, uint32_t b) const;
  std::string_view text(uint32_t number) const;
  Cut choose();

  AggContext& context_;
  TermsSpec spec_;
  ValueSource source_;
  TermsOrder order_;
  bool one_segment_;  // numbers are its codes
  TermKeys keys_;     // of several segments: numbers are keys
  BucketArray<uint64_t> counts_;  // by key
  LeafTerms leaf_;
  TermCounts in_segment_;  // by code
  bool open_ = false;      // there are some
  ValueList values_;
  std::vector<CountedTerm> terms_;  // while they are put in order
};

}  // namespace quarry
