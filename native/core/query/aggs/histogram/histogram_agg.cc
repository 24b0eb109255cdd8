// Buckets numbers by intervals of equal width.
#include <algorithm>
#include <cmath>
#include <limits>

#include "mapping/values/numeric.h"
#include "mapping/values/range_value.h"
#include "query/aggs/frame/bucket_table.h"
#include "query/aggs/frame/kinds.h"
#include "query/aggs/frame/value_source.h"

namespace quarry {
namespace {

struct HistogramSpec {
  double interval = 1;
  double offset = 0;
  double hard_min = 0;  // NaN: none
  double hard_max = 0;
};

/// The key of a bucket in the table is its quotient, floor((value - offset) / interval), as a
/// sortable number.
class HistogramAggregator final : public BucketAggregator {
 public:
  HistogramAggregator(AggContext& context, ValueSource source, const HistogramSpec& spec,
                      AggChildren children)
      : BucketAggregator(context, std::move(children)),
        context_(context),
        source_(std::move(source)),
        spec_(spec),
        table_(context.budget) {}

  void start_leaf(const Leaf& leaf) override {
    source_.start_leaf(leaf);
    BucketAggregator::start_leaf(leaf);
  }

  void collect(const AggBatch& batch) override {
    source_.read(batch, values_);
    if (source_.ranges()) return collect_ranges(batch);
    uint32_t last_entry = UINT32_MAX;
    double last = 0;
    for (size_t i = 0; i < values_.values.size(); i++) {
      const double quotient =
          std::floor((source_.number(values_.values[i]) - spec_.offset) / spec_.interval);
      const uint32_t entry = values_.entry(i);
      // A document counts once for all of its values in an interval.
      if (!within_bounds(quotient) || (entry == last_entry && quotient == last)) continue;
      last_entry = entry;
      last = quotient;
      // + 0.0: -0.0 and 0.0 belong to the same interval.
      route(batch, entry, table_.add(batch.owner(entry), sortable_from_double(quotient + 0.0)));
    }
    flush_routed(table_.size());
  }

  void emit(AggWriter& out, std::span<const uint32_t> owners) override {
    BucketGroups groups = group_buckets(table_, owners, stop_);
    const auto by_key = [this](uint32_t a, uint32_t b) { return table_.key(a) < table_.key(b); };
    for (size_t i = 0; i < owners.size(); i++) {
      std::span<uint32_t> group = groups.group(i);
      std::sort(group.begin(), group.end(), by_key);
    }
    AggWriter::Head head;
    head.op = PlanOp::kAggHistogram;
    head.kind = source_.key_kind();
    head.owners = owners.size();
    head.buckets = groups.buckets.size();
    head.format = source_.format();
    const size_t node = out.begin(head);
    out.column(groups.sizes());
    std::vector<double> quotients;
    for (const uint32_t bucket : groups.buckets)
      quotients.push_back(double_from_sortable(table_.key(bucket)));
    out.column(quotients);
    out.column(counts_of(groups.buckets));
    emit_children(out, groups.buckets);
    out.end(node);
  }

 private:
  double end_of(std::string_view end) const {
    return column_to_double(*source_.field()->ends, unpack_end(end));
  }
  double quotient_of(double value) const {
    return std::floor((value - spec_.offset) / spec_.interval);
  }

  /// A range counts in each interval that it overlaps; hard bounds cut it.
  void collect_ranges(const AggBatch& batch) {
    uint32_t last_entry = UINT32_MAX;
    double last = 0;
    for (size_t i = 0; i < values_.values.size(); i++) {
      const uint32_t entry = values_.entry(i);
      if (entry != last_entry) last = -std::numeric_limits<double>::infinity();
      last_entry = entry;
      const RangeEnds ends = range_ends(*source_.field(), source_.term(values_.values[i]));
      if (ends.low.empty()) continue;
      double from = end_of(ends.low);
      double to = end_of(ends.high);
      if (spec_.hard_min > from) from = spec_.hard_min;
      if (spec_.hard_max < to) to = spec_.hard_max;
      // The ranges of a document ascend by their start, so intervals already counted are skipped.
      const double first = std::max(quotient_of(from), last + 1);
      const double end = quotient_of(to);
      if (!(end - first < static_cast<double>(kMaxPartialBuckets))) {
        return context_.budget.charge(kMaxAggBytes + 1);
      }
      for (double key = first; key <= end; key++) {
        route(batch, entry, table_.add(batch.owner(entry), sortable_from_double(key + 0.0)));
      }
      last = std::max(last, end);
      if (context_.budget.exceeded()) return;
    }
    flush_routed(table_.size());
  }

  /// Whole intervals are kept or dropped, by their start without the offset.
  bool within_bounds(double quotient) const {
    const double start = quotient * spec_.interval;
    return !(start < spec_.hard_min) && !(start > spec_.hard_max);
  }

  AggContext& context_;
  ValueSource source_;
  HistogramSpec spec_;
  ValueList values_;
  BucketTable table_;
};

}  // namespace

Result<AggregatorPtr> make_histogram_agg(AggNode& node) {
  const AggSource source = read_agg_source(node.reader);
  HistogramSpec spec;
  spec.interval = node.reader.get<double>();
  spec.offset = node.reader.get<double>();
  spec.hard_min = node.reader.get<double>();
  spec.hard_max = node.reader.get<double>();
  QUARRY_ASSIGN_OR_RETURN(AggChildren children, make_children(node));
  if (!(spec.interval > 0) || !std::isfinite(spec.interval) || !std::isfinite(spec.offset)) {
    return Status(ErrorType::kIllegalArgument,
                  "[interval] must be a positive finite number for histogram aggregation [" +
                      node.head.name + "], and [offset] a finite one");
  }
  QUARRY_ASSIGN_OR_RETURN(ValueSource values, ValueSource::make(node.context, node.head, source,
                                                                ValueSource::Accepts::kSpans));
  return AggregatorPtr(std::make_unique<HistogramAggregator>(node.context, std::move(values), spec,
                                                             std::move(children)));
}

}  // namespace quarry
