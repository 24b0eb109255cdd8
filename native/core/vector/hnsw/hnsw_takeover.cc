#include "vector/hnsw/hnsw_takeover.h"

#include <algorithm>

namespace quarry {
namespace {

constexpr uint32_t kGone = GrowingGraph::kNone;

class TakeOver {
 public:
  TakeOver(const HnswGraph& kept, std::span<const uint32_t> ordinals, const PairScorer& pairs,
           GrowingGraph& graph)
      : kept_(kept), ordinals_(ordinals), pairs_(pairs), selector_(pairs), graph_(graph) {}

  /// Returns false when too few links remain; such a node should be inserted again instead.
  bool take_layer0(uint32_t node) {
    const auto links_of = [this](uint32_t old) { return kept_.links(old); };
    const auto renumber = [this](uint32_t old) { return ordinals_[old]; };
    const bool whole = gather(node, links_of, renumber);
    link(ordinals_[node], 0);
    return whole || chosen_.size() >= std::max(1U, graph_.m() / 4);
  }

  void take_upper(uint32_t index) {
    const auto renumber = [this](uint32_t old) { return ordinals_[kept_.upper_node(old)]; };
    for (uint32_t level = 1; level <= kept_.upper_levels(index); ++level) {
      gather(
          index, [this, level](uint32_t old) { return kept_.upper_links(old, level); }, renumber);
      link(renumber(index), level);
    }
  }

 private:
  /// Collects the node's links and, through deleted ones, their links into found_, as new ordinals.
  /// Returns whether none was deleted.
  template <typename LinksOf, typename Renumber>
  bool gather(uint32_t old, const LinksOf& links_of, const Renumber& renumber) {
    found_.clear();
    bool whole = true;
    const LinkList links = links_of(old);
    for (uint32_t i = 0; i < links.size(); ++i) {
      if (const uint32_t node = renumber(links[i]); node != kGone) {
        found_.push_back(node);
        continue;
      }
      whole = false;
      const LinkList behind = links_of(links[i]);
      for (uint32_t j = 0; j < behind.size(); ++j) {
        if (const uint32_t node = renumber(behind[j]); node != kGone) found_.push_back(node);
      }
    }
    std::sort(found_.begin(), found_.end());
    found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
    std::erase(found_, renumber(old));
    return whole;
  }

  /// Links `node` to the best of found_.
  void link(uint32_t node, uint32_t level) {
    scores_.resize(found_.size());
    pairs_.prepare(node, query_);
    pairs_.score(query_, found_.data(), static_cast<uint32_t>(found_.size()), scores_.data());
    candidates_.clear();
    for (size_t i = 0; i < found_.size(); ++i) candidates_.emplace_back(scores_[i], found_[i]);
    std::sort(candidates_.begin(), candidates_.end());
    const uint32_t most = graph_.final_links(level);
    if (candidates_.size() > most) {
      selector_.select(candidates_, most, chosen_);
    } else {
      chosen_ = candidates_;
    }
    graph_.set_links(node, level, chosen_);
  }

  const HnswGraph& kept_;
  std::span<const uint32_t> ordinals_;
  const PairScorer& pairs_;
  NeighborSelector selector_;
  GrowingGraph& graph_;
  RowQuery query_;
  std::vector<uint32_t> found_;
  std::vector<int32_t> scores_;
  std::vector<RankedNode> candidates_;
  std::vector<RankedNode> chosen_;
};

/// Sets the entry point to the kept one, or to the first of the highest linked nodes. Without a
/// linked node it stays unset, and the graph starts with the first inserted node.
void choose_entry_point(const HnswGraph& kept, std::span<const uint32_t> ordinals,
                        const std::vector<bool>& linked, GrowingGraph& graph) {
  uint32_t best = ordinals[kept.entry_point()];
  if (best == kGone || !linked[best]) {
    best = kGone;
    for (const uint32_t node : ordinals) {
      if (node == kGone || !linked[node]) continue;
      if (best == kGone || graph.level(node) > graph.level(best)) best = node;
    }
  }
  if (best != kGone) graph.set_entry_point(best);
}

}  // namespace

void keep_levels(const HnswGraph& kept, std::span<const uint32_t> ordinals,
                 std::vector<uint8_t>& levels) {
  for (const uint32_t node : ordinals) {
    if (node != kGone) levels[node] = 0;
  }
  for (uint32_t index = 0; index < kept.upper_size(); ++index) {
    const uint32_t node = ordinals[kept.upper_node(index)];
    if (node != kGone) levels[node] = static_cast<uint8_t>(kept.upper_levels(index));
  }
}

std::vector<bool> take_over(const HnswGraph& kept, std::span<const uint32_t> ordinals,
                            const PairScorer& pairs, GrowingGraph& graph, LongWork* work) {
  std::vector<bool> linked(graph.size(), false);
  TakeOver taking(kept, ordinals, pairs, graph);
  for (uint32_t node = 0; node < kept.size(); ++node) {
    if (called_off(work)) return linked;
    if (ordinals[node] != kGone) linked[ordinals[node]] = taking.take_layer0(node);
  }
  for (uint32_t index = 0; index < kept.upper_size(); ++index) {
    if (ordinals[kept.upper_node(index)] != kGone) taking.take_upper(index);
  }
  choose_entry_point(kept, ordinals, linked, graph);
  return linked;
}

}  // namespace quarry
