// The interface of an aggregation of a search over the segments of a shard. Documents arrive in
// batches; each entry has the bucket of the parent that it belongs to (its owner). State is kept in
// arrays by owner.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "query/aggs/frame/agg_memory.h"
#include "query/aggs/frame/agg_plan.h"
#include "query/aggs/frame/agg_reply.h"
#include "query/plan/compiler.h"
#include "query/plan/query.h"

namespace quarry {

inline constexpr uint32_t kAggBatchDocs = 1024;

/// Documents of one segment, ascending. A document of several buckets occurs several times in
/// succession.
struct AggBatch {
  std::span<const uint32_t> docs;
  const uint32_t* owners = nullptr;  // by entry; null: all 0
  const float* scores = nullptr;     // by entry; null: not needed
  size_t owner_count = 1;            // all owners are below it
  uint32_t owner(size_t entry) const { return owners == nullptr ? 0 : owners[entry]; }
  float score(size_t entry) const { return scores == nullptr ? 0.0F : scores[entry]; }
};

/// All documents of one segment that a search aggregates.
struct LeafDocs {
  const Leaf& leaf;
  const Bitset* bits = nullptr;  // null: the documents of `list`, or all documents of the segment
  std::span<const uint32_t> list = {};  // ascending; data() null: see `bits`
  uint64_t count = 0;
  uint64_t total = 0;     // over all segments of the search
  bool all_live = false;  // the documents are exactly the live documents of the segment
  StopCheck& stop;
  const uint64_t* words() const { return bits == nullptr ? nullptr : bits->words().data(); }
};

/// Cells with the documents of each owner and place (keyer.h), and which of them the current
/// segment counts in.
struct PlaceCounters {
  // Row by row; the rows of owners that were not seen yet may be missing.
  BucketArray<uint32_t>* cells = nullptr;
  size_t places = 0;  // per row
  size_t first = 0;   // place of the segment's smallest value
  size_t span = 0;    // places of the segment, from the first to the last
  std::string name;   // identifies what is counted, how, and the key of the first place
};

/// State that the aggregators of one search share.
struct AggContext {
  Compiler& compiler;
  AggBudget& budget;
  const std::vector<Leaf>& leaves;
  uint64_t docs = 0;  // that the search aggregates, before the first of them is collected
  // False: some of them depend on more than columns of the documents they receive.
  bool of_columns = true;
};

/// Not thread-safe; one per search.
class Aggregator {
 public:
  Aggregator() = default;
  Aggregator(const Aggregator&) = delete;
  Aggregator& operator=(const Aggregator&) = delete;
  virtual ~Aggregator() = default;

  virtual bool needs_scores() const { return false; }
  /// True if the aggregation receives every live document, whatever the query.
  virtual bool is_global() const { return false; }
  /// Segments arrive in the order of the view; those without documents may be skipped.
  virtual void start_leaf(const Leaf& leaf) = 0;
  /// Takes all documents of the segment at once, for owner 0, if that is faster than batches;
  /// false: the aggregation needs batches. Called after start_leaf(), only for aggregations without
  /// a parent.
  virtual bool collect_leaf(const LeafDocs& /*docs*/) { return false; }
  virtual void collect(const AggBatch& batch) = 0;
  /// The counters, if they are the only state that the aggregation keeps of the started segment for
  /// owners below `owners`; without `cells` if it keeps other state.
  virtual PlaceCounters place_counters(size_t /*owners*/) { return {}; }
  /// Called after the last document; aggregations that deferred the work of their children do it
  /// here.
  virtual Status finish() { return {}; }
  /// Writes the partial node of `owners`, in this order.
  virtual void emit(AggWriter& out, std::span<const uint32_t> owners) = 0;

  /// The value that an order by this aggregation compares; NaN if an owner has none.
  virtual double order_value(uint32_t owner, const AggOrder& order) const;
  /// Ok if order_value() supports the property.
  virtual Status check_order(const AggOrder& order) const;
  /// The child that an order path leads through, for single-bucket aggregations.
  virtual const Aggregator* order_child(uint32_t index) const;
  virtual bool is_single_bucket() const { return false; }
};

using AggregatorPtr = std::unique_ptr<Aggregator>;

/// The aggregations below one node.
class AggChildren {
 public:
  AggChildren() = default;
  explicit AggChildren(std::vector<AggregatorPtr> list);
  bool empty() const { return list_.empty(); }
  size_t size() const { return list_.size(); }
  const Aggregator* at(size_t index) const { return list_[index].get(); }
  /// The only child; null if there is none or several.
  Aggregator* only() const { return list_.size() == 1 ? list_[0].get() : nullptr; }
  bool need_scores() const { return need_scores_; }
  void start_leaf(const Leaf& leaf);
  void collect(const AggBatch& batch);
  Status finish();
  void emit(AggWriter& out, std::span<const uint32_t> owners);

 private:
  std::vector<AggregatorPtr> list_;
  bool need_scores_ = false;
};

/// Base of aggregations with buckets: counts documents by bucket and passes them to the children.
class BucketAggregator : public Aggregator {
 public:
  BucketAggregator(AggContext& context, AggChildren children)
      : children_(std::move(children)),
        stop_(context.compiler.progress().stop),
        budget_(context.budget),
        counts_(context.budget) {}
  bool needs_scores() const override { return children_.need_scores(); }
  void start_leaf(const Leaf& leaf) override { children_.start_leaf(leaf); }
  Status finish() override { return children_.finish(); }
  const Aggregator* order_child(uint32_t index) const override {
    return index < children_.size() ? children_.at(index) : nullptr;
  }

 protected:
  static constexpr size_t kLongRoutes = 65536;
  /// Entries of a batch and the bucket of each.
  struct Routed {
    std::vector<uint32_t> docs;
    std::vector<uint32_t> buckets;
    std::vector<float> scores;
    void clear() {
      docs.clear();
      buckets.clear();
      scores.clear();
    }
  };
  /// Adds entry `entry` of `batch` to `routed_`, or only counts it if there are no children.
  void route(const AggBatch& batch, size_t entry, uint32_t bucket) {
    if (children_.empty()) {
      if (bucket >= counts_.size()) counts_.reach(size_t{bucket} + 1);
      counts_[bucket]++;
      return;
    }
    routed_.buckets.push_back(bucket);
    routed_.docs.push_back(batch.docs[entry]);
    if (children_.need_scores()) routed_.scores.push_back(batch.score(entry));
  }
  /// Counts `routed_`, passes it to the children and clears it. Only clears it once the search has
  /// to stop or its memory is used up, because a batch may need many times the memory of one
  /// bucket. Buckets are below `bucket_count`.
  void flush_routed(size_t bucket_count);
  /// flush_routed() before a batch is at its end, where documents have very many buckets.
  void flush_long_routes(size_t bucket_count) {
    if (routed_.buckets.size() >= kLongRoutes) flush_routed(bucket_count);
  }
  void emit_children(AggWriter& out, std::span<const uint32_t> buckets) {
    children_.emit(out, buckets);
  }
  std::vector<double> counts_of(std::span<const uint32_t> buckets) const;

  AggChildren children_;
  StopCheck& stop_;
  AggBudget& budget_;
  BucketArray<uint64_t> counts_;
  Routed routed_;
};

/// Decodes and compiles one aggregation node and its children. `single_owner`: its parent has only
/// one bucket.
Result<AggregatorPtr> make_aggregator(AggContext& context, const PlanNode& node, uint32_t depth,
                                      bool single_owner);

}  // namespace quarry
