// filter and filters, whose buckets are queries; missing, whose bucket lacks a field; global, whose
// bucket has no condition.
#include <algorithm>
#include <optional>
#include <utility>

#include "query/aggs/frame/kinds.h"
#include "query/aggs/frame/value_source.h"
#include "query/scorers/document_matches.h"

namespace quarry {
namespace {

constexpr uint32_t kMaxFilters = 1024;

/// Tests whether documents of a segment match a query: with a bit set if many are tested or if they
/// are not ascending, else one by one.
class FilterProbe {
 public:
  explicit FilterProbe(WeightPtr weight) : weight_(std::move(weight)) {}

  void start_leaf(const Leaf& leaf) {
    leaf_ = leaf;
    scorer_.reset();
    started_ = false;
    bits_ = Bitset();
    documents_ = 0;
  }
  /// Adds to the number of documents that decides about a bit set.
  void expect(size_t documents) {
    documents_ += documents;
    if (!started_) {
      started_ = true;
      scorer_ = weight_->scorer(leaf_, leaf_.max_doc);
    }
    if (scorer_ != nullptr && documents_ >= leaf_.max_doc / 8 && !weight_->runs_script())
      take_all();
  }
  bool matches(uint32_t doc) {
    if (weight_->runs_script()) return asks(doc);
    if (bits_.size() != 0) return bits_.test(doc);
    if (scorer_ == nullptr) return false;
    // A scorer only moves forward, but documents repeat for each bucket if the parent's buckets
    // overlap.
    if (!scorer_->before(0) && doc < last_) {
      take_all();
      return bits_.test(doc);
    }
    if (scorer_->before(0) || last_ != doc) {
      last_matches_ = advance(doc) == doc;
      last_ = doc;
    }
    return last_matches_;
  }

 private:
  /// A script runs on no other document. The scorer starts again for a document before the last
  /// one.
  bool asks(uint32_t doc) {
    if (scorer_ != nullptr && !scorer_->before(0) && doc < last_)
      scorer_ = weight_->scorer(leaf_, leaf_.max_doc);
    if (scorer_ == nullptr) return false;
    if (scorer_->before(0) || last_ != doc) last_matches_ = has_match(*scorer_, doc);
    last_ = doc;
    return last_matches_;
  }
  /// The first match at or after `doc`; a match is confirmed only once.
  uint32_t advance(uint32_t doc) {
    if (!scorer_->before(doc)) return scorer_->doc();
    return scorer_->advance_match(doc);
  }
  void take_all() {
    bits_ = Bitset(leaf_.max_doc);
    if (const ScorerPtr whole = weight_->scorer(leaf_, leaf_.max_doc))
      set_matches(*whole, *leaf_.stop, bits_);
    scorer_.reset();
  }

  WeightPtr weight_;
  Leaf leaf_;
  ScorerPtr scorer_;
  Bitset bits_;
  bool started_ = false;
  size_t documents_ = 0;
  uint32_t last_ = 0;
  bool last_matches_ = false;
};

/// Writes the partial node of kinds whose buckets are identified by number only.
void put_counts(AggWriter& out, PlanOp op, size_t owners, size_t per_owner,
                const std::vector<double>& counts, auto&& put_children) {
  AggWriter::Head head;
  head.op = op;
  head.owners = owners;
  head.buckets = counts.size();
  head.extra = static_cast<uint32_t>(per_owner);
  const size_t node = out.begin(head);
  out.column(counts);
  put_children();
  out.end(node);
}

class FiltersAggregator final : public BucketAggregator {
 public:
  FiltersAggregator(AggContext& context, std::vector<FilterProbe> filters, bool other,
                    AggChildren children)
      : BucketAggregator(context, std::move(children)),
        filters_(std::move(filters)),
        other_(other) {}

  bool is_single_bucket() const override { return width() == 1; }
  Status check_order(const AggOrder& order) const override {
    const bool known = is_single_bucket() && order.property == OrderProperty::kDocCount;
    return known ? Status() : Aggregator::check_order(order);
  }
  double order_value(uint32_t owner, const AggOrder& /*order*/) const override {
    return static_cast<double>(counts_.get(owner));
  }

  void start_leaf(const Leaf& leaf) override {
    for (FilterProbe& filter : filters_) filter.start_leaf(leaf);
    BucketAggregator::start_leaf(leaf);
  }

  void collect(const AggBatch& batch) override {
    taken_.assign(batch.docs.size(), false);
    for (size_t i = 0; i < filters_.size(); i++) {
      if (stop_.step(static_cast<uint32_t>(batch.docs.size()))) return;
      filters_[i].expect(batch.docs.size());
      for (size_t entry = 0; entry < batch.docs.size(); entry++) {
        if (!filters_[i].matches(batch.docs[entry])) continue;
        taken_[entry] = true;
        route(batch, entry, bucket(batch.owner(entry), i));
      }
      flush_routed(batch.owner_count * width());
    }
    if (!other_) return;
    for (size_t entry = 0; entry < batch.docs.size(); entry++) {
      if (!taken_[entry]) route(batch, entry, bucket(batch.owner(entry), filters_.size()));
    }
    flush_routed(batch.owner_count * width());
  }

  void emit(AggWriter& out, std::span<const uint32_t> owners) override {
    std::vector<uint32_t> buckets;
    for (const uint32_t owner : owners) {
      for (size_t i = 0; i < width(); i++) buckets.push_back(bucket(owner, i));
    }
    put_counts(out, PlanOp::kAggFilters, owners.size(), width(), counts_of(buckets),
               [&] { emit_children(out, buckets); });
  }

 private:
  size_t width() const { return filters_.size() + (other_ ? 1 : 0); }
  uint32_t bucket(uint32_t owner, size_t filter) const {
    return static_cast<uint32_t>(owner * width() + filter);
  }

  std::vector<FilterProbe> filters_;
  bool other_;
  std::vector<bool> taken_;  // by entry: whether a filter matches it
};

/// Base of kinds with one bucket per owner.
class SingleBucketAggregator : public BucketAggregator {
 public:
  SingleBucketAggregator(AggContext& context, PlanOp op, AggChildren children)
      : BucketAggregator(context, std::move(children)), op_(op) {}
  bool is_single_bucket() const override { return true; }
  Status check_order(const AggOrder& order) const override {
    return order.property == OrderProperty::kDocCount ? Status() : Aggregator::check_order(order);
  }
  double order_value(uint32_t owner, const AggOrder& /*order*/) const override {
    return static_cast<double>(counts_.get(owner));
  }
  void emit(AggWriter& out, std::span<const uint32_t> owners) override {
    put_counts(out, op_, owners.size(), 1, counts_of(owners), [&] { emit_children(out, owners); });
  }

 private:
  PlanOp op_;
};

class MissingAggregator final : public SingleBucketAggregator {
 public:
  MissingAggregator(AggContext& context, ValueSource source, AggChildren children)
      : SingleBucketAggregator(context, PlanOp::kAggMissing, std::move(children)),
        source_(std::move(source)) {}
  void start_leaf(const Leaf& leaf) override {
    source_.start_leaf(leaf);
    BucketAggregator::start_leaf(leaf);
  }
  void collect(const AggBatch& batch) override {
    source_.read(batch, values_);
    size_t at = 0;
    for (uint32_t entry = 0; entry < batch.docs.size(); entry++) {
      while (at < values_.values.size() && values_.entry(at) < entry) at++;
      const bool has_value = at < values_.values.size() && values_.entry(at) == entry;
      if (!has_value) route(batch, entry, batch.owner(entry));
    }
    flush_routed(batch.owner_count);
  }

 private:
  ValueSource source_;
  ValueList values_;
};

class GlobalAggregator final : public SingleBucketAggregator {
 public:
  /// `filter`: the filter of an alias; null: all documents.
  GlobalAggregator(AggContext& context, WeightPtr filter, AggChildren children)
      : SingleBucketAggregator(context, PlanOp::kAggGlobal, std::move(children)) {
    if (filter != nullptr) filter_.emplace(std::move(filter));
  }
  bool is_global() const override { return true; }
  void start_leaf(const Leaf& leaf) override {
    if (filter_) filter_->start_leaf(leaf);
    BucketAggregator::start_leaf(leaf);
  }
  void collect(const AggBatch& batch) override {
    if (filter_) filter_->expect(batch.docs.size());
    for (size_t entry = 0; entry < batch.docs.size(); entry++) {
      if (!filter_ || filter_->matches(batch.docs[entry])) route(batch, entry, 0);
    }
    flush_routed(1);
  }

 private:
  std::optional<FilterProbe> filter_;
};

}  // namespace

Result<AggregatorPtr> make_filters_agg(AggNode& node) {
  const bool other = read_agg_flag(node.reader);
  const uint32_t count = read_agg_count(node.reader, 8);
  if (node.reader.failed() || (count == 0 && !other)) return malformed_agg(node.head);
  if (count > kMaxFilters) {
    return Status(ErrorType::kIllegalArgument, "Number of filters is too large in [" +
                                                   node.head.name + "], must be at most [" +
                                                   std::to_string(kMaxFilters) + "]");
  }
  std::vector<FilterProbe> filters;
  for (uint32_t i = 0; i < count; i++) {
    QUARRY_ASSIGN_OR_RETURN(WeightPtr weight, compile_agg_filter(node));
    filters.emplace_back(std::move(weight));
  }
  QUARRY_ASSIGN_OR_RETURN(AggChildren children, make_children(node, count + (other ? 1 : 0) == 1));
  return AggregatorPtr(std::make_unique<FiltersAggregator>(node.context, std::move(filters), other,
                                                           std::move(children)));
}

Result<AggregatorPtr> make_missing_agg(AggNode& node) {
  const AggSource source = read_agg_source(node.reader);
  QUARRY_ASSIGN_OR_RETURN(AggChildren children, make_children(node, true));
  QUARRY_ASSIGN_OR_RETURN(ValueSource values, ValueSource::make(node.context, node.head, source,
                                                                ValueSource::Accepts::kCounted));
  return AggregatorPtr(
      std::make_unique<MissingAggregator>(node.context, std::move(values), std::move(children)));
}

Result<AggregatorPtr> make_global_agg(AggNode& node) {
  if (node.depth > 1) {
    return Status(ErrorType::kIllegalArgument,
                  "Aggregation [" + node.head.name + "] cannot have a global sub-aggregation [" +
                      node.head.name +
                      "]. Global aggregations can only be defined as top level aggregations");
  }
  const bool filtered = read_agg_flag(node.reader);
  if (node.reader.failed()) return malformed_agg(node.head);
  WeightPtr filter;
  if (filtered) {
    QUARRY_ASSIGN_OR_RETURN(filter, compile_agg_filter(node));
  }
  QUARRY_ASSIGN_OR_RETURN(AggChildren children, make_children(node, true));
  return AggregatorPtr(
      std::make_unique<GlobalAggregator>(node.context, std::move(filter), std::move(children)));
}

}  // namespace quarry
