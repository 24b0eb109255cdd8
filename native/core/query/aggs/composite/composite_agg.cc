// Buckets by tuples of values, a page at a time.
#include <algorithm>
#include <cmath>
#include <utility>

#include "mapping/values/numeric.h"
#include "query/aggs/composite/composite_after.h"
#include "query/aggs/composite/composite_queue.h"
#include "query/aggs/frame/key_column.h"
#include "query/aggs/frame/kinds.h"

namespace quarry {
namespace {

constexpr uint32_t kMaxPage = 65536;
constexpr size_t kMaxSources = 64;
constexpr size_t kMaxTuplesOfDocument = 1U << 20;
constexpr uint32_t kStepsPerTuple = 32;

class CompositeAggregator final : public BucketAggregator {
 public:
  CompositeAggregator(AggContext& context, std::vector<CompositeSource> sources, uint32_t size,
                      std::vector<CompositeValue> after, std::vector<std::string> after_texts,
                      AggChildren children)
      : BucketAggregator(context, std::move(children)),
        context_(context),
        sources_(std::move(sources)),
        size_(size),
        after_(std::move(after)),
        after_texts_(std::move(after_texts)),
        read_(sources_.size()),
        at_(sources_.size()) {
    for (size_t i = 0; i < after_.size(); i++) {
      if (sources_[i].source.has_ordinals()) after_[i].text = after_texts_[i];
    }
  }

  void start_leaf(const Leaf& leaf) override {
    if (!prepared_) {
      for (CompositeSource& source : sources_) source.prepare(context_.leaves);
    }
    prepared_ = true;
    for (CompositeSource& source : sources_) source.source.start_leaf(leaf);
    BucketAggregator::start_leaf(leaf);
  }

  void collect(const AggBatch& batch) override {
    while (queues_.size() < batch.owner_count) {
      queues_.emplace_back(sources_, size_, after_.empty() ? nullptr : &after_, context_.budget);
    }
    for (size_t i = 0; i < sources_.size(); i++) sources_[i].source.read(batch, read_[i]);
    std::fill(at_.begin(), at_.end(), 0);
    std::vector<std::vector<CompositeValue>> values(sources_.size());
    for (uint32_t entry = 0; entry < batch.docs.size(); entry++) {
      bool complete = true;
      for (size_t i = 0; i < sources_.size(); i++) {
        read_values(i, entry, values[i]);
        complete = complete && !values[i].empty();
      }
      if (complete) add_tuples(batch, entry, values);
      if (stop_.stopped()) break;
    }
    flush_routed(next_bucket_);
  }

  void emit(AggWriter& out, std::span<const uint32_t> owners) override {
    std::vector<uint32_t> sizes;
    std::vector<CompositeQueue::Entry> entries;
    std::vector<uint32_t> buckets;
    for (const uint32_t owner : owners) {
      std::vector<CompositeQueue::Entry> own;
      if (owner < queues_.size()) own = queues_[owner].entries();
      sizes.push_back(static_cast<uint32_t>(own.size()));
      for (const CompositeQueue::Entry& entry : own) buckets.push_back(entry.bucket);
      entries.insert(entries.end(), own.begin(), own.end());
    }
    AggWriter::Head head;
    head.op = PlanOp::kAggComposite;
    head.owners = owners.size();
    head.buckets = buckets.size();
    head.extra = static_cast<uint32_t>(sources_.size());
    const size_t node = out.begin(head);
    out.column(sizes);
    out.column(counts_of(buckets));
    for (size_t i = 0; i < sources_.size(); i++) put_source(out, i, entries);
    emit_children(out, buckets);
    out.end(node);
  }

 private:
  /// The values of source `i` for an entry; entries must be requested in ascending order.
  void read_values(size_t i, uint32_t entry, std::vector<CompositeValue>& out) {
    out.clear();
    const CompositeSource& source = sources_[i];
    const ValueList& list = read_[i];
    size_t& at = at_[i];
    while (at < list.values.size() && list.entry(at) < entry) at++;
    for (; at < list.values.size() && list.entry(at) == entry; at++) {
      const CompositeValue value = source.value_of(list.values[at]);
      if (out.empty() || !(out.back() == value)) out.push_back(value);
    }
    if (out.empty() && source.missing_bucket) out.push_back({true, 0, {}});
  }

  void add_tuples(const AggBatch& batch, uint32_t entry,
                  const std::vector<std::vector<CompositeValue>>& values) {
    std::vector<size_t> index(values.size(), 0);
    tuple_.resize(values.size());
    for (size_t count = 0; count < kMaxTuplesOfDocument; count++) {
      for (size_t i = 0; i < values.size(); i++) tuple_[i] = values[i][index[i]];
      const uint32_t bucket = queues_[batch.owner(entry)].add(tuple_, next_bucket_);
      if (bucket != CompositeQueue::kNone) route(batch, entry, bucket);
      if (stop_.step(kStepsPerTuple)) return;
      size_t i = values.size();
      while (i > 0 && ++index[i - 1] == values[i - 1].size()) index[--i] = 0;
      if (i == 0) return;
    }
  }

  void put_source(AggWriter& out, size_t i, const std::vector<CompositeQueue::Entry>& entries) {
    const CompositeSource& source = sources_[i];
    ValueKind kind = source.source.kind();
    const bool moments = kind == ValueKind::kDate && source.type == CompositeType::kHistogram;
    if (kind != ValueKind::kUnmapped && kind != ValueKind::kDate) {
      if (source.type == CompositeType::kHistogram) kind = ValueKind::kDouble;
      if (source.type == CompositeType::kDateHistogram) kind = ValueKind::kLong;
    }
    std::vector<uint8_t> nulls;
    KeyColumn keys(kind, source.source.codec());
    for (const CompositeQueue::Entry& entry : entries) {
      const CompositeValue& value = (*entry.tuple)[i];
      nulls.push_back(value.null ? 1 : 0);
      if (source.source.has_ordinals()) {
        keys.add_text(value.text);
      } else if (moments) {
        keys.add_number(ValueSource::whole_of(double_from_sortable(value.number)));
      } else {
        keys.add_number(value.number);
      }
    }
    out.bytes().align(8);
    out.bytes().put(static_cast<uint8_t>(kind));
    out.bytes().align(8);
    out.bytes().put_string(source.source.format());
    out.column(nulls);
    keys.put(out);
  }

  AggContext& context_;
  bool prepared_ = false;
  std::vector<CompositeSource> sources_;
  uint32_t size_;
  std::vector<CompositeValue> after_;  // empty: from the start
  std::vector<std::string> after_texts_;
  std::vector<ValueList> read_;  // by source
  std::vector<size_t> at_;       // by source: the read position in its list
  std::vector<CompositeValue> tuple_;
  std::vector<CompositeQueue> queues_;  // by owner
  uint32_t next_bucket_ = 0;
};

Result<CompositeSpec> read_source(AggNode& node) {
  CompositeSpec spec;
  const auto type = node.reader.get<uint8_t>();
  spec.agg_source = read_agg_source(node.reader);
  CompositeSource& source = spec.source;
  source.descending = read_agg_flag(node.reader);
  source.missing_bucket = read_agg_flag(node.reader);
  const auto missing_order = node.reader.get<uint8_t>();
  if (type > 2 || missing_order > 2) return malformed_agg(node.head);
  source.type = static_cast<CompositeType>(type);
  source.null_first = missing_order == 0 ? !source.descending : missing_order == 1;
  if (source.type == CompositeType::kHistogram) {
    const auto interval = node.reader.get<double>();
    source.numbers = NumberKeyer(interval, 0);
    if (!(interval > 0) || !std::isfinite(interval)) {
      return Status(ErrorType::kIllegalArgument,
                    "[interval] must be greater than 0 for [histogram] source");
    }
  }
  if (source.type == CompositeType::kDateHistogram) {
    QUARRY_ASSIGN_OR_RETURN(source.dates, Rounding::make(read_rounding(node.reader)));
  }
  const auto accepts = source.type == CompositeType::kTerms ? ValueSource::Accepts::kAnything
                                                            : ValueSource::Accepts::kNumbers;
  QUARRY_ASSIGN_OR_RETURN(source.source,
                          ValueSource::make(node.context, node.head, spec.agg_source, accepts));
  if (source.type == CompositeType::kHistogram && source.source.kind() == ValueKind::kBoolean) {
    return Status(ErrorType::kIllegalArgument,
                  "Field [" + source.source.field()->name +
                      "] of type [boolean] is not supported for aggregation [histogram]");
  }
  return spec;
}

}  // namespace

Result<AggregatorPtr> make_composite_agg(AggNode& node) {
  const auto size = node.reader.get<uint32_t>();
  std::vector<CompositeSpec> specs;
  for (uint32_t left = read_agg_count(node.reader, 25); left > 0; left--) {
    QUARRY_ASSIGN_OR_RETURN(CompositeSpec spec, read_source(node));
    specs.push_back(std::move(spec));
    if (specs.size() > kMaxSources) return malformed_agg(node.head);
  }
  const std::vector<Scalar> after = read_scalars(node.reader);
  QUARRY_ASSIGN_OR_RETURN(AggChildren children, make_children(node));
  if (specs.empty() || (!after.empty() && after.size() != specs.size())) {
    return malformed_agg(node.head);
  }
  if (size > kMaxPage) {
    return Status(ErrorType::kTooManyBuckets,
                  "Trying to create too many buckets. Must be less than or equal to: [" +
                      std::to_string(kMaxPage) + "] but was [" + std::to_string(size) + "]");
  }
  std::vector<CompositeValue> values;
  std::vector<std::string> texts(after.size());
  for (size_t i = 0; i < after.size(); i++) {
    QUARRY_ASSIGN_OR_RETURN(CompositeValue value,
                            read_composite_after(node, specs[i], after[i], texts[i]));
    values.push_back(value);
  }
  std::vector<CompositeSource> sources;
  for (CompositeSpec& spec : specs) sources.push_back(std::move(spec.source));
  return AggregatorPtr(std::make_unique<CompositeAggregator>(node.context, std::move(sources), size,
                                                             std::move(values), std::move(texts),
                                                             std::move(children)));
}

}  // namespace quarry
