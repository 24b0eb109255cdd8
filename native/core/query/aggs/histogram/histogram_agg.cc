// histogram and date_histogram: buckets by intervals of numbers, and by calendar units or fixed
// intervals of dates.
#include <algorithm>
#include <cmath>
#include <limits>

#include "mapping/dates/date_number.h"
#include "mapping/values/range_value.h"
#include "query/aggs/frame/bucket_table.h"
#include "query/aggs/frame/keyer.h"
#include "query/aggs/frame/kinds.h"
#include "query/aggs/frame/place_counting.h"
#include "query/aggs/frame/segment_totals.h"
#include "query/aggs/frame/value_source.h"
#include "query/aggs/histogram/rounding.h"

namespace quarry {
namespace {

constexpr int64_t kFarthestMoment = int64_t{1} << 60;  // limit of ranges without an end
// Maximum number of owners times places: any, or a few, or some for each document.
constexpr uint64_t kMaxCells = uint64_t{1} << 20;
constexpr uint64_t kFewCells = 4096;
constexpr uint64_t kCellsPerDoc = 4;
constexpr size_t kMaxKeptCells = size_t{1} << 16;  // the same for the totals of a segment
constexpr uint64_t kDocsPerWord = 64;              // bits of fewer documents make one batch
constexpr uint32_t kUnwanted = UINT32_MAX;         // the cell of a key outside of the bounds
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// Keys that a range of values overlaps: `first`, and all after it up to `end`.
struct KeyRange {
  int64_t first;
  int64_t end;
};

/// What a histogram of numbers does in its own way.
struct NumberHistogram {
  static constexpr PlanOp kOp = PlanOp::kAggHistogram;
  static constexpr bool kReadsMoments = false;
  using Finder = NumberKeyer::Finder;
  NumberKeyer keyer;
  double hard_min = kNone;
  double hard_max = kNone;

  static double read(const ValueSource& source, int64_t value) { return source.number(value); }
  /// Whole intervals are kept or dropped, by their start without the offset.
  bool wanted(int64_t key) const {
    const double start = keyer.start(key);
    return !(start < hard_min) && !(start > hard_max);
  }
  /// Hard bounds cut a range.
  KeyRange overlapped(const Field& field, const RangeEnds& ends) const {
    const double low = column_to_double(*field.ends, unpack_end(ends.low));
    const double high = column_to_double(*field.ends, unpack_end(ends.high));
    return {keyer.round(hard_min > low ? hard_min : low),
            keyer.round(hard_max < high ? hard_max : high)};
  }
  static double shown(int64_t key) { return double_from_sortable(key); }
  void put_bounds(AggWriter& /*out*/) const {}
};

/// What a histogram of dates does in its own way.
struct DateHistogram {
  static constexpr PlanOp kOp = PlanOp::kAggDateHistogram;
  static constexpr bool kReadsMoments = true;
  using Finder = Rounding::Finder;
  Rounding keyer;
  // As in the reply: extended min and max, hard min and max.
  double bounds[4] = {kNone, kNone, kNone, kNone};

  static int64_t read(const ValueSource& source, int64_t value) { return source.moment(value); }
  bool wanted(int64_t key) const {
    const auto start = static_cast<double>(key);
    return !(start < bounds[2]) && !(start >= bounds[3]);
  }
  KeyRange overlapped(const Field& /*field*/, const RangeEnds& ends) const {
    const int64_t low = std::max(unpack_end(ends.low), -kFarthestMoment);
    const int64_t high = std::min(unpack_end(ends.high), kFarthestMoment);
    const bool cut_low = bounds[2] > static_cast<double>(low);
    const bool cut_high = bounds[3] < static_cast<double>(high);
    return {keyer.round(cut_low ? static_cast<int64_t>(bounds[2]) : low),
            cut_high ? static_cast<int64_t>(bounds[3]) : high};
  }
  static double shown(int64_t key) { return static_cast<double>(key); }
  void put_bounds(AggWriter& out) const { out.column(std::span<const double>(bounds)); }
};

static_assert(Keyer<Rounding, int64_t>);

/// Where keys have places, a cell for each owner and place holds its documents, or with
/// aggregations below the number of its bucket + 1. Without places, or once the cells would be too
/// many, buckets are found in a hash table.
template <typename Kind>
class HistogramAggregator final : public BucketAggregator {
 public:
  HistogramAggregator(AggContext& context, ValueSource source, Kind kind, std::string name,
                      AggChildren children)
      : BucketAggregator(context, std::move(children)),
        context_(context),
        source_(std::move(source)),
        kind_(std::move(kind)),
        name_(std::move(name)),
        cells_(context.budget),
        table_(context.budget) {}

  void start_leaf(const Leaf& leaf) override {
    if (!prepared_) prepare();
    source_.start_leaf(leaf);
    whole_ = placed_ && children_.empty() && source_.column() != nullptr &&
             !source_.multi_valued() && !source_.has_missing() && source_.as_stored() &&
             (!Kind::kReadsMoments || source_.holds_moments());
    BucketAggregator::start_leaf(leaf);
  }

  bool collect_leaf(const LeafDocs& docs) override {
    const bool few = docs.bits != nullptr && kDocsPerWord * docs.count < docs.leaf.max_doc;
    if (!whole_ || few) return false;
    cells_.reach(kind_.keyer.places());
    if (!docs.all_live || !add_totals(docs)) count(docs, kind_.keyer.places(), 0, cells_.data());
    return true;
  }

  PlaceCounters place_counters(size_t owners) override {
    const size_t places = kind_.keyer.places();
    if (!whole_ || owners * places > kMaxKeptCells) return {};
    const Column::Zone zone = source_.column()->bounds();
    const size_t first = place_of(zone.min);
    return {&cells_, places, first, place_of(zone.max) - first + 1,
            name_ + ' ' + std::to_string(kind_.keyer.key_at(first))};
  }

  void collect(const AggBatch& batch) override {
    source_.read(batch, values_);
    if (source_.ranges()) return collect_ranges(batch);
    if (placed_ && batch.owner_count * kind_.keyer.places() > max_cells()) leave_cells();
    if (placed_) return collect_placed(batch);
    uint32_t last_entry = UINT32_MAX;
    int64_t last = 0;
    for (size_t i = 0; i < values_.values.size(); i++) {
      const int64_t key = key_of(values_.values[i]);
      const uint32_t entry = values_.entry(i);
      // A document counts once for all of its values in an interval.
      if ((entry == last_entry && key == last) || !kind_.wanted(key)) continue;
      last_entry = entry;
      last = key;
      route(batch, entry, table_.add(batch.owner(entry), key));
    }
    flush_routed(table_.size());
  }

  void emit(AggWriter& out, std::span<const uint32_t> owners) override {
    const Rows rows = placed_ ? rows_of_cells(owners) : rows_of_table(owners);
    AggWriter::Head head;
    head.op = Kind::kOp;
    head.kind = source_.key_kind();
    head.owners = owners.size();
    head.buckets = rows.keys.size();
    head.format = source_.format();
    const size_t node = out.begin(head);
    kind_.put_bounds(out);
    out.column(rows.sizes);
    out.column(rows.keys);
    out.column(rows.counts);
    emit_children(out, rows.buckets);
    out.end(node);
  }

 private:
  /// The buckets of some owners, in the order of the reply.
  struct Rows {
    std::vector<uint32_t> sizes;  // by owner
    std::vector<double> keys;
    std::vector<double> counts;
    std::vector<uint32_t> buckets;  // empty if there is nothing below
  };

  uint64_t max_cells() const {
    return std::min(kMaxCells, std::max(kFewCells, kCellsPerDoc * context_.docs));
  }
  int64_t key_of(int64_t value) const { return kind_.keyer.round(Kind::read(source_, value)); }
  size_t place_of(int64_t value) const { return kind_.keyer.place_of(Kind::read(source_, value)); }

  /// Numbers the keys of all segments.
  void prepare() {
    prepared_ = true;
    if (source_.ranges()) return;
    const Column::Zone all = source_.bounds_of(context_.leaves);
    if (all.min > all.max) return;
    kind_.keyer.prepare(Kind::read(source_, all.min), Kind::read(source_, all.max));
    placed_ = kind_.keyer.places() > 0;
  }

  /// Counts by place, starting with place `first`.
  void count(const LeafDocs& docs, size_t places, size_t first, uint32_t* counts) const {
    const ColumnCodes codes = source_.column()->codes();
    const auto base = static_cast<uint64_t>(codes.base);
    typename Kind::Finder finder(kind_.keyer);
    if constexpr (Kind::kReadsMoments) {
      count_runs(docs, codes, counts, [=, step = codes.step](uint64_t code) mutable {
        return finder(static_cast<int64_t>(base + step * code)) - first;
      });
    } else {
      count_places(docs, codes, places, counts,
                   [=, this, step = codes.step](uint64_t code) mutable {
                     const auto value = static_cast<int64_t>(base + step * code);
                     return finder(source_.number(value)) - first;
                   });
    }
  }

  bool add_totals(const LeafDocs& docs) {
    const PlaceCounters own = place_counters(1);
    if (own.cells == nullptr) return false;
    const SegmentTotalsPtr totals =
        find_counts(context_, docs, own.name, [&](const LeafDocs& some) {
          std::vector<uint32_t> counts(own.span);
          count(some, own.span, own.first, counts.data());
          return counts;
        });
    if (totals == nullptr) return false;
    for (const uint64_t entry : *totals)
      cells_[own.first + (entry >> 32)] += static_cast<uint32_t>(entry);
    return true;
  }

  void collect_placed(const AggBatch& batch) {
    const size_t places = kind_.keyer.places();
    cells_.reach(batch.owner_count * places);
    found_.resize(values_.values.size());
    size_t found = 0;
    uint32_t last_entry = UINT32_MAX;
    size_t last = 0;
    typename Kind::Finder finder(kind_.keyer);
    for (size_t i = 0; i < values_.values.size(); i++) {
      const uint32_t entry = values_.entry(i);
      const size_t place = finder(Kind::read(source_, values_.values[i]));
      // A document counts once for all of its values in an interval.
      if (entry == last_entry && place == last) continue;
      last_entry = entry;
      last = place;
      const size_t cell = batch.owner(entry) * places + place;
      if (children_.empty()) {
        found_[found++] = static_cast<uint32_t>(cell);
        continue;
      }
      uint32_t& bucket = cells_[cell];
      if (bucket == 0) bucket = kind_.wanted(kind_.keyer.key_at(place)) ? ++buckets_ : kUnwanted;
      if (bucket != kUnwanted) route(batch, entry, bucket - 1);
    }
    count_cells(std::span(found_).first(found), cells_.data());
    flush_routed(buckets_);
  }

  /// Whether a cell has a bucket.
  bool is_bucket(size_t cell) const {
    const uint32_t content = cells_[cell];
    if (!children_.empty()) return content != 0 && content != kUnwanted;
    return content != 0 && kind_.wanted(kind_.keyer.key_at(cell % kind_.keyer.places()));
  }

  /// Moves the buckets to the hash table; each keeps its number.
  void leave_cells() {
    const size_t places = kind_.keyer.places();
    std::vector<size_t> order(buckets_);  // the cell of each bucket
    for (size_t cell = 0; cell < cells_.size(); cell++) {
      if (!is_bucket(cell)) continue;
      if (children_.empty()) {
        order.push_back(cell);
      } else {
        order[cells_[cell] - 1] = cell;
      }
    }
    table_.reserve(order.size());
    counts_.reach(order.size());
    for (const size_t cell : order) {
      const uint32_t bucket =
          table_.add(static_cast<uint32_t>(cell / places), kind_.keyer.key_at(cell % places));
      if (children_.empty()) counts_[bucket] = cells_[cell];
    }
    cells_ = BucketArray<uint32_t>(budget_);
    placed_ = whole_ = false;
  }

  Rows rows_of_cells(std::span<const uint32_t> owners) const {
    const size_t places = kind_.keyer.places();
    Rows rows;
    if (stop_.out_of_budget_within(kNanosPerBucket * buckets_)) owners = {};
    for (const uint32_t owner : owners) {
      const size_t before = rows.keys.size();
      const size_t row = owner * places;
      const size_t end = row < cells_.size() ? row + places : row;
      for (size_t cell = row; cell < end; cell++) {
        if (!is_bucket(cell)) continue;
        const uint32_t content = cells_[cell];
        rows.keys.push_back(Kind::shown(kind_.keyer.key_at(cell - row)));
        rows.counts.push_back(children_.empty() ? content
                                                : static_cast<double>(counts_.get(content - 1)));
        if (!children_.empty()) rows.buckets.push_back(content - 1);
      }
      rows.sizes.push_back(static_cast<uint32_t>(rows.keys.size() - before));
    }
    return rows;
  }

  Rows rows_of_table(std::span<const uint32_t> owners) const {
    BucketGroups groups = group_by_key(table_, owners, stop_);
    Rows rows{groups.sizes(), {}, counts_of(groups.buckets), {}};
    for (const uint32_t bucket : groups.buckets)
      rows.keys.push_back(Kind::shown(table_.key(bucket)));
    rows.buckets = std::move(groups.buckets);
    return rows;
  }

  /// A range counts in each interval that it overlaps.
  void collect_ranges(const AggBatch& batch) {
    uint32_t last_entry = UINT32_MAX;
    int64_t behind = 0;  // the key after the last one of this document
    for (size_t i = 0; i < values_.values.size(); i++) {
      const uint32_t entry = values_.entry(i);
      if (entry != last_entry) behind = std::numeric_limits<int64_t>::min();
      last_entry = entry;
      const RangeEnds ends = range_ends(*source_.field(), source_.term(values_.values[i]));
      if (ends.low.empty()) continue;
      const KeyRange range = kind_.overlapped(*source_.field(), ends);
      // The ranges of a document ascend by their start, so keys already counted are skipped.
      int64_t key = std::max(range.first, behind);
      for (uint64_t made = 0; key <= range.end; made++, key = kind_.keyer.next(key)) {
        if (made == kMaxPartialBuckets) return budget_.charge(kMaxAggBytes + 1);
        route(batch, entry, table_.add(batch.owner(entry), key));
      }
      behind = std::max(behind, key);
      if (budget_.exceeded()) return;
    }
    flush_routed(table_.size());
  }

  AggContext& context_;
  ValueSource source_;
  Kind kind_;
  std::string name_;  // of the totals in the cache, up to their first key
  ValueList values_;
  bool prepared_ = false;
  bool placed_ = false;  // whether keys have places, and buckets cells
  bool whole_ = false;   // whether cells_ alone holds the documents of the segment
  BucketArray<uint32_t> cells_;
  std::vector<uint32_t> found_;  // the cells of a batch
  uint32_t buckets_ = 0;         // that cells have
  BucketTable table_;
};

}  // namespace

Result<AggregatorPtr> make_histogram_agg(AggNode& node) {
  const AggSource source = read_agg_source(node.reader);
  const auto interval = node.reader.get<double>();
  const auto offset = node.reader.get<double>();
  NumberHistogram kind{NumberKeyer(interval, offset)};
  kind.hard_min = node.reader.get<double>();
  kind.hard_max = node.reader.get<double>();
  QUARRY_ASSIGN_OR_RETURN(AggChildren children, make_children(node));
  if (!(interval > 0) || !std::isfinite(interval) || !std::isfinite(offset)) {
    return Status(ErrorType::kIllegalArgument,
                  "[interval] must be a positive finite number for histogram aggregation [" +
                      node.head.name + "], and [offset] a finite one");
  }
  QUARRY_ASSIGN_OR_RETURN(ValueSource values, ValueSource::make(node.context, node.head, source,
                                                                ValueSource::Accepts::kSpans));
  std::string name = values.field() == nullptr
                         ? std::string()
                         : totals_name("numbers", values.field()->name, interval, offset);
  return AggregatorPtr(std::make_unique<HistogramAggregator<NumberHistogram>>(
      node.context, std::move(values), kind, std::move(name), std::move(children)));
}

Result<AggregatorPtr> make_date_histogram_agg(AggNode& node) {
  const AggSource source = read_agg_source(node.reader);
  const RoundingSpec spec = read_rounding(node.reader);
  Scalar limits[4];
  for (Scalar& limit : limits) limit = read_scalar(node.reader);
  QUARRY_ASSIGN_OR_RETURN(AggChildren children, make_children(node));
  DateHistogram kind;
  QUARRY_ASSIGN_OR_RETURN(kind.keyer, Rounding::make(spec));
  QUARRY_ASSIGN_OR_RETURN(ValueSource values, ValueSource::make(node.context, node.head, source,
                                                                ValueSource::Accepts::kSpans));
  if (values.ranges() && values.key_kind() != ValueKind::kDate) {
    return Status(ErrorType::kIllegalArgument,
                  "Expected date range type but found range type [" +
                      std::string(field_type_name(values.field()->type)) + "] of field [" +
                      values.field()->name + "], use a [histogram]");
  }
  const Field* own = values.field();
  if (values.ranges()) own = own->ends.get();
  const bool dates = own != nullptr && values.key_kind() == ValueKind::kDate;
  const Field& field = dates ? *own : default_date_field();
  for (size_t i = 0; i < 4; i++) {
    if (limits[i].kind == Scalar::Kind::kNull) continue;
    QUARRY_ASSIGN_OR_RETURN(
        const Bound bound,
        parse_bound(field, limits[i].text, limits[i].quoted(), BoundKind::kExact, false,
                    limits[i].quoted() ? std::string_view(source.format) : kDateNumberFormat,
                    source.time_zone, node.context.compiler.now_ms()));
    // Hard bounds are rounded to the starts of their intervals; the interval of hard max is
    // excluded.
    const bool rounded = i >= 2 && !values.ranges();
    kind.bounds[i] = static_cast<double>(rounded ? kind.keyer.round(bound.value) : bound.value);
  }
  std::string name = own == nullptr ? std::string() : totals_name("dates", own->name, spec);
  return AggregatorPtr(std::make_unique<HistogramAggregator<DateHistogram>>(
      node.context, std::move(values), std::move(kind), std::move(name), std::move(children)));
}

}  // namespace quarry
