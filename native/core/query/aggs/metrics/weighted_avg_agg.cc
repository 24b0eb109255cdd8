// The mean of a field's values, each weighted by another field of its document.
#include "query/aggs/frame/kinds.h"
#include "query/aggs/frame/value_source.h"
#include "query/aggs/metrics/compensated_sum.h"

namespace quarry {
namespace {

struct WeightedSum {
  CompensatedSum sum;
  CompensatedSum weight;
};

class WeightedAvgAggregator final : public Aggregator {
 public:
  WeightedAvgAggregator(AggContext& context, ValueSource value, ValueSource weight)
      : value_(std::move(value)), weight_(std::move(weight)), sums_(context.budget) {}

  void start_leaf(const Leaf& leaf) override {
    value_.start_leaf(leaf);
    weight_.start_leaf(leaf);
  }

  void collect(const AggBatch& batch) override {
    value_.read(batch, values_);
    weight_.read(batch, weights_);
    sums_.reach(batch.owner_count);
    size_t at = 0;
    for (size_t i = 0; i < values_.values.size(); i++) {
      const uint32_t entry = values_.entry(i);
      while (at < weights_.values.size() && weights_.entry(at) < entry) at++;
      if (at == weights_.values.size()) break;
      if (weights_.entry(at) != entry) continue;
      if (at + 1 < weights_.values.size() && weights_.entry(at + 1) == entry) {
        ambiguous_ = true;
        return;
      }
      const double weight = weight_.number(weights_.values[at]);
      WeightedSum& sums = sums_[batch.owner(entry)];
      sums.sum.add(value_.number(values_.values[i]) * weight);
      sums.weight.add(weight);
    }
  }

  Status finish() override {
    if (!ambiguous_) return {};
    return {ErrorType::kIllegalArgument,
            "Encountered more than one weight for a single document. Use a script to combine "
            "multiple weights-per-doc into a single value."};
  }

  void emit(AggWriter& out, std::span<const uint32_t> owners) override {
    AggWriter::Head head;
    head.op = PlanOp::kAggWeightedAvg;
    head.kind = value_.kind();
    head.owners = owners.size();
    head.format = value_.format();
    const size_t node = out.begin(head);
    const auto put = [&](auto&& of) {
      std::vector<double> column;
      for (const uint32_t owner : owners) column.push_back(of(sums_.get(owner)));
      out.column(column);
    };
    put([](const WeightedSum& sums) { return sums.sum.sum; });
    put([](const WeightedSum& sums) { return sums.sum.delta; });
    put([](const WeightedSum& sums) { return sums.weight.sum; });
    put([](const WeightedSum& sums) { return sums.weight.delta; });
    out.end(node);
  }

  Status check_order(const AggOrder& order) const override {
    return order.property == OrderProperty::kValue ? Status() : Aggregator::check_order(order);
  }
  double order_value(uint32_t owner, const AggOrder& /*order*/) const override {
    const WeightedSum sums = sums_.get(owner);
    return sums.sum.value() / sums.weight.value();
  }

 private:
  ValueSource value_;
  ValueSource weight_;
  ValueList values_;
  ValueList weights_;
  BucketArray<WeightedSum> sums_;
  bool ambiguous_ = false;  // some document has several weights
};

}  // namespace

Result<AggregatorPtr> make_weighted_avg_agg(AggNode& node) {
  const AggSource value = read_agg_source(node.reader);
  const AggSource weight = read_agg_source(node.reader);
  QUARRY_RETURN_IF_ERROR(check_no_children(node));
  constexpr auto kNumbers = ValueSource::Accepts::kNumbers;
  QUARRY_ASSIGN_OR_RETURN(ValueSource values,
                          ValueSource::make(node.context, node.head, value, kNumbers));
  QUARRY_ASSIGN_OR_RETURN(ValueSource weights,
                          ValueSource::make(node.context, node.head, weight, kNumbers));
  return AggregatorPtr(
      std::make_unique<WeightedAvgAggregator>(node.context, std::move(values), std::move(weights)));
}

}  // namespace quarry
