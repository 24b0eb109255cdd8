// Buckets by tuples of values, a page at a time.
#include <algorithm>
#include <cmath>
#include <utility>

#include "mapping/values/numeric.h"
#include "query/aggs/composite/composite_after.h"
#include "query/aggs/composite/composite_queue.h"
#include "query/aggs/composite/composite_tuples.h"
#include "query/aggs/frame/kinds.h"

namespace quarry {
namespace {

constexpr uint32_t kMaxPage = 65536;

class CompositeAggregator final : public BucketAggregator {
 public:
  CompositeAggregator(AggContext& context, std::vector<CompositeSource> sources, uint32_t size,
                      CompositeTuple after, std::vector<std::string> after_texts,
                      AggChildren children)
      : BucketAggregator(context, std::move(children)),
        context_(context),
        tuples_(context, std::move(sources)),
        size_(size),
        after_(std::move(after)),
        after_texts_(std::move(after_texts)) {
    for (size_t i = 0; i < after_.size(); i++) {
      if (tuples_.sources()[i].source.has_ordinals()) after_[i].text = after_texts_[i];
    }
  }

  void start_leaf(const Leaf& leaf) override {
    tuples_.start_leaf(leaf);
    BucketAggregator::start_leaf(leaf);
  }

  void collect(const AggBatch& batch) override {
    while (queues_.size() < batch.owner_count) {
      queues_.emplace_back(tuples_.sources(), size_, after_.empty() ? nullptr : &after_,
                           context_.budget);
    }
    tuples_.read(batch, [&](uint32_t entry, const CompositeTuple& tuple) {
      const uint32_t bucket = queues_[batch.owner(entry)].add(tuple, next_bucket_);
      if (bucket != CompositeQueue::kNone) route(batch, entry, bucket);
      flush_long_routes(next_bucket_);
    });
    flush_routed(next_bucket_);
  }

  void emit(AggWriter& out, std::span<const uint32_t> owners) override {
    std::vector<uint32_t> sizes;
    std::vector<const CompositeTuple*> tuples;
    std::vector<uint32_t> buckets;
    for (const uint32_t owner : owners) {
      std::vector<CompositeQueue::Entry> own;
      if (owner < queues_.size()) own = queues_[owner].entries();
      sizes.push_back(static_cast<uint32_t>(own.size()));
      for (const CompositeQueue::Entry& entry : own) {
        buckets.push_back(entry.bucket);
        tuples.push_back(entry.tuple);
      }
    }
    AggWriter::Head head;
    head.op = PlanOp::kAggComposite;
    head.owners = owners.size();
    head.buckets = buckets.size();
    head.extra = static_cast<uint32_t>(tuples_.sources().size());
    const size_t node = out.begin(head);
    out.column(sizes);
    out.column(counts_of(buckets));
    tuples_.put(out, tuples);
    emit_children(out, buckets);
    out.end(node);
  }

 private:
  AggContext& context_;
  CompositeTuples tuples_;
  uint32_t size_;
  CompositeTuple after_;  // empty: from the start
  std::vector<std::string> after_texts_;
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
  CompositeTuple values;
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
