// Counts documents by term, then the terms.
#include "query/aggs/distinct_terms_agg.h"

#include <memory>
#include <utility>
#include <vector>

#include "query/aggs/shard_terms.h"

namespace quarry {
namespace {

class DistinctTermsAggregator final : public Aggregator {
 public:
  DistinctTermsAggregator(AggContext& context, ValueSource source, uint32_t precision)
      : source_(std::move(source)), precision_(precision), counts_(context, source_) {}

  void start_leaf(const Leaf& leaf) override { counts_.start_leaf(leaf); }
  bool collect_leaf(const LeafDocs& docs) override {
    counts_.collect_leaf(docs);
    return true;
  }
  void collect(const AggBatch& batch) override {
    source_.read(batch, values_);
    counts_.collect(values_);
  }
  Status finish() override {
    counts_.settle();
    return {};
  }

  void emit(AggWriter& out, std::span<const uint32_t> owners) override {
    counts_.settle();
    AggWriter::Head head;
    head.op = PlanOp::kAggCardinality;
    head.kind = source_.kind();
    head.owners = owners.size();
    head.extra = precision_;
    head.format = source_.format();
    const size_t node = out.begin(head);
    out.column(std::vector<uint8_t>(owners.size(), kExactSketch));
    out.column(std::vector<uint32_t>(owners.size(), different()));
    out.end(node);
  }

  Status check_order(const AggOrder& order) const override {
    return order.property == OrderProperty::kValue ? Status() : Aggregator::check_order(order);
  }
  double order_value(uint32_t /*owner*/, const AggOrder& /*order*/) const override {
    return different();
  }

 private:
  uint32_t different() const {
    uint32_t count = 0;
    counts_.each([&count](uint32_t, uint64_t docs) { count += docs > 0 ? 1 : 0; });
    return count;
  }

  ValueSource source_;
  uint32_t precision_;
  ShardTerms counts_;
  ValueList values_;
};

}  // namespace

AggregatorPtr make_distinct_terms_agg(AggContext& context, ValueSource source,
                                      uint32_t precision) {
  return std::make_unique<DistinctTermsAggregator>(context, std::move(source), precision);
}

}  // namespace quarry
