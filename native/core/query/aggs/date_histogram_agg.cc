// Moments by calendar units or fixed intervals.
#include <algorithm>
#include <limits>

#include "mapping/numeric.h"
#include "query/aggs/bucket_table.h"
#include "query/aggs/kinds.h"
#include "query/aggs/rounding.h"
#include "query/aggs/value_source.h"

namespace quarry {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// Bounds as the reply has them: extended min and max, hard min and max.
struct DateBounds {
  double values[4] = {kNone, kNone, kNone, kNone};
  bool contain(int64_t key) const {
    const auto start = static_cast<double>(key);
    return !(start < values[2]) && !(start >= values[3]);
  }
};

class DateHistogramAggregator final : public BucketAggregator {
 public:
  DateHistogramAggregator(AggContext& context, ValueSource source, Rounding rounding,
                          const DateBounds& bounds, AggChildren children)
      : BucketAggregator(context, std::move(children)),
        source_(std::move(source)),
        rounding_(std::move(rounding)),
        bounds_(bounds),
        table_(context.budget) {}

  void start_leaf(const Leaf& leaf) override {
    source_.start_leaf(leaf);
    if (source_.column() != nullptr && source_.kind() != ValueKind::kDouble) {
      const Column::Zone zone = source_.column()->bounds();
      rounding_.prepare(zone.min, zone.max);
    }
    BucketAggregator::start_leaf(leaf);
  }

  void collect(const AggBatch& batch) override {
    source_.read(batch, values_);
    uint32_t last_entry = UINT32_MAX;
    int64_t last = 0;
    for (size_t i = 0; i < values_.values.size(); i++) {
      const int64_t key = rounding_.round_quickly(moment(values_.values[i]));
      const uint32_t entry = values_.entry(i);
      // A document counts once for all of its values in an interval.
      if ((entry == last_entry && key == last) || !bounds_.contain(key)) continue;
      last_entry = entry;
      last = key;
      route(batch, entry, table_.add(batch.owner(entry), key));
    }
    flush_routed(table_.size());
  }

  void emit(AggWriter& out, std::span<const uint32_t> owners) override {
    BucketGroups groups = group_buckets(table_, owners);
    const auto by_key = [this](uint32_t a, uint32_t b) { return table_.key(a) < table_.key(b); };
    for (size_t i = 0; i < owners.size(); i++) {
      std::span<uint32_t> group = groups.group(i);
      std::sort(group.begin(), group.end(), by_key);
    }
    AggWriter::Head head;
    head.op = PlanOp::kAggDateHistogram;
    head.kind = source_.kind();
    head.owners = owners.size();
    head.buckets = groups.buckets.size();
    head.format = source_.format();
    const size_t node = out.begin(head);
    out.column(std::span<const double>(bounds_.values));
    out.column(groups.sizes());
    std::vector<double> keys;
    for (const uint32_t bucket : groups.buckets)
      keys.push_back(static_cast<double>(table_.key(bucket)));
    out.column(keys);
    out.column(counts_of(groups.buckets));
    emit_children(out, groups.buckets);
    out.end(node);
  }

 private:
  int64_t moment(int64_t value) const {
    if (source_.kind() == ValueKind::kDate || source_.kind() == ValueKind::kLong) return value;
    return static_cast<int64_t>(std::clamp(source_.number(value), -4e18, 4e18));
  }

  ValueSource source_;
  Rounding rounding_;
  DateBounds bounds_;
  ValueList values_;
  BucketTable table_;
};

}  // namespace

Result<AggregatorPtr> make_date_histogram_agg(AggNode& node) {
  const AggSource source = read_agg_source(node.reader);
  const RoundingSpec spec = read_rounding(node.reader);
  Scalar limits[4];
  for (Scalar& limit : limits) limit = read_scalar(node.reader);
  QUARRY_ASSIGN_OR_RETURN(AggChildren children, make_children(node));
  QUARRY_ASSIGN_OR_RETURN(Rounding rounding, Rounding::make(spec));
  QUARRY_ASSIGN_OR_RETURN(
      ValueSource values,
      ValueSource::make(node.context, node.head, source, ValueSource::Accepts::kNumbers));
  Field plain_date;
  plain_date.type = FieldType::kDate;
  const bool dates = values.field() == nullptr || values.kind() != ValueKind::kDate;
  const Field& field = dates ? plain_date : *values.field();
  DateBounds bounds;
  for (size_t i = 0; i < 4; i++) {
    if (limits[i].kind == Scalar::Kind::kNull) continue;
    QUARRY_ASSIGN_OR_RETURN(
        const Bound bound,
        parse_bound(field, limits[i].text, limits[i].quoted(), BoundKind::kExact, false,
                    source.format, source.time_zone, node.context.compiler.now_ms()));
    bounds.values[i] = static_cast<double>(bound.value);
  }
  return AggregatorPtr(std::make_unique<DateHistogramAggregator>(
      node.context, std::move(values), std::move(rounding), bounds, std::move(children)));
}

}  // namespace quarry
