// percentiles, percentile_ranks and median_absolute_deviation: keeps the values themselves, or a
// sketch of them.
#include <algorithm>
#include <cmath>

#include "query/aggs/frame/kinds.h"
#include "query/aggs/frame/value_sketch.h"
#include "query/aggs/frame/value_source.h"
#include "query/aggs/metrics/hdr_bins.h"

namespace quarry {
namespace {

constexpr double kMinCompression = 20;
constexpr double kMaxCompression = 10000;

class PercentilesAggregator final : public Aggregator {
 public:
  PercentilesAggregator(AggContext& context, ValueSource source, double compression, HdrBins bins)
      : budget_(context.budget),
        source_(std::move(source)),
        compression_(compression),
        bins_(bins) {}

  void start_leaf(const Leaf& leaf) override { source_.start_leaf(leaf); }

  void collect(const AggBatch& batch) override {
    source_.read(batch, values_);
    if (values_.values.empty()) return;
    if (batch.owner_count > sketches_.size()) {
      budget_.charge((batch.owner_count - sketches_.size()) * sizeof(ValueSketch));
      sketches_.resize(batch.owner_count);
    }
    for (size_t i = 0; i < values_.values.size(); i++) {
      double value = source_.number(values_.values[i]);
      if (bins_.used()) {
        lowest_ = std::min(lowest_, value);
        value = bins_.lowest(value);
      }
      sketches_[batch.owner(values_.entry(i))].add(value, compression_, budget_);
    }
  }

  Status finish() override {
    if (lowest_ < 0) {
      return {ErrorType::kIllegalArgument, "[hdr] takes no value below 0, found [" +
                                               std::to_string(lowest_) + "]: use [tdigest]"};
    }
    for (ValueSketch& sketch : sketches_) sketch.settle(compression_, budget_);
    return {};
  }

  void emit(AggWriter& out, std::span<const uint32_t> owners) override {
    AggWriter::Head head;
    head.op = PlanOp::kAggPercentiles;
    head.kind = source_.kind();
    head.owners = owners.size();
    head.format = source_.format();
    const size_t node = out.begin(head);
    static const ValueSketch kEmpty;
    std::vector<uint8_t> exact;
    std::vector<uint32_t> points;
    std::vector<double> min;
    std::vector<double> max;
    std::vector<double> means;
    std::vector<double> weights;
    for (const uint32_t owner : owners) {
      const ValueSketch& sketch = owner < sketches_.size() ? sketches_[owner] : kEmpty;
      exact.push_back(sketch.exact() ? 1 : 0);
      points.push_back(static_cast<uint32_t>(sketch.means().size()));
      min.push_back(sketch.min());
      max.push_back(sketch.max());
      means.insert(means.end(), sketch.means().begin(), sketch.means().end());
      weights.insert(weights.end(), sketch.weights().begin(), sketch.weights().end());
    }
    out.column(exact);
    out.column(points);
    out.column(min);
    out.column(max);
    out.column(means);
    out.column(weights);
    out.end(node);
  }

  Status check_order(const AggOrder& order) const override {
    const bool known = order.property == OrderProperty::kPercentile ||
                       order.property == OrderProperty::kPercentileRank;
    return known ? Status() : Aggregator::check_order(order);
  }
  double order_value(uint32_t owner, const AggOrder& order) const override {
    if (owner >= sketches_.size()) return Aggregator::order_value(owner, order);
    const ValueSketch& sketch = sketches_[owner];
    if (order.property != OrderProperty::kPercentile) return sketch.percentile_rank(order.argument);
    return bins_.used() ? bins_.percentile(sketch, order.argument)
                        : sketch.percentile(order.argument);
  }

 private:
  AggBudget& budget_;
  ValueSource source_;
  double compression_;
  HdrBins bins_;
  double lowest_ = 0;  // smallest value, if there are bins
  ValueList values_;
  std::vector<ValueSketch> sketches_;
};

}  // namespace

Result<AggregatorPtr> make_percentiles_agg(AggNode& node) {
  const AggSource source = read_agg_source(node.reader);
  const auto compression = node.reader.get<double>();
  const auto bits = node.reader.get<uint8_t>();
  QUARRY_RETURN_IF_ERROR(check_no_children(node));
  if (!std::isfinite(compression) || (bits > HdrBins::kMostBits && bits != HdrBins::kNone))
    return malformed_agg(node.head);
  QUARRY_ASSIGN_OR_RETURN(ValueSource values, ValueSource::make(node.context, node.head, source,
                                                                ValueSource::Accepts::kNumbers));
  return AggregatorPtr(std::make_unique<PercentilesAggregator>(
      node.context, std::move(values), std::clamp(compression, kMinCompression, kMaxCompression),
      HdrBins(bits)));
}

}  // namespace quarry
