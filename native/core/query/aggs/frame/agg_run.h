// Runs the aggregations of a search over what its legs match.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "query/aggs/frame/aggregator.h"
#include "query/aggs/frame/kept_answer.h"
#include "query/aggs/frame/listed_docs.h"
#include "query/plan/compiler.h"

namespace quarry {

/// One search. The legs come first, then finish().
class AggRun {
 public:
  /// Decodes and compiles the aggregations of `plan`. `leaves` and `progress` must outlive the run.
  static Result<std::unique_ptr<AggRun>> make(const SearchContext& context, const Plan& plan,
                                              const std::vector<Leaf>& leaves,
                                              SearchProgress& progress);

  /// Some aggregation, or min_score, reads scores: the legs have to be compiled with them.
  bool needs_scores() const { return needs_scores_; }
  /// Adds the live documents of a leg. Several legs: their union, scores added.
  Status add_leg(Weight& weight);
  /// Aggregates and encodes.
  Result<std::vector<uint8_t>> finish();

  /// Documents of all legs, once finish() has been called, and whether terminate_after cut them.
  uint64_t matched() const { return matched_; }
  bool terminated_early() const { return terminated_; }

 private:
  /// What the legs match in one segment.
  struct LeafMatches {
    bool everything = false;    // every live document; the rest counts for nothing then
    std::span<const uint32_t> list;  // ascending: few documents, of the first leg, in listed_
    Bitset bits;                // size 0: nothing, or see `list`
    uint64_t count = 0;         // once it is settled
    std::vector<float> scores;  // by document; empty: nobody needs them
  };

  AggRun(const SearchContext& context, const Plan& plan, const std::vector<Leaf>& leaves,
         SearchProgress& progress);
  Status make_nodes();
  void add_scored(Scorer& scorer, const Leaf& leaf, StopCheck& stop);
  void add_unscored(Scorer& scorer, const Leaf& leaf, StopCheck& stop);
  void make_bits(const Leaf& leaf);
  /// Counts what was matched and cuts it at terminate_after.
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
  KeptAnswer kept_;
  std::vector<AggregatorPtr> nodes_;    // in the plan's order
  std::vector<Aggregator*> of_query_;   // those that see what the legs match
  std::vector<Aggregator*> of_global_;  // those that see everything
  bool needs_scores_ = false;
  std::vector<LeafMatches> matches_;  // by Leaf::ord
  ListedDocsPtr listed_;              // of the first leg; null: it is no lone term
  uint32_t legs_ = 0;
  uint64_t matched_ = 0;
  bool terminated_ = false;
};

}  // namespace quarry
