// nested, whose bucket has the nested documents at a path of the documents it receives, and
// reverse_nested, whose bucket has the documents that enclose those it receives.
#include <algorithm>
#include <limits>
#include <utility>

#include "query/aggs/frame/kinds.h"
#include "query/nested/nested_query.h"
#include "query/nested/nested_space.h"

namespace quarry {
namespace {

/// Entries that are passed on together: a document may have thousands of nested ones.
constexpr size_t kMostRouted = 4 * size_t{kAggBatchDocs};

/// Base of both. `level`: of the documents of the bucket; kNoLevel: there are none.
class LevelAggregator : public BucketAggregator {
 public:
  static constexpr uint32_t kNoLevel = std::numeric_limits<uint32_t>::max();

  LevelAggregator(AggContext& context, PlanOp op, uint32_t level, AggChildren children)
      : BucketAggregator(context, std::move(children)),
        mapping_(context.compiler.mapping()),
        op_(op),
        level_(level) {}
  bool is_single_bucket() const final { return true; }
  Status check_order(const AggOrder& order) const final {
    return order.property == OrderProperty::kDocCount ? Status() : Aggregator::check_order(order);
  }
  double order_value(uint32_t owner, const AggOrder& /*order*/) const final {
    return static_cast<double>(counts_.get(owner));
  }
  void start_leaf(const Leaf& leaf) override {
    nested_ = leaf.segment->nested();
    docs_ =
        nested_ == nullptr || level_ == kNoLevel ? nullptr : docs_at(mapping_, *nested_, level_);
    BucketAggregator::start_leaf(leaf);
  }
  void emit(AggWriter& out, std::span<const uint32_t> owners) final {
    AggWriter::Head head;
    head.op = op_;
    head.owners = owners.size();
    head.buckets = owners.size();
    head.extra = 1;
    const size_t node = out.begin(head);
    out.column(counts_of(owners));
    emit_children(out, owners);
    out.end(node);
  }

 protected:
  void add(const AggBatch& batch, size_t entry, uint32_t doc) {
    const uint32_t owner = batch.owner(entry);
    routed_.buckets.push_back(owner);
    routed_.docs.push_back(doc);
    if (children_.need_scores()) routed_.scores.push_back(batch.score(entry));
    if (routed_.docs.size() >= kMostRouted) flush_routed(batch.owner_count);
  }

  const Mapping& mapping_;
  const NestedDocs* nested_ = nullptr;  // of the segment
  const Bitset* docs_ = nullptr;        // those of the level in the segment

 private:
  PlanOp op_;
  uint32_t level_;
};

class NestedAggregator final : public LevelAggregator {
 public:
  NestedAggregator(AggContext& context, uint32_t level, AggChildren children)
      : LevelAggregator(context, PlanOp::kAggNested, level, std::move(children)) {}

  void collect(const AggBatch& batch) override {
    if (docs_ == nullptr) return;
    for (size_t from = 0; from < batch.docs.size();) {
      const uint32_t outer = batch.docs[from];
      size_t to = from + 1;
      while (to < batch.docs.size() && batch.docs[to] == outer) to++;
      uint32_t doc = docs_->next(first_inside(*nested_, outer));
      for (; doc < outer; doc = docs_->next(doc + 1)) {
        for (size_t entry = from; entry < to; entry++) add(batch, entry, doc);
        if (stop_.step(1)) break;
      }
      from = to;
    }
    flush_routed(batch.owner_count);
  }
};

class ReverseNestedAggregator final : public LevelAggregator {
 public:
  ReverseNestedAggregator(AggContext& context, uint32_t level, AggChildren children)
      : LevelAggregator(context, PlanOp::kAggReverseNested, level, std::move(children)),
        last_(context.budget) {}

  void start_leaf(const Leaf& leaf) override {
    LevelAggregator::start_leaf(leaf);
    leaf_++;
  }
  void collect(const AggBatch& batch) override {
    if (docs_ == nullptr) return;
    last_.reach(batch.owner_count);
    for (size_t entry = 0; entry < batch.docs.size(); entry++) {
      const uint32_t outer = docs_->next(batch.docs[entry]);
      if (outer >= docs_->size()) continue;
      // A document counts once in a bucket, however many of its nested ones are in it.
      Last& last = last_[batch.owner(entry)];
      if (last.leaf == leaf_ && last.doc == outer) continue;
      last = {leaf_, outer};
      add(batch, entry, outer);
    }
    flush_routed(batch.owner_count);
  }

 private:
  struct Last {
    uint32_t leaf = 0;
    uint32_t doc = 0;
  };

  uint32_t leaf_ = 0;  // number of started segments
  BucketArray<Last> last_;
};

/// The children search and read documents of `level`.
Result<AggChildren> children_at(AggNode& node, uint32_t level) {
  Compiler& compiler = node.context.compiler;
  const uint32_t before = compiler.set_level(level);
  Result<AggChildren> children = make_children(node, true);
  compiler.set_level(before);
  return children;
}

}  // namespace

Result<AggregatorPtr> make_nested_agg(AggNode& node) {
  const std::string path(node.reader.get_string());
  if (node.reader.failed()) return malformed_agg(node.head);
  const Compiler& compiler = node.context.compiler;
  const uint32_t outer = compiler.level();
  const uint32_t mapped = compiler.mapping().nested_level(path);
  // A path that is not nested has no documents.
  const bool known = mapped != 0 && is_inside(compiler.mapping(), mapped, outer);
  const uint32_t level = known ? mapped : LevelAggregator::kNoLevel;
  QUARRY_ASSIGN_OR_RETURN(AggChildren children, children_at(node, known ? mapped : outer));
  return AggregatorPtr(
      std::make_unique<NestedAggregator>(node.context, level, std::move(children)));
}

Result<AggregatorPtr> make_reverse_nested_agg(AggNode& node) {
  const std::string path(node.reader.get_string());
  if (node.reader.failed()) return malformed_agg(node.head);
  const Compiler& compiler = node.context.compiler;
  const uint32_t inner = compiler.level();
  const uint32_t mapped = path.empty() ? 0 : compiler.mapping().nested_level(path);
  // At its own level it has the documents that it receives; in a [nested] of a path that is not
  // nested it receives none.
  const bool known = (path.empty() || mapped != 0) &&
                     (mapped == inner || is_inside(compiler.mapping(), inner, mapped));
  const uint32_t level = known ? mapped : LevelAggregator::kNoLevel;
  QUARRY_ASSIGN_OR_RETURN(AggChildren children, children_at(node, known ? mapped : inner));
  return AggregatorPtr(
      std::make_unique<ReverseNestedAggregator>(node.context, level, std::move(children)));
}

}  // namespace quarry
