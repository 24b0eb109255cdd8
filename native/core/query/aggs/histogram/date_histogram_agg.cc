// Buckets dates by calendar units or fixed intervals.
#include <algorithm>
#include <limits>
#include <optional>

#include "mapping/dates/date_number.h"
#include "mapping/values/numeric.h"
#include "mapping/values/range_value.h"
#include "query/aggs/frame/bucket_table.h"
#include "query/aggs/frame/doc_portions.h"
#include "query/aggs/frame/kinds.h"
#include "query/aggs/frame/place_counting.h"
#include "query/aggs/frame/segment_totals.h"
#include "query/aggs/frame/value_source.h"

namespace quarry {
namespace {

constexpr int64_t kFarthestMoment = int64_t{1} << 60;  // limit of ranges without an end
constexpr size_t kMaxPlaces = size_t{1} << 20;         // maximum number of owners times keys
constexpr size_t kMaxCounted = size_t{1} << 16;        // the same, if each has a counter
// With at least 2 documents per place an index of places pays.
constexpr uint64_t kDocsPerPlace = 2;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// Bounds as in the reply: extended min and max, hard min and max.
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
                          const DateBounds& bounds, std::string name, AggChildren children)
      : BucketAggregator(context, std::move(children)),
        context_(context),
        source_(std::move(source)),
        rounding_(std::move(rounding)),
        bounds_(bounds),
        name_(std::move(name)),
        table_(context.budget) {}

  void start_leaf(const Leaf& leaf) override {
    if (!prepared_) prepare();
    source_.start_leaf(leaf);
    index_.reset();
    const bool moments = source_.kind() == ValueKind::kDate || source_.kind() == ValueKind::kLong;
    counted_ = source_.column() != nullptr && !source_.multi_valued() && !source_.has_missing() &&
               moments && source_.as_stored() && rounding_.table_size() > 0 && children_.empty();
    BucketAggregator::start_leaf(leaf);
  }

  /// Applies if documents have at most one value and there are no children: codes are counted by
  /// place.
  bool collect_leaf(const LeafDocs& docs) override {
    if (!counted_) return false;
    reach(place_counts_, rounding_.table_size());
    if (!add_totals(docs)) count_codes(docs, place_counts_.data());
    return true;
  }

  PlaceCounters place_counters(size_t owners) override {
    if (!counted_ || owners * rounding_.table_size() > kMaxCounted) return {};
    const size_t first = rounding_.place_of(source_.bounds().min);
    if (first == rounding_.table_size()) return {};
    return {&place_counts_, rounding_.table_size(), first, rounding_.key_at(first), name_};
  }

  void collect(const AggBatch& batch) override {
    if (counted_ && !batch.docs.empty() &&
        batch.owner_count * rounding_.table_size() <= kMaxCounted)
      return count_by_place(batch);
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
    if (table_.size() == 0 && !place_counts_.empty()) return emit_places(out, owners);
    settle();
    BucketGroups groups = group_buckets(table_, owners, stop_);
    const auto by_key = [this](uint32_t a, uint32_t b) { return table_.key(a) < table_.key(b); };
    for (size_t i = 0; i < owners.size(); i++) {
      std::span<uint32_t> group = groups.group(i);
      if (!std::is_sorted(group.begin(), group.end(), by_key))
        std::sort(group.begin(), group.end(), by_key);
    }
    std::vector<double> keys;
    keys.reserve(groups.buckets.size());
    for (const uint32_t bucket : groups.buckets)
      keys.push_back(static_cast<double>(table_.key(bucket)));
    const size_t node = begin(out, groups.sizes(), keys);
    out.column(counts_of(groups.buckets));
    emit_children(out, groups.buckets);
    out.end(node);
  }

 private:
  /// Writes the node up to its counts.
  size_t begin(AggWriter& out, std::span<const uint32_t> sizes, std::span<const double> keys) {
    AggWriter::Head head;
    head.op = PlanOp::kAggDateHistogram;
    head.kind = source_.key_kind();
    head.owners = sizes.size();
    head.buckets = keys.size();
    head.format = source_.format();
    const size_t node = out.begin(head);
    out.column(std::span<const double>(bounds_.values));
    out.column(sizes);
    out.column(keys);
    return node;
  }

  /// Used if everything was counted by owner and place, which is the order of the reply.
  void emit_places(AggWriter& out, std::span<const uint32_t> owners) {
    const size_t places = rounding_.table_size();
    std::vector<uint32_t> sizes;
    std::vector<double> keys;
    std::vector<double> counts;
    for (const uint32_t owner : owners) {
      const size_t before = keys.size();
      const size_t row = owner * places;
      const size_t end = row < place_counts_.size() ? places : 0;
      for (size_t place = 0; place < end; place++) {
        const uint32_t count = place_counts_[row + place];
        if (count == 0 || !bounds_.contain(rounding_.key_at(place))) continue;
        keys.push_back(static_cast<double>(rounding_.key_at(place)));
        counts.push_back(count);
      }
      sizes.push_back(static_cast<uint32_t>(keys.size() - before));
    }
    const size_t node = begin(out, sizes, keys);
    out.column(counts);
    out.end(node);
  }

  void count_codes(const LeafDocs& docs, uint32_t* counts) const {
    const ColumnCodes codes = source_.column()->codes();
    PlaceCounter counter{{&rounding_, codes.base, codes.step}, counts};
    for (DocPortions portions(docs); portions.next();) counter = portions.each(codes, counter);
    counter.flush();
  }

  /// Adds all live documents of the segment from its totals: the key of its first place, then the
  /// counts from that place on.
  bool add_totals(const LeafDocs& docs) {
    if (!docs.all_live) return false;
    const PlaceCounters own = place_counters(1);
    if (own.counts == nullptr) return false;
    const auto count_places = [&](const LeafDocs& some) {
      std::vector<uint32_t> counts(own.places);
      count_codes(some, counts.data());
      counts.erase(counts.begin(), counts.begin() + static_cast<std::ptrdiff_t>(own.first));
      return counts;
    };
    const TotalsMaker maker{
        [&](const LeafDocs& some) {
          const std::vector<uint32_t> counts = count_places(some);
          SegmentTotals made{static_cast<uint64_t>(own.first_key)};
          made.insert(made.end(), counts.begin(), counts.end());
          while (made.back() == 0 && made.size() > 1) made.pop_back();
          return made;
        },
        [&](SegmentTotals& made, const LeafDocs& deleted, const LeafDocs& /*live*/) {
          const std::vector<uint32_t> less = count_places(deleted);
          for (size_t i = 1; i < made.size() && i <= less.size(); i++) made[i] -= less[i - 1];
        }};
    const SegmentTotalsPtr totals = find_totals(context_, docs, own.name, maker);
    if (totals == nullptr || totals->front() != static_cast<uint64_t>(own.first_key) ||
        totals->size() - 1 > own.places - own.first) {
      return false;
    }
    for (size_t i = 1; i < totals->size(); i++)
      place_counts_[own.first + i - 1] += static_cast<uint32_t>((*totals)[i]);
    return true;
  }

  /// Prepares one table of keys for all segments.
  void prepare() {
    prepared_ = true;
    if (source_.kind() == ValueKind::kDouble || source_.ranges()) return;
    Column::Zone all;
    for (const Leaf& leaf : context_.leaves) {
      source_.start_leaf(leaf);
      if (source_.column() == nullptr || source_.column()->doc_count() == 0) continue;
      const Column::Zone zone = source_.bounds();
      all = {std::min(all.min, zone.min), std::max(all.max, zone.max)};
    }
    rounding_.prepare(all.min, all.max);
  }

  /// The index for `docs` documents in no particular order of time; null: finding places without it
  /// is faster.
  const PlaceIndex* index_for(uint64_t docs) {
    if (docs < kDocsPerPlace * rounding_.table_size()) return nullptr;
    if (!index_.has_value()) index_.emplace(rounding_, *source_.column());
    return index_->empty() ? nullptr : &*index_;
  }

  /// Counts by owner and place, if documents have at most one value and there are no children.
  void count_by_place(const AggBatch& batch) {
    const size_t places = rounding_.table_size();
    reach(place_counts_, batch.owner_count * places);
    uint32_t* const counts = place_counts_.data();
    size_t place = common_place(batch);
    if (place < places) {
      for (size_t i = 0; i < batch.docs.size(); i++) counts[batch.owner(i) * places + place]++;
      return;
    }
    const ColumnCodes codes = source_.column()->codes();
    const bool dense = source_.column()->dense();
    if (const PlaceIndex* const index = dense ? index_for(batch.docs.size()) : nullptr) {
      cells_.resize(batch.docs.size());
      each_code_of(codes, batch.docs, CellLister{index, batch.owners, places, cells_.data()});
      return count_cells(cells_, counts);
    }
    PlaceFinder finder{&rounding_, codes.base, codes.step};
    if (dense) {
      return each_code_of(codes, batch.docs, [&, finder](size_t i, uint64_t code) mutable {
        counts[batch.owner(i) * places + finder.of(code)]++;
      });
    }
    source_.read(batch, values_);
    for (size_t i = 0; i < values_.values.size(); i++) {
      const auto code = static_cast<uint64_t>(values_.values[i] - codes.base) / codes.step;
      counts[batch.owner(values_.entry(i)) * places + finder.of(code)]++;
    }
  }

  /// The place of all documents of the batch, if the zones that contain them determine it; else
  /// table_size().
  size_t common_place(const AggBatch& batch) const {
    const Column& column = *source_.column();
    const uint32_t first = batch.docs.front() / kZoneDocs;
    const uint32_t last = batch.docs.back() / kZoneDocs;
    if (!column.dense() || last - first > 1) return rounding_.table_size();
    const Column::Zone a = column.zone(first);
    const Column::Zone b = column.zone(last);
    const size_t place = rounding_.place_of(std::min(a.min, b.min));
    return place == rounding_.place_of(std::max(a.max, b.max)) ? place : rounding_.table_size();
  }

  /// Converts the counts by owner and place to buckets.
  void settle() {
    const size_t places = rounding_.table_size();
    const auto empty = std::count(place_counts_.begin(), place_counts_.end(), 0U);
    table_.reserve(place_counts_.size() - static_cast<size_t>(empty));
    for (size_t at = 0; at < place_counts_.size(); at++) {
      const uint32_t count = place_counts_[at];
      if (count == 0 || !bounds_.contain(rounding_.key_at(at % places))) continue;
      const uint32_t bucket =
          table_.add(static_cast<uint32_t>(at / places), rounding_.key_at(at % places));
      counts_.reach(table_.size());
      counts_[bucket] += count;
    }
    place_counts_.clear();
  }

  /// Finds buckets by owner and place, if documents have one value each and the keys are in a
  /// table.
  void collect_by_place(const AggBatch& batch) {
    const size_t places = rounding_.table_size();
    reach(by_place_, batch.owner_count * places);
    // Adjacent documents mostly lie in the same interval: that of `place`, from `low` to before
    // `high`.
    size_t place = 0;
    int64_t low = 0;
    int64_t high = 0;
    for (size_t i = 0; i < values_.values.size(); i++) {
      const int64_t value = moment(values_.values[i]);
      if (value < low || value >= high) {
        place = rounding_.place_of(value);
        if (place == places) {  // outside the bounds of the column: damaged
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

  void reach(std::vector<uint32_t>& list, size_t count) {
    if (list.size() >= count) return;
    const size_t before = list.capacity();
    list.resize(count, 0);
    context_.budget.charge((list.capacity() - before) * sizeof(uint32_t));
  }

  /// A range counts in each unit that it overlaps; hard bounds cut it.
  void collect_ranges(const AggBatch& batch) {
    uint32_t last_entry = UINT32_MAX;
    int64_t behind = 0;  // the key after the last one of this document
    for (size_t i = 0; i < values_.values.size(); i++) {
      const uint32_t entry = values_.entry(i);
      if (entry != last_entry) behind = std::numeric_limits<int64_t>::min();
      last_entry = entry;
      const RangeEnds ends = range_ends(*source_.field(), source_.term(values_.values[i]));
      if (ends.low.empty()) continue;
      const int64_t from = bounds_.cut_low(std::max(unpack_end(ends.low), -kFarthestMoment));
      const int64_t to = bounds_.cut_high(std::min(unpack_end(ends.high), kFarthestMoment));
      // The ranges of a document ascend by their start, so units already counted are skipped.
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
  std::optional<PlaceIndex> index_;  // of the segment's column, created on demand
  DateBounds bounds_;
  std::string name_;  // identifies the totals in the cache
  ValueList values_;
  BucketTable table_;
  std::vector<uint32_t> by_place_;  // bucket + 1 by owner and place in the table of keys, 0: none
  bool prepared_ = false;
  bool counted_ = false;  // whether the segment's documents are counted in place_counts_
  std::vector<uint32_t> place_counts_;  // documents by owner and place
  std::vector<uint32_t> cells_;         // index in place_counts_ for each document of a batch
};

}  // namespace

Result<AggregatorPtr> make_date_histogram_agg(AggNode& node) {
  const AggSource source = read_agg_source(node.reader);
  const RoundingSpec spec = read_rounding(node.reader);
  Scalar limits[4];
  for (Scalar& limit : limits) limit = read_scalar(node.reader);
  QUARRY_ASSIGN_OR_RETURN(AggChildren children, make_children(node));
  QUARRY_ASSIGN_OR_RETURN(Rounding rounding, Rounding::make(spec));
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
  DateBounds bounds;
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
    bounds.values[i] = static_cast<double>(rounded ? rounding.round(bound.value) : bound.value);
  }
  std::string name =
      values.field() == nullptr ? "" : totals_name("dates", values.field()->name, spec);
  return AggregatorPtr(std::make_unique<DateHistogramAggregator>(
      node.context, std::move(values), std::move(rounding), bounds, std::move(name),
      std::move(children)));
}

}  // namespace quarry
