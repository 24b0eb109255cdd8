// multi_terms: one bucket for each tuple of the values of several fields, the best by an order.
#include <deque>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "query/aggs/composite/composite_tuples.h"
#include "query/aggs/frame/kinds.h"
#include "query/aggs/terms/terms_agg.h"

namespace quarry {
namespace {

/// Tuples are numbered in the order of their appearance; a bucket is a number and an owner.
class MultiTermsAggregator final : public BucketAggregator, private TermsOrder::Buckets {
 public:
  MultiTermsAggregator(AggContext& context, TermsSpec spec, std::vector<CompositeSource> sources,
                       AggChildren children, TermsOrder order)
      : BucketAggregator(context, std::move(children)),
        spec_(spec),
        tuples_(context, std::move(sources)),
        order_(std::move(order)),
        table_(context.budget) {}

  void start_leaf(const Leaf& leaf) override {
    tuples_.start_leaf(leaf);
    BucketAggregator::start_leaf(leaf);
  }

  void collect(const AggBatch& batch) override {
    tuples_.read(batch, [&](uint32_t entry, const CompositeTuple& tuple) {
      route(batch, entry, table_.add(batch.owner(entry), number_of(tuple)));
      flush_long_routes(table_.size());
    });
    flush_routed(table_.size());
  }

  void emit(AggWriter& out, std::span<const uint32_t> owners) override {
    BucketGroups groups = group_buckets(table_, owners, stop_);
    keep_wanted(groups);
    const TermsCut cut = cut_groups(groups, spec_, order_, *this);
    AggWriter::Head head;
    head.op = PlanOp::kAggMultiTerms;
    head.cut = cut.any;
    head.owners = owners.size();
    head.buckets = groups.buckets.size();
    head.extra = static_cast<uint32_t>(tuples_.sources().size());
    const size_t node = out.begin(head);
    out.column(cut.sizes);
    out.column(cut.other);
    out.column(cut.error);
    out.column(counts_of(groups.buckets));
    std::vector<const CompositeTuple*> tuples;
    for (const uint32_t bucket : groups.buckets) tuples.push_back(&tuple_of(bucket));
    tuples_.put(out, tuples);
    emit_children(out, groups.buckets);
    out.end(node);
  }

 private:
  // Nodes of the map and of the list, excluding the values.
  static constexpr uint64_t kTupleBytes = 128;

  int64_t number_of(const CompositeTuple& tuple) {
    if (const auto known = numbers_.find(&tuple); known != numbers_.end()) return known->second;
    budget_.charge(kTupleBytes + tuple.size() * sizeof(CompositeValue));
    kept_.push_back(tuple);
    const auto number = static_cast<uint32_t>(kept_.size() - 1);
    numbers_.emplace(&kept_.back(), number);
    return number;
  }
  const CompositeTuple& tuple_of(uint32_t bucket) const {
    return kept_[static_cast<size_t>(table_.key(bucket))];
  }
  int compare_keys(uint32_t a, uint32_t b) const override {
    return compare_tuples(tuples_.sources(), tuple_of(a), tuple_of(b));
  }
  uint64_t count(uint32_t bucket) const override { return counts_.get(bucket); }

  void keep_wanted(BucketGroups& groups) const {
    BucketGroups kept;
    for (size_t i = 0; i < groups.ends.size(); i++) {
      for (const uint32_t bucket : groups.group(i)) {
        if (spec_.wanted(counts_.get(bucket))) kept.buckets.push_back(bucket);
      }
      kept.ends.push_back(static_cast<uint32_t>(kept.buckets.size()));
    }
    groups = std::move(kept);
  }

  TermsSpec spec_;
  CompositeTuples tuples_;
  TermsOrder order_;
  BucketTable table_;
  std::deque<CompositeTuple> kept_;  // by number
  std::unordered_map<const CompositeTuple*, uint32_t, TupleHash, TupleEqual> numbers_;
};

}  // namespace

Result<AggregatorPtr> make_multi_terms_agg(AggNode& node) {
  std::vector<CompositeSource> sources;
  for (uint32_t left = read_agg_count(node.reader, 21); left > 0; left--) {
    const AggSource agg_source = read_agg_source(node.reader);
    if (node.reader.failed() || sources.size() == kMaxSources) return malformed_agg(node.head);
    CompositeSource source;
    QUARRY_ASSIGN_OR_RETURN(source.source, ValueSource::make(node.context, node.head, agg_source,
                                                             ValueSource::Accepts::kAnything));
    sources.push_back(std::move(source));
  }
  TermsSpec spec;
  spec.shard_size = node.reader.get<uint32_t>();
  spec.exact_limit = node.reader.get<uint32_t>();
  spec.min_doc_count = node.reader.get<uint32_t>();
  std::vector<AggOrder> orders = read_agg_orders(node.reader);
  if (node.reader.failed() || sources.empty()) return malformed_agg(node.head);
  QUARRY_ASSIGN_OR_RETURN(AggChildren children, make_children(node));
  QUARRY_ASSIGN_OR_RETURN(TermsOrder order,
                          TermsOrder::make(node.head, std::move(orders), children));
  return AggregatorPtr(std::make_unique<MultiTermsAggregator>(
      node.context, spec, std::move(sources), std::move(children), std::move(order)));
}

}  // namespace quarry
