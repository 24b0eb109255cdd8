#include "vector/hnsw/hnsw_repair.h"

#include "base/random.h"

namespace quarry {
namespace {

constexpr uint32_t kUnreached = UINT32_MAX;

/// A spanning tree of the nodes reachable from the entry point. A link that is not in the tree can
/// be replaced.
class ReachTree {
 public:
  explicit ReachTree(GrowingGraph& graph) : graph_(graph), parent_(graph.size(), kUnreached) {
    grow(graph.entry_point(), graph.entry_point());
  }
  bool reached(uint32_t node) const { return parent_[node] != kUnreached; }

  /// Links `node` from `host`, which is reached, or from a node below it in the tree: in a free
  /// place, or in place of the nearest link that is not in the tree, because near nodes are
  /// connected in many ways. Every leaf of the tree has such a place.
  void hang(uint32_t node, uint32_t host) {
    Random random(node);
    while (!hang_at(node, host)) {
      const std::span<const uint32_t> children = graph_.links(host, 0);
      host = children[random.below(children.size())];
    }
    grow(node, host);
  }

 private:
  bool hang_at(uint32_t node, uint32_t host) {
    const std::span<const uint32_t> links = graph_.links(host, 0);
    if (links.size() < graph_.final_links(0)) {
      graph_.append_link(host, node);
      return true;
    }
    for (size_t place = 0; place < links.size(); ++place) {
      if (parent_[links[place]] == host) continue;
      graph_.replace_link(host, place, node);
      return true;
    }
    return false;
  }

  void grow(uint32_t root, uint32_t parent) {
    parent_[root] = parent;
    queue_.assign(1, root);
    for (size_t at = 0; at < queue_.size(); ++at) {
      for (const uint32_t link : graph_.links(queue_[at], 0)) {
        if (reached(link)) continue;
        parent_[link] = queue_[at];
        queue_.push_back(link);
      }
    }
  }

  GrowingGraph& graph_;
  std::vector<uint32_t> parent_;
  std::vector<uint32_t> queue_;
};

/// The nearest reached node among the links and the `nearest` nodes; the entry point when none of
/// them is reached.
uint32_t find_host(const ReachTree& tree, const GrowingGraph& graph, uint32_t node,
                   const std::function<const std::vector<RankedNode>&(uint32_t)>& nearest) {
  for (const uint32_t link : graph.links(node, 0)) {
    if (tree.reached(link)) return link;
  }
  for (const RankedNode near : nearest(node)) {
    if (tree.reached(near.node())) return near.node();
  }
  return graph.entry_point();
}

}  // namespace

void link_unreachable(GrowingGraph& graph,
                      const std::function<const std::vector<RankedNode>&(uint32_t)>& nearest) {
  ReachTree tree(graph);
  for (uint32_t node = 0; node < graph.size(); ++node) {
    if (!tree.reached(node)) tree.hang(node, find_host(tree, graph, node, nearest));
  }
}

}  // namespace quarry
