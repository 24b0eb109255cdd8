// What all aggregators share, and the dispatch from a node to its kind.
#include "query/aggs/frame/aggregator.h"

#include <limits>
#include <utility>

#include "query/aggs/frame/kinds.h"

namespace quarry {
namespace {

Result<AggregatorPtr> dispatch(AggNode& node) {
  switch (node.op) {
    case PlanOp::kAggStats:
      return make_stats_agg(node);
    case PlanOp::kAggValueCount:
      return make_value_count_agg(node);
    case PlanOp::kAggWeightedAvg:
      return make_weighted_avg_agg(node);
    case PlanOp::kAggCardinality:
      return make_cardinality_agg(node);
    case PlanOp::kAggPercentiles:
      return make_percentiles_agg(node);
    case PlanOp::kAggTopHits:
      return make_top_hits_agg(node);
    case PlanOp::kAggTerms:
      return make_terms_agg(node);
    case PlanOp::kAggHistogram:
      return make_histogram_agg(node);
    case PlanOp::kAggDateHistogram:
      return make_date_histogram_agg(node);
    case PlanOp::kAggRange:
      return make_range_agg(node);
    case PlanOp::kAggFilters:
      return make_filters_agg(node);
    case PlanOp::kAggMissing:
      return make_missing_agg(node);
    case PlanOp::kAggGlobal:
      return make_global_agg(node);
    case PlanOp::kAggSampler:
      return make_sampler_agg(node);
    case PlanOp::kAggComposite:
      return make_composite_agg(node);
    case PlanOp::kAggAutoDateHistogram:
      return make_auto_date_histogram_agg(node);
    case PlanOp::kAggNested:
      return make_nested_agg(node);
    case PlanOp::kAggReverseNested:
      return make_reverse_nested_agg(node);
    default:
      return Status(ErrorType::kParsing, "malformed search plan: unknown aggregation node " +
                                             std::to_string(static_cast<uint32_t>(node.op)));
  }
}

/// Whether the result depends only on columns of the documents that the aggregation receives.
bool reads_columns_alone(PlanOp op) {
  switch (op) {
    case PlanOp::kAggStats:
    case PlanOp::kAggValueCount:
    case PlanOp::kAggWeightedAvg:
    case PlanOp::kAggCardinality:
    case PlanOp::kAggPercentiles:
    case PlanOp::kAggTerms:
    case PlanOp::kAggHistogram:
    case PlanOp::kAggDateHistogram:
    case PlanOp::kAggRange:
    case PlanOp::kAggMissing:
      return true;
    default:
      return false;
  }
}

}  // namespace

double Aggregator::order_value(uint32_t /*owner*/, const AggOrder& /*order*/) const {
  return std::numeric_limits<double>::quiet_NaN();
}

Status Aggregator::check_order(const AggOrder& /*order*/) const {
  return {ErrorType::kIllegalArgument,
          "Invalid aggregation order path: it does not end at a single metric value"};
}

const Aggregator* Aggregator::order_child(uint32_t /*index*/) const { return nullptr; }

AggChildren::AggChildren(std::vector<AggregatorPtr> list) : list_(std::move(list)) {
  for (const AggregatorPtr& child : list_) need_scores_ = need_scores_ || child->needs_scores();
}

void AggChildren::start_leaf(const Leaf& leaf) {
  for (const AggregatorPtr& child : list_) child->start_leaf(leaf);
}

void AggChildren::collect(const AggBatch& batch) {
  for (const AggregatorPtr& child : list_) child->collect(batch);
}

Status AggChildren::finish() {
  for (const AggregatorPtr& child : list_) QUARRY_RETURN_IF_ERROR(child->finish());
  return {};
}

void AggChildren::emit(AggWriter& out, std::span<const uint32_t> owners) {
  for (const AggregatorPtr& child : list_) {
    if (!out.status().ok()) return;
    child->emit(out, owners);
  }
}

void BucketAggregator::flush_routed(size_t bucket_count) {
  if (routed_.buckets.empty()) return;
  const auto steps = static_cast<uint32_t>(routed_.buckets.size());
  if (stop_.step(steps) || !budget_.has_room(counts_.growth(bucket_count))) {
    routed_.clear();
    return;
  }
  counts_.reach(bucket_count);
  for (const uint32_t bucket : routed_.buckets) counts_[bucket]++;
  if (!children_.empty()) {
    AggBatch batch;
    batch.docs = routed_.docs;
    batch.owners = routed_.buckets.data();
    batch.scores = children_.need_scores() ? routed_.scores.data() : nullptr;
    batch.owner_count = bucket_count;
    children_.collect(batch);
  }
  routed_.clear();
}

std::vector<double> BucketAggregator::counts_of(std::span<const uint32_t> buckets) const {
  std::vector<double> counts;
  counts.reserve(buckets.size());
  for (const uint32_t bucket : buckets) counts.push_back(static_cast<double>(counts_.get(bucket)));
  return counts;
}

Status malformed_agg(const AggHead& head) {
  return {ErrorType::kParsing, "malformed search plan: aggregation [" + head.type + "]"};
}

Result<WeightPtr> compile_agg_filter(AggNode& node) {
  QUARRY_ASSIGN_OR_RETURN(const PlanNode query, read_node(node.reader));
  node.context.of_columns = false;
  Compiler& compiler = node.context.compiler;
  compiler.start_over();
  Result<WeightPtr> weight = compiler.compile_filter(query);
  if (!weight.ok()) return compiler.error_of(weight.status());
  return weight;
}

Result<AggChildren> make_children(AggNode& node, bool single_bucket) {
  std::vector<AggregatorPtr> children;
  for (uint32_t left = read_agg_count(node.reader, 8); left > 0; left--) {
    QUARRY_ASSIGN_OR_RETURN(const PlanNode child, read_node(node.reader));
    QUARRY_ASSIGN_OR_RETURN(
        AggregatorPtr made,
        make_aggregator(node.context, child, node.depth + 1, node.single_owner && single_bucket));
    if (made->is_global()) {
      return Status(ErrorType::kIllegalArgument,
                    "Aggregator [" + node.head.name +
                        "] cannot have a global sub-aggregation: it can only be at the top");
    }
    children.push_back(std::move(made));
  }
  if (node.reader.failed() || !node.reader.done()) return malformed_agg(node.head);
  return AggChildren(std::move(children));
}

Status check_no_children(AggNode& node) {
  const auto children = node.reader.get<uint32_t>();
  if (node.reader.failed() || !node.reader.done()) return malformed_agg(node.head);
  if (children == 0) return {};
  return {ErrorType::kIllegalArgument, "Aggregator [" + node.head.name + "] of type [" +
                                           node.head.type + "] cannot accept sub-aggregations"};
}

Result<AggregatorPtr> make_aggregator(AggContext& context, const PlanNode& node, uint32_t depth,
                                      bool single_owner) {
  if (depth > kMaxAggDepth) {
    return Status(ErrorType::kIllegalArgument, "Aggregations are nested deeper than [" +
                                                   std::to_string(kMaxAggDepth) + "] levels");
  }
  AggNode made{context, node.op, {}, ByteReader(node.payload), depth, single_owner};
  made.head = read_agg_head(made.reader);
  context.of_columns = context.of_columns && reads_columns_alone(node.op);
  return dispatch(made);
}

}  // namespace quarry
