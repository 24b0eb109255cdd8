// Runs the aggregations of a search over the matches of its legs.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "query/aggs/frame/aggregator.h"
#include "query/aggs/frame/listed_docs.h"
#include "query/aggs/frame/shard_result_cache.h"
#include "query/plan/compiler.h"

namespace quarry {

/// One per search. add_leg() is called for every leg, then finish().
class AggRun {
 public:
  /// Decodes and compiles the aggregations of `plan`. `leaves` and `progress` must outlive the run.
  static Result<std::unique_ptr<AggRun>> make(const SearchContext& context, const Plan& plan,
                                              const std::vector<Leaf>& leaves,
                                              SearchProgress& progress);

  /// True if an aggregation or min_score reads scores: the legs must then be compiled with scores.
  bool needs_scores() const { return needs_scores_; }
  /// Adds the live matches of a leg. Several legs form a union, in which scores are added.
  Status add_leg(Weight& weight);
  /// Aggregates the matches and encodes the results.
  Result<std::vector<uint8_t>> finish();

  /// The number of matches of all legs, valid after finish(), and whether terminate_after cut them.
  uint64_t matched() const { return matched_; }
  bool terminated_early() const { return terminated_; }

 private:
  /// The matches of the legs in one segment.
  struct LeafMatches {
    bool everything = false;         // every live document; the other members are not used then
    std::span<const uint32_t> list;  // ascending; a few matches of the first leg, stored in listed_
    Bitset bits;                     // size 0: no matches, or those of `list`
    uint64_t count = 0;              // valid after settle()
    std::vector<float> scores;       // by document; empty: not needed
  };

  AggRun(const SearchContext& context, const Plan& plan, const std::vector<Leaf>& leaves,
         SearchProgress& progress);
  Status make_nodes();
  void add_scored(Scorer& scorer, const Leaf& leaf, StopCheck& stop);
  void add_unscored(Scorer& scorer, const Leaf& leaf, StopCheck& stop);
  void make_bits(const Leaf& leaf);
  /// Counts the matches and cuts them at terminate_after.
  void settle();
  Status collect(const std::vector<Aggregator*>& nodes, bool everything);
  Status collect_leaf(const std::vector<Aggregator*>& nodes, const LeafDocs& docs);
  Status collect_batches(const std::vector<Aggregator*>& nodes, const LeafDocs& docs);

  const Plan& plan_;
  const std::vector<Leaf>& leaves_;
  SearchProgress& progress_;
  Compiler compiler_;
  AggBudget budget_;
  AggContext context_;
  ShardResultCache kept_;
  std::vector<AggregatorPtr> nodes_;    // in the plan's order
  std::vector<Aggregator*> of_query_;   // those that aggregate the matches of the legs
  std::vector<Aggregator*> of_global_;  // those that aggregate all documents
  bool needs_scores_ = false;
  std::vector<LeafMatches> matches_;  // by Leaf::ord
  ListedDocsPtr listed_;              // of the first leg; null: it is not a single term
  uint32_t legs_ = 0;
  uint64_t matched_ = 0;
  bool terminated_ = false;
};

}  // namespace quarry
