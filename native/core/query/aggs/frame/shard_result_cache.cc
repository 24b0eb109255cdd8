#include "query/aggs/frame/shard_result_cache.h"

#include <algorithm>
#include <utility>

#include "base/coding.h"

namespace quarry {
namespace {

constexpr size_t kMostAnswerBytes =
    1 << 16;  // maximum size of an entry: one result must not displace many others

/// Whether the plan aggregates every live document. Clauses that may read the clock contain "now".
bool asks_everything(const Plan& plan) {
  const auto may_read_clock = [](const PlanNode& node) {
    return as_text(node.payload).find("now") != std::string_view::npos;
  };
  return plan.legs.size() == 1 && plan.legs[0].op == PlanOp::kMatchAll && !plan.has_min_score &&
         plan.terminate_after == 0 &&
         std::none_of(plan.aggs.begin(), plan.aggs.end(), may_read_clock);
}

std::string name_of(const Compiler& compiler, const Plan& plan) {
  ByteWriter name;
  name.put(compiler.mapping().version());
  for (const PlanNode& node : plan.aggs) {
    name.put(node.op);
    name.put(node.flags);
    name.put_string(as_text(node.payload));
  }
  return FilterCache::joint_name("aggs", "", as_text(name.view()));
}

}  // namespace

/// Deletions of a segment only accumulate, so the live counts identify the state that the result is
/// of.
struct ShardResultCache::Entry final : JointEntry {
  Entry(const std::vector<Leaf>& leaves, const std::vector<uint8_t>& made) : answer(made) {
    live.reserve(leaves.size());
    for (const Leaf& leaf : leaves) live.push_back(leaf.live_count);
  }
  bool is_of(const std::vector<Leaf>& leaves) const {
    return std::equal(leaves.begin(), leaves.end(), live.begin(), live.end(),
                      [](const Leaf& leaf, uint32_t count) { return leaf.live_count == count; });
  }
  size_t bytes() const override {
    return sizeof(Entry) + live.capacity() * sizeof(uint32_t) + answer.capacity();
  }

  std::vector<uint32_t> live;
  std::vector<uint8_t> answer;
};

ShardResultCache::ShardResultCache(const Compiler& compiler, const Plan& plan,
                                   const std::vector<Leaf>& leaves)
    : compiler_(compiler), leaves_(leaves) {
  if (!compiler.keeps_joint() || !asks_everything(plan)) return;
  name_ = name_of(compiler, plan);
  const FilterCache::Joint known =
      compiler.context().filters->find_joint(compiler.joint_segments(), name_);
  requested_before_ = known.requested_before;
  auto entry = std::static_pointer_cast<const Entry>(known.entry);
  if (entry != nullptr && entry->is_of(leaves)) entry_ = std::move(entry);
}

const std::vector<uint8_t>* ShardResultCache::get() const {
  return entry_ == nullptr ? nullptr : &entry_->answer;
}

void ShardResultCache::put(const std::vector<uint8_t>& made) const {
  if (!requested_before_ || made.size() > kMostAnswerBytes) return;
  compiler_.context().filters->put_joint(compiler_.joint_segments(), name_,
                                         std::make_shared<const Entry>(leaves_, made));
}

}  // namespace quarry
