// The kinds of aggregations, each in its own file. Payloads are described in opcodes.def.
#pragma once

#include "query/aggs/frame/aggregator.h"

namespace quarry {

/// A node on its way to become an aggregator: its maker reads the parameters, then the children.
struct AggNode {
  AggContext& context;
  PlanOp op;
  AggHead head;
  ByteReader reader;  // behind the head
  uint32_t depth = 0;
  bool single_owner = false;  // the parent has one bucket
};

/// Reads and makes the children, the last part of a node. `single_bucket`: they have one owner if
/// the node has.
Result<AggChildren> make_children(AggNode& node, bool single_bucket = false);
/// The end of a node that can have no children.
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

}  // namespace quarry
