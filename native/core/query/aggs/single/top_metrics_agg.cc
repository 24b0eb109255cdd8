// top_metrics: values of some fields of the documents of each bucket that are the best by one sort
// key.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "mapping/dates/date_format.h"
#include "query/aggs/frame/key_column.h"
#include "query/aggs/frame/kinds.h"
#include "query/aggs/frame/value_source.h"
#include "query/plan/hits.h"
#include "query/sort/sort_key.h"

namespace quarry {
namespace {

constexpr uint32_t kMaxSize = 10'000;
constexpr size_t kMaxMetrics = 100;
constexpr float kUnscored = std::numeric_limits<float>::quiet_NaN();

/// A value of a field: the average of several numbers, the first of several strings.
struct Metric {
  bool null = true;
  int64_t number = 0;     // in the column's encoding
  std::string_view text;  // lives as long as the search
};

/// Reads the metrics of the entries of a batch, in ascending order.
class MetricReader {
 public:
  explicit MetricReader(ValueSource source) : source_(std::move(source)) {}
  ValueSource& source() { return source_; }
  const ValueSource& source() const { return source_; }
  void read(const AggBatch& batch) {
    source_.read(batch, list_);
    at_ = 0;
  }
  Metric metric(uint32_t entry) {
    while (at_ < list_.values.size() && list_.entry(at_) < entry) at_++;
    size_t end = at_;
    while (end < list_.values.size() && list_.entry(end) == entry) end++;
    Metric out;
    out.null = end == at_;
    if (out.null) return out;
    if (source_.has_ordinals()) {
      out.text = source_.term(list_.values[at_]);
    } else {
      out.number = end == at_ + 1 ? list_.values[at_] : average(end);
    }
    return out;
  }

 private:
  int64_t average(size_t end) const {
    double sum = 0;
    for (size_t i = at_; i < end; i++) sum += source_.number(list_.values[i]);
    const double mean = sum / static_cast<double>(end - at_);
    if (source_.kind() == ValueKind::kDouble) return sortable_from_double(mean);
    if (source_.kind() == ValueKind::kUnsigned) {
      const auto whole = static_cast<uint64_t>(std::min(std::round(mean), 1.8446744073709550e19));
      return static_cast<int64_t>(whole ^ (uint64_t{1} << 63));
    }
    return ValueSource::whole_of(std::floor(mean + 0.5));
  }

  ValueSource source_;
  ValueList list_;
  size_t at_ = 0;
};

struct TopMetric {
  SortValue value;
  uint32_t doc = 0;
  float score = 0;
  std::vector<Metric> metrics;
};

class TopMetricsAggregator final : public Aggregator {
 public:
  TopMetricsAggregator(AggContext& context, uint32_t size, std::unique_ptr<SortSource> sort,
                       std::vector<MetricReader> metrics)
      : context_(context),
        size_(size),
        sort_(std::move(sort)),
        metrics_(std::move(metrics)),
        owners_(context.budget) {}

  bool needs_scores() const override { return sort_->needs_scores(); }

  void start_leaf(const Leaf& leaf) override {
    base_ = leaf.base;
    sort_->start_leaf(leaf);
    for (MetricReader& metric : metrics_) metric.source().start_leaf(leaf);
  }

  void collect(const AggBatch& batch) override {
    owners_.reach(batch.owner_count);
    for (MetricReader& metric : metrics_) metric.read(batch);
    for (uint32_t entry = 0; entry < batch.docs.size(); entry++) {
      if (context_.compiler.progress().stop.step(static_cast<uint32_t>(1 + metrics_.size())))
        return;
      add(owners_[batch.owner(entry)], batch, entry);
    }
  }

  void emit(AggWriter& out, std::span<const uint32_t> owners) override {
    std::vector<uint32_t> sizes;
    std::vector<const TopMetric*> hits;
    for (const uint32_t owner : owners) {
      const size_t before = hits.size();
      if (owner < owners_.size()) {
        for (const TopMetric& hit : owners_[owner]) hits.push_back(&hit);
      }
      sizes.push_back(static_cast<uint32_t>(hits.size() - before));
    }
    AggWriter::Head head;
    head.op = PlanOp::kAggTopMetrics;
    head.owners = owners.size();
    head.buckets = hits.size();
    head.extra = static_cast<uint32_t>(metrics_.size());
    const size_t node = out.begin(head);
    out.column(sizes);
    put_leg(out.bytes(), leg_of(hits));
    for (size_t i = 0; i < metrics_.size(); i++) put_metric(out, i, hits);
    out.end(node);
  }

  Status check_order(const AggOrder& order) const override {
    const bool known = order.property == OrderProperty::kTopMetric && order.argument >= 0 &&
                       order.argument < static_cast<double>(metrics_.size());
    return known ? Status() : Aggregator::check_order(order);
  }
  double order_value(uint32_t owner, const AggOrder& order) const override {
    const auto at = static_cast<size_t>(order.argument);
    const ValueSource& source = metrics_[at].source();
    if (owner >= owners_.size() || owners_[owner].empty() || source.has_ordinals()) return NAN;
    const Metric& metric = owners_[owner].front().metrics[at];
    return metric.null ? NAN : source.number(metric.number);
  }

 private:
  void add(std::vector<TopMetric>& best, const AggBatch& batch, uint32_t entry) {
    TopMetric made;
    made.score = batch.score(entry);
    made.doc = base_ + batch.docs[entry];
    made.value = sort_->value(batch.docs[entry], made.score);
    const auto before = [this](const TopMetric& a, const TopMetric& b) {
      return sort_->compare_values(a.value, b.value) < 0;
    };
    if (best.size() >= size_) {
      if (!before(made, best.back())) return;
      best.pop_back();
    } else {
      context_.budget.charge(sizeof(TopMetric) + metrics_.size() * sizeof(Metric));
    }
    for (MetricReader& metric : metrics_) made.metrics.push_back(metric.metric(entry));
    // Of equal documents the first one found stays before the others.
    const auto place = std::upper_bound(best.begin(), best.end(), made, before);
    best.insert(place, std::move(made));
  }

  LegHits leg_of(const std::vector<const TopMetric*>& hits) const {
    LegHits leg;
    leg.sort.push_back(sort_->make_column());
    for (const TopMetric* hit : hits) {
      const auto after =
          std::upper_bound(context_.leaves.begin(), context_.leaves.end(), hit->doc,
                           [](uint32_t value, const Leaf& leaf) { return value < leaf.base; });
      const Leaf& leaf = *(after - 1);
      leg.docs.push_back(hit->doc);
      leg.scores.push_back(sort_->needs_scores() ? hit->score : kUnscored);
      leg.seq_nos.push_back(leaf.segment->ids().seq_no(hit->doc - leaf.base));
      sort_->append(hit->value, leg.sort[0]);
    }
    return leg;
  }

  void put_metric(AggWriter& out, size_t i, const std::vector<const TopMetric*>& hits) const {
    const ValueSource& source = metrics_[i].source();
    NullableColumn column(source.kind(), source.codec(), source.format());
    for (const TopMetric* hit : hits) {
      const Metric& metric = hit->metrics[i];
      if (metric.null) {
        column.add_null();
      } else if (source.has_ordinals()) {
        column.add_text(metric.text);
      } else {
        column.add_number(metric.number);
      }
    }
    column.put(out);
  }

  AggContext& context_;
  uint32_t size_;
  std::unique_ptr<SortSource> sort_;
  std::vector<MetricReader> metrics_;
  uint32_t base_ = 0;
  BucketArray<std::vector<TopMetric>> owners_;  // the best documents, in their order
};

/// Sets the format of the mapping, in which dates are printed. Strings do not sort.
Status prepare_sort(const Compiler& compiler, SortKey& key) {
  const Field* field = compiler.mapping().find(key.field);
  if (field == nullptr) return {};
  if (!field->is_numeric()) {
    return {ErrorType::kIllegalArgument,
            "error building sort for field [" + field->name + "] of type [" +
                std::string(field_type_name(field->type)) + "]: only supported on numeric fields"};
  }
  if (key.format.empty() && key.numeric_type.empty() && field->is_date()) {
    key.format = field->date_format == nullptr ? std::string(kDefaultDateFormat)
                                               : std::string(field->date_format->text());
  }
  return {};
}

}  // namespace

Result<AggregatorPtr> make_top_metrics_agg(AggNode& node) {
  const auto size = node.reader.get<uint32_t>();
  std::vector<SortKey> keys;
  QUARRY_RETURN_IF_ERROR(read_sort_keys(node.reader, keys));
  std::vector<MetricReader> metrics;
  for (uint32_t left = read_agg_count(node.reader, 21); left > 0; left--) {
    const AggSource source = read_agg_source(node.reader);
    if (node.reader.failed() || metrics.size() == kMaxMetrics) return malformed_agg(node.head);
    QUARRY_ASSIGN_OR_RETURN(ValueSource made, ValueSource::make(node.context, node.head, source,
                                                                ValueSource::Accepts::kAnything));
    metrics.emplace_back(std::move(made));
  }
  QUARRY_RETURN_IF_ERROR(check_no_children(node));
  if (size == 0 || size > kMaxSize || keys.size() != 1) return malformed_agg(node.head);
  QUARRY_RETURN_IF_ERROR(prepare_sort(node.context.compiler, keys[0]));
  QUARRY_ASSIGN_OR_RETURN(SortSources sources, make_sort_sources(node.context.compiler, keys));
  return AggregatorPtr(std::make_unique<TopMetricsAggregator>(
      node.context, size, std::move(sources[0]), std::move(metrics)));
}

}  // namespace quarry
