// avg, sum, min, max, stats and extended_stats: the count, sum, minimum, maximum and, on request,
// the sum of squares of a field's values.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "query/aggs/frame/doc_portions.h"
#include "query/aggs/frame/kinds.h"
#include "query/aggs/frame/segment_totals.h"
#include "query/aggs/frame/value_source.h"
#include "query/aggs/metrics/compensated_sum.h"

namespace quarry {
namespace {

struct Moments {
  uint64_t count = 0;
  CompensatedSum sum;
  double min = std::numeric_limits<double>::infinity();
  double max = -std::numeric_limits<double>::infinity();
};

constexpr uint32_t kSumDocs = DocPortions::kUsual;  // documents whose codes are summed at a time

struct CodeSum {
  uint64_t count = 0;
  uint64_t sum = 0;
  uint64_t least = UINT64_MAX;
  uint64_t most = 0;
  [[gnu::always_inline]] void operator()(uint32_t /*doc*/, uint64_t code) {
    count++;
    sum += code;
    least = std::min(least, code);
    most = std::max(most, code);
  }
};

/// The number of documents with the smallest and with the largest code.
struct Ends {
  uint64_t least = 0;
  uint64_t most = 0;
  uint64_t leasts = 0;
  uint64_t mosts = 0;
  [[gnu::always_inline]] void operator()(uint32_t /*doc*/, uint64_t code) {
    leasts += code == least ? 1 : 0;
    mosts += code == most ? 1 : 0;
  }
};

class StatsAggregator final : public Aggregator {
 public:
  StatsAggregator(AggContext& context, ValueSource source, bool with_squares)
      : context_(context),
        source_(std::move(source)),
        with_squares_(with_squares),
        moments_(context.budget),
        squares_(context.budget) {}

  void start_leaf(const Leaf& leaf) override {
    source_.start_leaf(leaf);
    // kSumDocs numbers of this size add up without rounding, so they may be summed as integers.
    constexpr int64_t kExact = (int64_t{1} << 53) / kSumDocs;
    const bool whole = source_.kind() == ValueKind::kLong || source_.kind() == ValueKind::kDate ||
                       source_.kind() == ValueKind::kBoolean;
    whole_numbers_ = whole && !with_squares_ && !source_.has_missing() && !source_.multi_valued() &&
                     source_.column() != nullptr && source_.bounds().min >= -kExact &&
                     source_.bounds().max <= kExact;
  }

  bool collect_leaf(const LeafDocs& docs) override {
    if (!whole_numbers_ || !source_.as_stored()) return false;
    moments_.reach(1);
    const ColumnCodes codes = source_.column()->codes();
    if (docs.all_live && add_totals(docs, codes)) return true;
    for (DocPortions portions(docs); portions.next();) add(portions.each(codes, CodeSum{}), codes);
    return true;
  }

  void collect(const AggBatch& batch) override {
    source_.read(batch, values_);
    if (values_.values.empty()) return;
    moments_.reach(batch.owner_count);
    if (with_squares_) squares_.reach(batch.owner_count);
    if (whole_numbers_ && batch.owner_count == 1) return collect_whole_numbers();
    for (size_t i = 0; i < values_.values.size(); i++) {
      const double value = source_.number(values_.values[i]);
      const uint32_t owner = batch.owner(values_.entry(i));
      Moments& moments = moments_[owner];
      moments.count++;
      moments.sum.add(value);
      moments.min = std::min(moments.min, value);
      moments.max = std::max(moments.max, value);
      if (with_squares_) squares_[owner].add(value * value);
    }
  }

  void emit(AggWriter& out, std::span<const uint32_t> owners) override {
    AggWriter::Head head;
    head.op = PlanOp::kAggStats;
    head.kind = source_.kind();
    head.owners = owners.size();
    head.format = source_.format();
    const size_t node = out.begin(head);
    const auto put = [&](auto&& of) {
      std::vector<double> column;
      for (const uint32_t owner : owners) column.push_back(of(owner));
      out.column(column);
    };
    put([&](uint32_t owner) { return static_cast<double>(moments_.get(owner).count); });
    put([&](uint32_t owner) { return moments_.get(owner).sum.sum; });
    put([&](uint32_t owner) { return moments_.get(owner).sum.delta; });
    put([&](uint32_t owner) { return moments_.get(owner).min; });
    put([&](uint32_t owner) { return moments_.get(owner).max; });
    if (with_squares_) {
      put([&](uint32_t owner) { return squares_.get(owner).sum; });
      put([&](uint32_t owner) { return squares_.get(owner).delta; });
    }
    out.end(node);
  }

  Status check_order(const AggOrder& order) const override {
    if (order.property <= OrderProperty::kAvg) return {};
    const bool bound = order.property == OrderProperty::kStdBound ||
                       order.property == OrderProperty::kStdBoundSampling;
    const bool known =
        with_squares_ && (bound || order.property <= OrderProperty::kStdDeviationSampling);
    return known ? Status() : Aggregator::check_order(order);
  }

  double order_value(uint32_t owner, const AggOrder& order) const override {
    const Moments moments = moments_.get(owner);
    const auto count = static_cast<double>(moments.count);
    switch (order.property) {
      case OrderProperty::kCount:
        return count;
      case OrderProperty::kSum:
        return moments.sum.value();
      case OrderProperty::kMin:
        return moments.min;
      case OrderProperty::kMax:
        return moments.max;
      case OrderProperty::kAvg:
        return moments.sum.value() / count;
      case OrderProperty::kSumOfSquares:
        return squares_.get(owner).value();
      case OrderProperty::kVariance:
        return variance(owner, count);
      case OrderProperty::kStdDeviation:
        return std::sqrt(variance(owner, count));
      case OrderProperty::kVarianceSampling:
        return variance(owner, count - 1);
      case OrderProperty::kStdDeviationSampling:
        return std::sqrt(variance(owner, count - 1));
      case OrderProperty::kStdBound:
        return bound(moments, order.argument, variance(owner, count));
      case OrderProperty::kStdBoundSampling:
        return bound(moments, order.argument, variance(owner, count - 1));
      default:
        return Aggregator::order_value(owner, order);
    }
  }

 private:
  /// Adds all live documents of the segment from its totals: six numbers for each portion.
  bool add_totals(const LeafDocs& docs, const ColumnCodes& codes) {
    if (name_.empty()) name_ = totals_name("sums", source_.field()->name);
    const TotalsMaker maker{
        [&codes](const LeafDocs& some) {
          SegmentTotals made;
          for (DocPortions portions(some); portions.next();) {
            const PortionSums sums = sum_portion(portions, codes);
            made.insert(made.end(), sums.begin(), sums.end());
          }
          return made;
        },
        [&codes](SegmentTotals& totals, const LeafDocs& deleted, const LeafDocs& all_live) {
          take_off(totals, deleted, all_live, codes);
        }};
    const SegmentTotalsPtr totals = find_totals(context_, docs, name_, maker);
    if (totals == nullptr) return false;
    for (size_t at = 0; at + kSums <= totals->size(); at += kSums) {
      const uint64_t* const of = totals->data() + at;
      add({of[0], of[1], of[2], of[3]}, codes);
    }
    return true;
  }
  static constexpr size_t kSums = 6;
  using PortionSums = std::array<uint64_t, kSums>;
  static PortionSums sum_portion(const DocPortions& portions, const ColumnCodes& codes) {
    const CodeSum sum = portions.each(codes, CodeSum{});
    const Ends ends = portions.each(codes, Ends{sum.least, sum.most});
    return {sum.count, sum.sum, sum.least, sum.most, ends.leasts, ends.mosts};
  }
  static void take_off(SegmentTotals& totals, const LeafDocs& deleted, const LeafDocs& all_live,
                       const ColumnCodes& codes) {
    DocPortions live(all_live);
    DocPortions gone(deleted);
    for (size_t at = 0; at + kSums <= totals.size() && live.next() && gone.next(); at += kSums) {
      uint64_t* const of = totals.data() + at;
      const CodeSum less = gone.each(codes, CodeSum{});
      const Ends ends = gone.each(codes, Ends{of[2], of[3]});
      if (ends.leasts == of[4] || ends.mosts == of[5]) {
        // Every document with the smallest or the largest code is deleted.
        const PortionSums sums = sum_portion(live, codes);
        std::copy(sums.begin(), sums.end(), of);
        continue;
      }
      of[0] -= less.count;
      of[1] -= less.sum;
      of[4] -= ends.leasts;
      of[5] -= ends.mosts;
    }
  }
  /// Adds the values of codes, which are so few and so small that nothing is rounded.
  void add(const CodeSum& codes, const ColumnCodes& column) {
    if (codes.count == 0) return;
    const auto value = [&column](uint64_t code) {
      return static_cast<double>(
          static_cast<int64_t>(static_cast<uint64_t>(column.base) + column.step * code));
    };
    const uint64_t sum = codes.count * static_cast<uint64_t>(column.base) + column.step * codes.sum;
    Moments& moments = moments_[0];
    moments.count += codes.count;
    moments.sum.add(static_cast<double>(static_cast<int64_t>(sum)));
    moments.min = std::min(moments.min, value(codes.least));
    moments.max = std::max(moments.max, value(codes.most));
  }
  void collect_whole_numbers() {
    int64_t sum = 0;
    int64_t least = values_.values[0];
    int64_t most = values_.values[0];
    for (const int64_t value : values_.values) {
      sum += value;
      least = std::min(least, value);
      most = std::max(most, value);
    }
    Moments& moments = moments_[0];
    moments.count += values_.values.size();
    moments.sum.add(static_cast<double>(sum));
    moments.min = std::min(moments.min, static_cast<double>(least));
    moments.max = std::max(moments.max, static_cast<double>(most));
  }
  static double bound(const Moments& moments, double deviations, double variance) {
    const double mean = moments.sum.value() / static_cast<double>(moments.count);
    return mean + deviations * std::sqrt(variance);
  }
  double variance(uint32_t owner, double by) const {
    const Moments moments = moments_.get(owner);
    const double sum = moments.sum.value();
    const double spread =
        squares_.get(owner).value() - sum * sum / static_cast<double>(moments.count);
    return std::max(spread, 0.0) / by;
  }

  AggContext& context_;
  ValueSource source_;
  bool with_squares_;
  bool whole_numbers_ = false;
  std::string name_;  // identifies the totals in the cache
  ValueList values_;
  BucketArray<Moments> moments_;
  BucketArray<CompensatedSum> squares_;
};

}  // namespace

Result<AggregatorPtr> make_stats_agg(AggNode& node) {
  const AggSource source = read_agg_source(node.reader);
  const bool squares = read_agg_flag(node.reader);
  QUARRY_RETURN_IF_ERROR(check_no_children(node));
  QUARRY_ASSIGN_OR_RETURN(ValueSource values, ValueSource::make(node.context, node.head, source,
                                                                ValueSource::Accepts::kNumbers));
  return AggregatorPtr(std::make_unique<StatsAggregator>(node.context, std::move(values), squares));
}

}  // namespace quarry
