// One aggregation of a search over the segments of a shard. Documents come in batches, each entry
// with the bucket of the parent (its owner) that it belongs to; state is kept in arrays by owner.
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

/// Documents of one segment, ascending; one that belongs to several buckets comes several times in
/// a row.
struct AggBatch {
  std::span<const uint32_t> docs;
  const uint32_t* owners = nullptr;  // by entry; null: all 0
  const float* scores = nullptr;     // by entry; null: nobody needs them
  size_t owner_count = 1;            // every owner is below it
  uint32_t owner(size_t entry) const { return owners == nullptr ? 0 : owners[entry]; }
  float score(size_t entry) const { return scores == nullptr ? 0.0F : scores[entry]; }
};

/// All documents of one segment that a search aggregates.
struct LeafDocs {
  const Leaf& leaf;
  const Bitset* bits = nullptr;  // null: those of `list`, or every document of the segment
  std::span<const uint32_t> list = {};  // ascending; data() null: see `bits`
  uint64_t count = 0;
  uint64_t total = 0;  // of all segments of the search
  bool all_live = false;  // they are the live documents of the segment
  StopCheck& stop;
  const uint64_t* words() const { return bits == nullptr ? nullptr : bits->words().data(); }
};

/// Counters by owner and place, with what says which of them a segment counts in.
struct PlaceCounters {
  std::vector<uint32_t>* counts = nullptr;  // row by row; rows of owners not met yet may lack
  size_t places = 0;                        // of a row
  size_t first = 0;                         // place of the segment's smallest value
  int64_t first_key = 0;                    // what it stands for
  std::string name;                         // what is counted, and how
};

/// What the aggregators of one search share.
struct AggContext {
  Compiler& compiler;
  AggBudget& budget;
  const std::vector<Leaf>& leaves;
  bool of_columns = true;  // false: some of them read more than columns of what they are handed
};

/// Not thread-safe; one per search.
class Aggregator {
 public:
  Aggregator() = default;
  Aggregator(const Aggregator&) = delete;
  Aggregator& operator=(const Aggregator&) = delete;
  virtual ~Aggregator() = default;

  virtual bool needs_scores() const { return false; }
  /// Sees every live document, whatever the query.
  virtual bool is_global() const { return false; }
  /// Segments come in the order of the view; those without documents may be left out.
  virtual void start_leaf(const Leaf& leaf) = 0;
  /// Takes all documents of the segment at once, for owner 0, where that is quicker than batches; false:
  /// it wants batches. Asked behind start_leaf(), of aggregations without a parent.
  virtual bool collect_leaf(const LeafDocs& /*docs*/) { return false; }
  virtual void collect(const AggBatch& batch) = 0;
  /// The counters, when they are all that it keeps of the segment that was started for owners below
  /// `owners`; without `counts`: it keeps something else.
  virtual PlaceCounters place_counters(size_t /*owners*/) { return {}; }
  /// Behind the last document: those that put off their children's work do it now.
  virtual Status finish() { return {}; }
  /// The partial node of these owners, in this order.
  virtual void emit(AggWriter& out, std::span<const uint32_t> owners) = 0;

  /// What an order by this aggregation compares; NaN where an owner has no such value.
  virtual double order_value(uint32_t owner, const AggOrder& order) const;
  /// Ok when order_value() knows the property.
  virtual Status check_order(const AggOrder& order) const;
  /// Follows a path of child indexes through single-bucket aggregations.
  virtual const Aggregator* order_child(uint32_t index) const;
  virtual bool is_single_bucket() const { return false; }
};

using AggregatorPtr = std::unique_ptr<Aggregator>;

/// Aggregations below one node.
class AggChildren {
 public:
  AggChildren() = default;
  explicit AggChildren(std::vector<AggregatorPtr> list);
  bool empty() const { return list_.empty(); }
  size_t size() const { return list_.size(); }
  const Aggregator* at(size_t index) const { return list_[index].get(); }
  /// Null: there is none, or several.
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

/// Base of aggregations with buckets: counts them and hands their documents to the children.
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
  /// Entries of a batch with the bucket that each goes to.
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
  /// Adds entry `entry` of `batch` to `routed_`, or counts it at once where that is all.
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
  /// Counts `routed_`, hands it on and clears it; only clears it once the search has to stop or has used up its memory,
  /// of which a batch may need many times what one bucket does. Buckets are below `bucket_count`.
  void flush_routed(size_t bucket_count);
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

/// Decodes and compiles one aggregation node, with all below it. `single_owner`: its parent has one
/// bucket.
Result<AggregatorPtr> make_aggregator(AggContext& context, const PlanNode& node, uint32_t depth,
                                      bool single_owner);

}  // namespace quarry
