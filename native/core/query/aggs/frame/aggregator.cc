// What all aggregators share, and the choice of the kind of a node by the table of
// opcodes.def.
#include "query/aggs/frame/aggregator.h"

#include <array>
#include <limits>
#include <utility>

#include "query/aggs/frame/kinds.h"

namespace quarry {
namespace {

struct AggEntry {
  Result<AggregatorPtr> (*make)(AggNode& node) = nullptr;
  AggReads reads = AggReads::kAnything;
};

constexpr size_t kNumbers = 128;

constexpr std::array<AggEntry, kNumbers> make_table() {
  std::array<AggEntry, kNumbers> table;
#define PLAN_AGG(id, number, name, make, reads, layout) table[number] = {&make, AggReads::reads};
#include "query/plan/opcodes.def"
  return table;
}

constexpr std::array<AggEntry, kNumbers> kTable = make_table();

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
  const auto number = static_cast<size_t>(node.op);
  if (number >= kNumbers || kTable[number].make == nullptr) {
    return Status(ErrorType::kParsing,
                  "malformed search plan: unknown aggregation node " + std::to_string(number));
  }
  const AggEntry& entry = kTable[number];
  AggNode made{context, node.op, {}, PlanReader(node), depth, single_owner};
  made.head = read_agg_head(made.reader);
  context.of_columns = context.of_columns && entry.reads == AggReads::kColumns;
  return entry.make(made);
}

}  // namespace quarry
