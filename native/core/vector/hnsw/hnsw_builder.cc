#include "vector/hnsw/hnsw_builder.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/random.h"
#include "vector/hnsw/hnsw_growing.h"
#include "vector/hnsw/hnsw_repair.h"
#include "vector/hnsw/hnsw_takeover.h"
#include "vector/hnsw/hnsw_walk.h"

namespace quarry {
namespace {

// The beam is narrow: a batch of 8 would visit too many distant nodes
constexpr uint32_t kWalkBatch = 4;

/// Draws level l with probability m^-l (1 - 1 / m), in integer arithmetic, so that the result is
/// the same on every machine.
std::vector<uint8_t> draw_levels(uint32_t size, const HnswOptions& options) {
  Random random(options.seed);
  std::vector<uint8_t> levels(size);
  for (uint8_t& level : levels) {
    while (level < kMaxGraphLevel && random.below(options.m) == 0) ++level;
  }
  return levels;
}

struct GrowingLayer {
  const GrowingGraph& graph;
  uint32_t level;

  void prefetch(uint32_t node) const {
    simd::prefetch(graph.links(node, level).data(), size_t{graph.m()} * 8);
  }
  uint32_t append(uint32_t node, VisitedSet& visited, uint32_t* out) const noexcept {
    const std::span<const uint32_t> links = graph.links(node, level);
    return visited.add_all(reinterpret_cast<const uint8_t*>(links.data()),
                           static_cast<uint32_t>(links.size()), out);
  }
};

/// Scores rows against one of them on the plane used for finding candidates: -|x - y|^2 / 2 + |x|^2
/// / 2 in steps of that plane. The sketch ignores the part of x.y outside its subspace.
class WalkScorer {
 public:
  WalkScorer(const CodePlanes& planes, const simd::Kernels& kernels)
      : kernels_(kernels), rows_(planes.sketch_dims > 0 ? planes.sketch : planes.full) {
    if (planes.sketch_dims == 0) {
      half_norms_.assign(planes.half_norm, planes.half_norm + planes.size);
    } else {
      const double ratio = double{planes.full_step} / double{planes.sketch_step};
      half_norms_.reserve(planes.size);
      for (uint32_t i = 0; i < planes.size; ++i)
        half_norms_.push_back(scaled(planes.half_norm[i], ratio * ratio));
    }
    query_.resize(rows_.stride);
  }
  void prepare(uint32_t node) {
    int32_t sum = 0;
    const uint8_t* row = rows_.row(node);
    for (size_t i = 0; i < rows_.stride; ++i) {
      query_[i] = static_cast<int8_t>(row[i] ^ 0x80);
      sum += query_[i];
    }
    bias_ = 128 * sum;
    reach_ = -half_norms_[node] + 1;
  }
  /// An upper bound of a score, up to rounding.
  int32_t reach() const { return reach_; }

  void prefetch(uint32_t node) const { simd::prefetch(rows_.row(node), rows_.stride); }
  void score(const uint32_t* nodes, uint32_t count, int32_t* out) const {
    kernels_.gather_codes(rows_, nodes, count, query_.data(), out);
    for (uint32_t i = 0; i < count; ++i) out[i] += half_norms_[nodes[i]] - bias_;
  }
  bool counted(uint32_t) const { return true; }

 private:
  static int32_t scaled(int32_t half_norm, double factor) {
    return static_cast<int32_t>(std::lrint(std::max(-1e9, half_norm * factor)));
  }

  const simd::Kernels& kernels_;
  simd::CodeRows rows_;
  std::vector<int32_t> half_norms_;
  std::vector<int8_t> query_;
  int32_t bias_ = 0;
  int32_t reach_ = 0;
};

/// Inserts nodes into a growing graph (Malkov & Yashunin 2018, algorithm 1).
class Inserter {
 public:
  Inserter(GrowingGraph& graph, const PairScorer& pairs, const simd::Kernels& kernels,
           uint32_t beam)
      : graph_(graph),
        pairs_(pairs),
        scorer_(pairs.planes(), kernels),
        selector_(pairs),
        beam_(beam) {
    walk_.reserve(graph.most_links());
  }

  void insert(uint32_t node) {
    if (graph_.entry_point() == GrowingGraph::kNone) return graph_.set_entry_point(node);
    scorer_.prepare(node);
    const uint32_t level = graph_.level(node);
    const uint32_t top = graph_.top_level();
    uint32_t start = descend(level);
    for (uint32_t i = std::min(level, top) + 1; i-- > 0;) {
      find_candidates(node, start, i);
      if (candidates_.empty()) break;  // the node itself is the only linked one so far
      start = candidates_.front().node();
      selector_.select(candidates_, graph_.m(), chosen_);
      graph_.set_links(node, i, chosen_);
      for (const RankedNode link : chosen_)
        graph_.add_link(link.node(), i, RankedNode(link.score(), node));
    }
    if (level > top) graph_.set_entry_point(node);
  }

  /// The nearest nodes that a walk finds, best first.
  const std::vector<RankedNode>& nearest(uint32_t node) {
    scorer_.prepare(node);
    find_candidates(node, descend(0), 0);
    return candidates_;
  }

 private:
  int32_t score_of(uint32_t node) const {
    int32_t score = 0;
    scorer_.score(&node, 1, &score);
    return score;
  }

  /// Descends greedily to the level above `level`.
  uint32_t descend(uint32_t level) {
    uint32_t best = graph_.entry_point();
    int32_t score = score_of(best);
    for (uint32_t at = graph_.top_level(); at > level; --at) {
      for (bool moved = true; moved;) {
        moved = false;
        const std::span<const uint32_t> links = graph_.links(best, at);
        scorer_.score(links.data(), static_cast<uint32_t>(links.size()), walk_.scores.data());
        for (size_t i = 0; i < links.size(); ++i) {
          if (walk_.scores[i] <= score) continue;
          score = walk_.scores[i];
          best = links[i];
          moved = true;
        }
      }
    }
    return best;
  }

  void find_candidates(uint32_t node, uint32_t start, uint32_t level) {
    walk_.beam.start(beam_, 0, -scorer_.reach(), scorer_.reach());
    walk_.visited.reset(graph_.size());
    walk_.visited.set(start);
    walk_.beam.push(start, score_of(start), true);
    Walk(GrowingLayer{graph_, level}, scorer_, walk_, kWalkBatch).run(nullptr);
    walk_.beam.sorted(order_);
    if (order_.size() > beam_) order_.resize(beam_);
    found_.clear();
    for (const Beam::Entry& entry : order_) found_.push_back(entry.node);
    rank_found(node);
    if (!is_crowded()) return;
    for (const uint32_t link : graph_.links(candidates_.front().node(), level)) {
      found_.push_back(link);
    }
    std::sort(found_.begin(), found_.end());
    found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
    rank_found(node);
  }

  /// Whether all candidates are copies of the row. Links to copies only would form an island, so
  /// the links of the first copy, which lead out of it, become candidates too.
  bool is_crowded() const {
    return candidates_.size() > graph_.m() && candidates_[graph_.m()].score() >= kCopyScore;
  }

  /// Ranks found_ by the scores of plane F into candidates_, without the node itself, which a walk
  /// can find when a kept node is inserted again.
  void rank_found(uint32_t node) {
    std::erase(found_, node);
    const auto count = static_cast<uint32_t>(found_.size());
    scores_.resize(count);
    pairs_.prepare(node, query_);
    pairs_.score(query_, found_.data(), count, scores_.data());
    candidates_.clear();
    for (uint32_t i = 0; i < count; ++i) candidates_.emplace_back(scores_[i], found_[i]);
    std::sort(candidates_.begin(), candidates_.end());
  }

  GrowingGraph& graph_;
  const PairScorer& pairs_;
  WalkScorer scorer_;
  NeighborSelector selector_;
  uint32_t beam_;
  WalkScratch walk_;
  RowQuery query_;
  std::vector<Beam::Entry> order_;
  std::vector<uint32_t> found_;
  std::vector<int32_t> scores_;
  std::vector<RankedNode> candidates_;
  std::vector<RankedNode> chosen_;
};

std::vector<uint8_t> write_section(const GrowingGraph& graph, const HnswOptions& options) {
  std::vector<uint32_t> upper_nodes;
  std::vector<uint8_t> levels;
  std::vector<uint32_t> index(graph.size());
  for (uint32_t node = 0; node < graph.size(); ++node) {
    index[node] = static_cast<uint32_t>(upper_nodes.size());
    if (graph.level(node) == 0) continue;
    upper_nodes.push_back(node);
    levels.push_back(static_cast<uint8_t>(graph.level(node)));
  }
  const GraphShape shape{graph.size(),        options.m,         options.ef_construction,
                         graph.entry_point(), graph.top_level(), options.seed};
  HnswGraphWriter writer(shape, upper_nodes, levels);
  for (uint32_t node = 0; node < graph.size(); ++node) writer.add_row(node, graph.links(node, 0));
  std::vector<uint32_t> row;
  for (const uint32_t node : upper_nodes) {
    for (uint32_t level = 1; level <= graph.level(node); ++level) {
      row.clear();
      for (const uint32_t link : graph.links(node, level)) row.push_back(index[link]);
      writer.add_upper_row(index[node], row);
    }
  }
  return writer.finish();
}

/// Whether `kept` can be reused; with another m its lists have another length.
bool is_usable(const HnswGraph* kept, std::span<const uint32_t> ordinals, uint32_t size,
               uint32_t m) {
  if (kept == nullptr || kept->m() != m || kept->size() != ordinals.size()) return false;
  return std::all_of(ordinals.begin(), ordinals.end(),
                     [size](uint32_t node) { return node < size || node == GrowingGraph::kNone; });
}

Status rejected() { return {ErrorType::kRejected, "building a vector graph was interrupted"}; }

}  // namespace

Result<std::vector<uint8_t>> build_hnsw(const CodePlanes& planes, const HnswOptions& options,
                                        const HnswGraph* kept,
                                        std::span<const uint32_t> kept_ordinals, LongWork* work) {
  if (planes.size == 0) return Status(ErrorType::kInternal, "a vector graph needs a node");
  HnswOptions used = options;
  used.m = std::clamp(options.m, kMinLinks, kMaxLinks);
  used.ef_construction = std::max(options.ef_construction, used.m);
  const simd::Kernels& kernels = options.kernels != nullptr ? *options.kernels : simd::kernels();
  const bool keeps = is_usable(kept, kept_ordinals, planes.size, used.m);

  const PairScorer pairs(planes, kernels);
  std::vector<uint8_t> levels = draw_levels(planes.size, used);
  if (keeps) keep_levels(*kept, kept_ordinals, levels);
  GrowingGraph graph(pairs, used.m, std::move(levels));
  std::vector<bool> linked(planes.size, false);
  if (keeps) linked = take_over(*kept, kept_ordinals, pairs, graph, work);
  Inserter inserter(graph, pairs, kernels, used.ef_construction);
  for (uint32_t node = 0; node < planes.size; ++node) {
    if (called_off(work)) return rejected();
    if (!linked[node]) inserter.insert(node);
  }
  graph.finish();
  if (called_off(work)) return rejected();
  link_unreachable(graph, [&inserter](uint32_t node) -> const std::vector<RankedNode>& {
    return inserter.nearest(node);
  });
  return write_section(graph, used);
}

}  // namespace quarry
