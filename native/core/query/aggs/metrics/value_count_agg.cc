// value_count: the number of values of a field of any kind.
#include "query/aggs/frame/kinds.h"
#include "query/aggs/frame/value_source.h"

namespace quarry {
namespace {

class ValueCountAggregator final : public Aggregator {
 public:
  ValueCountAggregator(AggContext& context, ValueSource source)
      : source_(std::move(source)), counts_(context.budget) {}

  void start_leaf(const Leaf& leaf) override { source_.start_leaf(leaf); }

  void collect(const AggBatch& batch) override {
    source_.read(batch, values_);
    if (values_.values.empty()) return;
    counts_.reach(batch.owner_count);
    for (size_t i = 0; i < values_.values.size(); i++) counts_[batch.owner(values_.entry(i))]++;
  }

  void emit(AggWriter& out, std::span<const uint32_t> owners) override {
    AggWriter::Head head;
    head.op = PlanOp::kAggValueCount;
    head.kind = source_.kind();
    head.owners = owners.size();
    head.format = source_.format();
    const size_t node = out.begin(head);
    std::vector<double> counts;
    for (const uint32_t owner : owners) counts.push_back(static_cast<double>(counts_.get(owner)));
    out.column(counts);
    out.end(node);
  }

  Status check_order(const AggOrder& order) const override {
    return order.property == OrderProperty::kValue ? Status() : Aggregator::check_order(order);
  }
  double order_value(uint32_t owner, const AggOrder& /*order*/) const override {
    return static_cast<double>(counts_.get(owner));
  }

 private:
  ValueSource source_;
  ValueList values_;
  BucketArray<uint64_t> counts_;
};

}  // namespace

Result<AggregatorPtr> make_value_count_agg(AggNode& node) {
  const AggSource source = read_agg_source(node.reader);
  QUARRY_RETURN_IF_ERROR(check_no_children(node));
  QUARRY_ASSIGN_OR_RETURN(ValueSource values, ValueSource::make(node.context, node.head, source,
                                                                ValueSource::Accepts::kCounted));
  return AggregatorPtr(std::make_unique<ValueCountAggregator>(node.context, std::move(values)));
}

}  // namespace quarry
