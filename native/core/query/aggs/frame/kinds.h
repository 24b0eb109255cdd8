// The factories of the aggregations of opcodes.def: declared here by its rows, each defined in its
// own file.
#pragma once

#include "query/aggs/frame/aggregator.h"

namespace quarry {

/// A node during decoding: its factory reads the parameters, then the children.
struct AggNode {
  AggContext& context;
  PlanOp op;
  AggHead head;
  PlanReader reader;  // after the head
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

#define PLAN_AGG(id, number, name, make, reads, layout) Result<AggregatorPtr> make(AggNode& node);
#include "query/plan/opcodes.def"

/// What the result of an aggregation depends on.
enum class AggReads : uint8_t {
  kColumns,  // columns of the documents that the aggregation receives, and nothing else
  kAnything,
};

}  // namespace quarry
