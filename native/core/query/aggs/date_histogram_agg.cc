// Moments by calendar units or fixed intervals.
#include <algorithm>
#include <limits>

#include "mapping/numeric.h"
#include "mapping/range_value.h"
#include "query/aggs/bucket_table.h"
#include "query/aggs/kinds.h"
#include "query/aggs/rounding.h"
#include "query/aggs/value_source.h"

namespace quarry {
namespace {

constexpr int64_t kFarthestMoment = int64_t{1} << 60;  // of ranges without an end
constexpr size_t kMaxPlaces = size_t{1} << 20;  // of owners and keys
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// Bounds as the reply has them: extended min and max, hard min and max.
struct DateBounds {
  double values[4] = {kNone, kNone, kNone, kNone};
  bool contain(int64_t key) const {
    const auto start = static_cast<double>(key);
    return !(start < values[2]) && !(start >= values[3]);
  }
  int64_t cut_low(int64_t ms) const {
    return values[2] > static_cast<double>(ms) ? static_cast<int64_t>(values[2]) : ms;
  }
  int64_t cut_high(int64_t ms) const {
    return values[3] < static_cast<double>(ms) ? static_cast<int64_t>(values[3]) : ms;
  }
};

class DateHistogramAggregator final : public BucketAggregator {
 public:
  DateHistogramAggregator(AggContext& context, ValueSource source, Rounding rounding,
                          const DateBounds& bounds, AggChildren children)
      : BucketAggregator(context, std::move(children)),
        context_(context),
        source_(std::move(source)),
        rounding_(std::move(rounding)),
        bounds_(bounds),
        table_(context.budget) {}

  void start_leaf(const Leaf& leaf) override {
    source_.start_leaf(leaf);
    if (source_.column() != nullptr && source_.kind() != ValueKind::kDouble && !source_.ranges()) {
      const Column::Zone zone = source_.bounds();
      rounding_.prepare(zone.min, zone.max);
    }
    by_place_.clear();
    BucketAggregator::start_leaf(leaf);
  }

  void collect(const AggBatch& batch) override {
    source_.read(batch, values_);
    if (source_.ranges()) return collect_ranges(batch);
    if (values_.one_each && batch.owner_count * rounding_.table_size() - 1 < kMaxPlaces)
      return collect_by_place(batch);
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
    head.kind = source_.key_kind();
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
  /// One value for each document, and keys in a table: buckets are found by owner and place in it.
  void collect_by_place(const AggBatch& batch) {
    const size_t places = rounding_.table_size();
    reach(batch.owner_count * places);
    // Neighbours mostly lie in the same interval: that of `place`, from `low` to before `high`.
    size_t place = 0;
    int64_t low = 0;
    int64_t high = 0;
    for (size_t i = 0; i < values_.values.size(); i++) {
      const int64_t value = moment(values_.values[i]);
      if (value < low || value >= high) {
        place = rounding_.place_of(value);
        if (place == places) {  // beyond the bounds of the column: damaged
          route(batch, i, table_.add(batch.owner(i), rounding_.round(value)));
          low = high = 0;
          continue;
        }
        low = rounding_.key_at(place);
        high = rounding_.end_at(place);
      }
      if (!bounds_.contain(low)) continue;
      uint32_t& bucket = by_place_[batch.owner(i) * places + place];
      if (bucket == 0) bucket = table_.add(batch.owner(i), low) + 1;
      route(batch, i, bucket - 1);
    }
    flush_routed(table_.size());
  }

  void reach(size_t count) {
    if (by_place_.size() >= count) return;
    const size_t before = by_place_.capacity();
    by_place_.resize(count, 0);
    context_.budget.charge((by_place_.capacity() - before) * sizeof(uint32_t));
  }

  /// A range counts in each unit that it touches; hard bounds cut it.
  void collect_ranges(const AggBatch& batch) {
    uint32_t last_entry = UINT32_MAX;
    int64_t behind = 0;  // the key behind the last one of this document
    for (size_t i = 0; i < values_.values.size(); i++) {
      const uint32_t entry = values_.entry(i);
      if (entry != last_entry) behind = std::numeric_limits<int64_t>::min();
      last_entry = entry;
      const RangeEnds ends = range_ends(*source_.field(), source_.term(values_.values[i]));
      if (ends.low.empty()) continue;
      const int64_t from = bounds_.cut_low(std::max(unpack_end(ends.low), -kFarthestMoment));
      const int64_t to = bounds_.cut_high(std::min(unpack_end(ends.high), kFarthestMoment));
      // Ranges of a document ascend by where they begin: units that it is in already are passed.
      int64_t key = std::max(rounding_.round(from), behind);
      for (uint64_t made = 0; key <= to; made++, key = rounding_.next(key)) {
        if (made == kMaxPartialBuckets) return context_.budget.charge(kMaxAggBytes + 1);
        route(batch, entry, table_.add(batch.owner(entry), key));
      }
      behind = std::max(behind, key);
      if (context_.budget.exceeded()) return;
    }
    flush_routed(table_.size());
  }

  int64_t moment(int64_t value) const {
    if (source_.kind() == ValueKind::kDate || source_.kind() == ValueKind::kLong) return value;
    return static_cast<int64_t>(std::clamp(source_.number(value), -4e18, 4e18));
  }

  AggContext& context_;
  ValueSource source_;
  Rounding rounding_;
  DateBounds bounds_;
  ValueList values_;
  BucketTable table_;
  std::vector<uint32_t> by_place_;  // bucket + 1 by owner and place in the table of keys, 0: none
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
      ValueSource::make(node.context, node.head, source, ValueSource::Accepts::kSpans));
  Field plain_date;
  plain_date.type = FieldType::kDate;
  const Field* own = values.field();
  if (values.ranges()) own = own->ends.get();
  const bool dates = own != nullptr && values.key_kind() == ValueKind::kDate;
  const Field& field = dates ? *own : plain_date;
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
