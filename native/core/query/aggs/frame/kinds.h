// The factories of the aggregation kinds, each in its own file. opcodes.def describes the payloads.
#pragma once

#include "query/aggs/frame/aggregator.h"

namespace quarry {

/// A node during decoding: its factory reads the parameters, then the children.
struct AggNode {
  AggContext& context;
  PlanOp op;
  AggHead head;
  ByteReader reader;  // after the head
  uint32_t depth = 0;
  bool single_owner = false;  // the parent has one bucket
};

/// Decodes the children, the last part of a node. `single_bucket`: the children have one owner if
/// the node has one.
Result<AggChildren> make_children(AggNode& node, bool single_bucket = false);
/// Checks the end of a node that cannot have children.
Status check_no_children(AggNode& node);
/// Reads a query node and compiles it as a filter.
Result<WeightPtr> compile_agg_filter(AggNode& node);
/// "malformed search plan: aggregation [terms]".
Status malformed_agg(const AggHead& head);

Result<AggregatorPtr> make_stats_agg(AggNode& node);
Result<AggregatorPtr> make_value_count_agg(AggNode& node);
Result<AggregatorPtr> make_weighted_avg_agg(AggNode& node);
Result<AggregatorPtr> make_cardinality_agg(AggNode& node);
Result<AggregatorPtr> make_percentiles_agg(AggNode& node);
Result<AggregatorPtr> make_top_hits_agg(AggNode& node);
Result<AggregatorPtr> make_terms_agg(AggNode& node);
Result<AggregatorPtr> make_histogram_agg(AggNode& node);
Result<AggregatorPtr> make_date_histogram_agg(AggNode& node);
Result<AggregatorPtr> make_range_agg(AggNode& node);
Result<AggregatorPtr> make_filters_agg(AggNode& node);
Result<AggregatorPtr> make_missing_agg(AggNode& node);
Result<AggregatorPtr> make_global_agg(AggNode& node);
Result<AggregatorPtr> make_sampler_agg(AggNode& node);
Result<AggregatorPtr> make_composite_agg(AggNode& node);
Result<AggregatorPtr> make_auto_date_histogram_agg(AggNode& node);
Result<AggregatorPtr> make_nested_agg(AggNode& node);
Result<AggregatorPtr> make_reverse_nested_agg(AggNode& node);

}  // namespace quarry
