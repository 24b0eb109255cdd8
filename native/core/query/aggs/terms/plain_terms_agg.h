// Terms of a keyword field that are only counted: no child aggregations, no filter, one owner. Only
// the text of the best terms is read.
#pragma once

#include <vector>

#include "query/aggs/frame/kinds.h"
#include "query/aggs/frame/shard_terms.h"
#include "query/aggs/frame/value_source.h"
#include "query/aggs/terms/terms_agg.h"
#include "query/aggs/terms/terms_order.h"
#include "query/aggs/terms/top_terms.h"

namespace quarry {

class PlainTermsAggregator final : public Aggregator, private TermsOrder::Buckets {
 public:
  /// Whether this class supports all that `parts` requests.
  static bool suits(const TermsParts& parts);

  PlainTermsAggregator(AggContext& context, TermsParts parts, TermsOrder order);

  void start_leaf(const Leaf& leaf) override;
  bool collect_leaf(const LeafDocs& docs) override;
  void collect(const AggBatch& batch) override;
  Status finish() override;
  void emit(AggWriter& out, std::span<const uint32_t> owners) override;

 private:
  int compare_keys(uint32_t a, uint32_t b) const override {
    return counts_.compare(terms_[a].number, terms_[b].number);
  }
  uint64_t count(uint32_t bucket) const override { return terms_[bucket].count; }

  std::vector<CountedTerm> choose(TermsCut& cut);

  TermsSpec spec_;
  ValueSource source_;
  TermsOrder order_;
  ShardTerms counts_;
  StopCheck& stop_;
  ValueList values_;
  std::vector<CountedTerm> terms_;  // the terms that are being sorted
};

}  // namespace quarry
