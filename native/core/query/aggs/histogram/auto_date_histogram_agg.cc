// A date histogram that chooses its unit. The unit depends on all dates, so documents are set aside
// until all are collected. A shard uses the finest rounding for which its own dates need at most
// the requested number of buckets; the coordinator coarsens it further.
#include <algorithm>
#include <limits>
#include <utility>

#include "mapping/dates/calendar.h"
#include "query/aggs/frame/bucket_table.h"
#include "query/aggs/frame/kinds.h"
#include "query/aggs/frame/replay.h"
#include "query/aggs/frame/value_source.h"
#include "query/aggs/histogram/rounding.h"

namespace quarry {
namespace {

/// The roundings in ascending order; the response may merge up to `widest` adjacent buckets.
struct RoundingStep {
  uint8_t unit;      // of RoundingSpec
  int64_t rough_ms;  // approximate length
  int64_t widest;
};
constexpr RoundingStep kSteps[] = {
    {8, kMsPerSecond, 30}, {7, kMsPerMinute, 30},  {6, kMsPerHour, 12},
    {5, kMsPerDay, 7},     {3, 30 * kMsPerDay, 3}, {1, 365 * kMsPerDay, 100},
};
constexpr uint8_t kStepCount = sizeof(kSteps) / sizeof(kSteps[0]);

class AutoDateHistogramAggregator final : public BucketAggregator {
 public:
  AutoDateHistogramAggregator(AggContext& context, ValueSource source, uint32_t buckets,
                              uint8_t finest, std::vector<Rounding> roundings, AggChildren children)
      : BucketAggregator(context, std::move(children)),
        context_(context),
        source_(std::move(source)),
        wanted_(std::max(buckets, 1U)),
        finest_(finest),
        roundings_(std::move(roundings)),
        spans_(context.budget),
        table_(context.budget) {}

  void start_leaf(const Leaf& leaf) override {
    base_ = leaf.base;
    source_.start_leaf(leaf);
  }

  void collect(const AggBatch& batch) override {
    source_.read(batch, values_);
    spans_.reach(batch.owner_count);
    uint32_t last_entry = UINT32_MAX;
    const size_t before = aside_.capacity();
    for (size_t i = 0; i < values_.values.size(); i++) {
      const uint32_t entry = values_.entry(i);
      Span& span = spans_[batch.owner(entry)];
      const int64_t moment = source_.moment(values_.values[i]);
      span.min = std::min(span.min, moment);
      span.max = std::max(span.max, moment);
      if (entry == last_entry) continue;
      last_entry = entry;
      aside_.push_back({base_ + batch.docs[entry], batch.owner(entry), batch.score(entry)});
    }
    context_.budget.charge((aside_.capacity() - before) * sizeof(PutAside));
  }

  Status finish() override {
    for (size_t owner = 0; owner < spans_.size(); owner++) choose(spans_[owner]);
    replay(
        context_.leaves, aside_,
        [this](const Leaf& leaf) {
          source_.start_leaf(leaf);
          children_.start_leaf(leaf);
        },
        [this](std::span<const PutAside> docs) { collect_again(docs); });
    aside_ = {};
    return BucketAggregator::finish();
  }

  void emit(AggWriter& out, std::span<const uint32_t> owners) override {
    const BucketGroups groups = group_by_key(table_, owners, stop_);
    std::vector<uint8_t> steps;
    for (const uint32_t owner : owners)
      steps.push_back(owner < spans_.size() ? spans_[owner].step : finest_);
    AggWriter::Head head;
    head.op = PlanOp::kAggAutoDateHistogram;
    head.kind = source_.kind();
    head.owners = owners.size();
    head.buckets = groups.buckets.size();
    head.format = source_.format();
    const size_t node = out.begin(head);
    out.column(steps);
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
  /// The range of dates of one owner, and the rounding chosen for it.
  struct Span {
    int64_t min = std::numeric_limits<int64_t>::max();
    int64_t max = std::numeric_limits<int64_t>::min();
    uint8_t step = 0;
  };

  void choose(Span& span) const {
    span.step = finest_;
    if (span.min > span.max) return;
    const double width = static_cast<double>(span.max) - static_cast<double>(span.min);
    for (; span.step + 1 < kStepCount; span.step++) {
      const RoundingStep& step = kSteps[span.step];
      const double room = static_cast<double>(step.rough_ms) * static_cast<double>(step.widest);
      if (width <= room * wanted_) return;
    }
  }

  void collect_again(std::span<const PutAside> docs) {
    docs_.clear();
    for (const PutAside& doc : docs) docs_.push_back(doc.doc);
    AggBatch batch;
    batch.docs = docs_;
    // Owners distinguish the entries of one document, so that its values are read for each entry.
    owners_.clear();
    scores_.clear();
    for (const PutAside& doc : docs) {
      owners_.push_back(doc.bucket);
      scores_.push_back(doc.score);
    }
    batch.owners = owners_.data();
    batch.scores = scores_.data();
    batch.owner_count = spans_.size();
    source_.read(batch, values_);
    uint32_t last_entry = UINT32_MAX;
    int64_t last = 0;
    for (size_t i = 0; i < values_.values.size(); i++) {
      const uint32_t entry = values_.entry(i);
      const Rounding& rounding = roundings_[spans_[batch.owner(entry)].step];
      const int64_t key = rounding.round(source_.moment(values_.values[i]));
      if (entry == last_entry && key == last) continue;
      last_entry = entry;
      last = key;
      route(batch, entry, table_.add(batch.owner(entry), key));
    }
    flush_routed(table_.size());
  }

  AggContext& context_;
  ValueSource source_;
  double wanted_;
  uint8_t finest_;
  std::vector<Rounding> roundings_;  // by step
  uint32_t base_ = 0;
  ValueList values_;
  BucketArray<Span> spans_;  // by owner
  std::vector<PutAside> aside_;
  BucketTable table_;
  std::vector<uint32_t> docs_;
  std::vector<uint32_t> owners_;
  std::vector<float> scores_;
};

}  // namespace

Result<AggregatorPtr> make_auto_date_histogram_agg(AggNode& node) {
  const AggSource source = read_agg_source(node.reader);
  const auto buckets = node.reader.get<uint32_t>();
  const auto finest = node.reader.get<uint8_t>();
  QUARRY_ASSIGN_OR_RETURN(AggChildren children, make_children(node));
  if (finest >= kStepCount) return malformed_agg(node.head);
  std::vector<Rounding> roundings;
  for (const RoundingStep& step : kSteps) {
    RoundingSpec spec;
    spec.unit = step.unit;
    spec.time_zone = source.time_zone;
    QUARRY_ASSIGN_OR_RETURN(Rounding rounding, Rounding::make(spec));
    roundings.push_back(std::move(rounding));
  }
  QUARRY_ASSIGN_OR_RETURN(ValueSource values, ValueSource::make(node.context, node.head, source,
                                                                ValueSource::Accepts::kNumbers));
  return AggregatorPtr(std::make_unique<AutoDateHistogramAggregator>(
      node.context, std::move(values), buckets, finest, std::move(roundings), std::move(children)));
}

}  // namespace quarry
