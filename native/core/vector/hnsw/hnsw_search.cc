#include "vector/hnsw/hnsw_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "vector/hnsw/beam.h"
#include "vector/hnsw/hnsw_walk.h"
#include "vector/vector_search.h"

namespace quarry {
namespace {

constexpr uint32_t kRescoreChunk = 32;  // rows rescored between two checks of the stop rule
constexpr uint32_t kRowsAhead = 8;  // rows of the next chunk prefetched while this one is scored
/// The minimum number of live nodes in a beam, regardless of the number of dead ones.
constexpr uint32_t kMinLive = 100;
constexpr float kMostRounding = 1.25F;  // relative to the error expected from rounding alone
constexpr float kFloatMargin = 2e-5F;   // float rounding of an estimate

struct FrozenLayer {
  const HnswGraph& graph;

  void prefetch(uint32_t node) const {
    simd::prefetch(graph.links(node).data(), graph.links_per_node() * size_t{4});
  }
  uint32_t append(uint32_t node, VisitedSet& visited, uint32_t* out) const noexcept {
    return visited.add_all(graph.links(node).data(), graph.links_per_node(), out);
  }
};

struct PlaneScorer {
  const simd::Kernels& kernels;
  simd::CodeRows rows;
  const int8_t* query;
  const Bitset* live;

  void prefetch(uint32_t node) const { simd::prefetch(rows.row(node), rows.stride); }
  void score(const uint32_t* nodes, uint32_t count, int32_t* out) const {
    kernels.gather_codes(rows, nodes, count, query, out);
  }
  bool counted(uint32_t node) const { return live == nullptr || live->test(node); }
};

/// The k-th best of the numbers pushed so far.
class KthBest {
 public:
  KthBest(std::vector<float>& heap, uint32_t k) : heap_(heap), k_(k) { heap_.clear(); }
  bool full() const { return heap_.size() == k_; }
  /// -inf while there are fewer than k numbers.
  float value() const { return full() ? heap_.front() : -std::numeric_limits<float>::infinity(); }
  void push(float number) {
    if (full()) {
      if (number <= heap_.front()) return;
      std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
      heap_.back() = number;
    } else {
      heap_.push_back(number);
    }
    std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
  }

 private:
  std::vector<float>& heap_;  // smallest first
  size_t k_;
};

/// The difference between plane F and the sketch: mean and deviation over the rows rescored so far.
class Residual {
 public:
  void add(double difference) {
    sum_ += difference;
    squares_ += difference * difference;
    ++count_;
  }
  float likely_most(float sigmas) const {
    if (count_ == 0) return std::numeric_limits<float>::infinity();
    const double mean = sum_ / count_;
    const double variance = std::max(0.0, squares_ / count_ - mean * mean);
    return static_cast<float>(mean + sigmas * std::sqrt(variance));
  }

 private:
  double sum_ = 0;
  double squares_ = 0;
  uint32_t count_ = 0;
};

/// The maximum error of an estimate of plane F, except with the small probability given by
/// `sigmas`. There are as many independent rounding errors as dimensions: their product with a
/// vector is about 1 / sqrt(dims) of its bound, and the errors of row and query add up like
/// squares. The error of a row with clamped coordinates is concentrated in these and counts in
/// full.
class Doubt {
 public:
  Doubt(const CodePlanes& planes, const QueryCodes& codes, float sigmas)
      : errors_(planes.full_error), half_norms_(planes.half_norm), norm_(codes.norm) {
    const auto dims = static_cast<float>(planes.dims);
    share_ = std::min(1.0F, sigmas / std::sqrt(dims));
    clamped_ = kMostRounding * planes.full_step * std::sqrt(dims / 12);
    const float query = share_ * codes.full_query_error;
    const float relative = query * planes.full_step / std::max(planes.max_norm, kLeastNorm);
    per_half_norm_ = -2 * relative * relative;
    most_ = at(std::max(clamped_, planes.max_full_error), query * query);
  }
  float of(uint32_t ordinal) const {
    return at(errors_[ordinal], per_half_norm_ * static_cast<float>(half_norms_[ordinal]));
  }
  /// The maximum over all rows.
  float most() const { return most_; }

 private:
  static constexpr float kLeastNorm = 1e-20F;

  float at(float row_error, float query_squared) const {
    const float row = norm_ * row_error;
    if (row_error > clamped_) return row + std::sqrt(query_squared) + kFloatMargin;
    return std::sqrt(share_ * share_ * row * row + query_squared) + kFloatMargin;
  }

  const float* errors_;
  const int32_t* half_norms_;
  float norm_;
  float share_;
  float clamped_;        // larger errors are not caused by rounding alone
  float per_half_norm_;  // squared error from coding the query, per unit of half norm
  float most_;
};

}  // namespace

struct HnswSearcher::Scratch {
  WalkScratch walk;
  std::vector<Beam::Entry> order;
  std::vector<uint32_t> nodes;
  std::vector<int32_t> scores;
  std::vector<float> best;
  std::vector<HnswCandidate> candidates;

  uint32_t descend(const HnswQuery& query, const PlaneScorer& scorer, WalkCounts& counts,
                   int32_t& score);
  void walk_layer0(const HnswQuery& query, bool sketch, StopCheck& stop, VectorCounters& counters);
  void drop_dead(const Bitset* live);
  float rescore(const HnswQuery& query, const simd::Kernels& kernels, VectorCounters& counters);
  float take_full(const HnswQuery& query);
  void keep_possible(const HnswQuery& query, float min_score);
};

HnswSearcher::HnswSearcher() : scratch_(std::make_unique<Scratch>()) {}
HnswSearcher::~HnswSearcher() = default;

/// Descends to level 1 (or the entry point) and returns the node from which no link leads nearer;
/// `score` receives its score.
uint32_t HnswSearcher::Scratch::descend(const HnswQuery& query, const PlaneScorer& scorer,
                                        WalkCounts& counts, int32_t& score) {
  const HnswGraph& graph = *query.graph;
  uint32_t node = graph.entry_point();
  scorer.score(&node, 1, &score);
  uint32_t at = graph.entry_index();
  for (uint32_t level = graph.top_level(); level > 0; --level) {
    for (bool moved = true; moved;) {
      moved = false;
      const LinkList links = graph.upper_links(at, level);
      for (uint32_t i = 0; i < links.size(); ++i) nodes[i] = graph.upper_node(links[i]);
      scorer.score(nodes.data(), links.size(), scores.data());
      for (uint32_t i = 0; i < links.size(); ++i) {
        if (scores[i] <= score) continue;
        score = scores[i];
        at = links[i];
        node = nodes[i];
        moved = true;
      }
      counts.distances += links.size();
    }
  }
  return node;
}

void HnswSearcher::Scratch::walk_layer0(const HnswQuery& query, bool sketch, StopCheck& stop,
                                        VectorCounters& counters) {
  const CodePlanes& planes = *query.planes;
  const QueryCodes& codes = *query.codes;
  const simd::Kernels& kernels = query.kernels != nullptr ? *query.kernels : simd::kernels();
  const PlaneScorer scorer{kernels, sketch ? planes.sketch : planes.full,
                           sketch ? codes.sketch() : codes.full(), query.live};
  WalkCounts upper;
  int32_t score = 0;
  const uint32_t start = descend(query, scorer, upper, score);

  // |q.v| <= |q| |v|; most scores in a beam are above minus a quarter of that.
  const float scale = sketch ? codes.sketch_scale : codes.full_scale;
  const float most = (sketch ? codes.sketch_norm : codes.norm) * planes.max_norm;
  const int32_t reach = scale > 0 ? static_cast<int32_t>(std::min(1e9F, most / scale)) + 1 : 1;
  const int32_t bias = sketch ? codes.sketch_bias : codes.full_bias;
  const uint32_t width = std::max(query.beam, query.k);
  const uint32_t min_live =
      query.live == nullptr ? 0 : std::min(width, std::max(2 * query.k, kMinLive));
  walk.beam.start(width, min_live, bias - reach / 4, bias + reach);
  walk.visited.reset(query.graph->size());
  walk.visited.set(start);
  walk.beam.push(start, score, scorer.counted(start));

  const FrozenLayer layer{*query.graph};
  const WalkCounts base = Walk(layer, scorer, walk, WalkScratch::kMaxBatch).run(&stop);
  const uint64_t distances = base.distances + upper.distances + 1;
  (sketch ? counters.sketch_distances : counters.full_distances) += distances;
  counters.hops += base.hops;
  counters.bytes_read +=
      distances * scorer.rows.stride + base.hops * query.graph->links_per_node() * 4;
  walk.beam.sorted(order);
  drop_dead(query.live);
}

void HnswSearcher::Scratch::drop_dead(const Bitset* live) {
  if (live == nullptr) return;
  std::erase_if(order, [live](const Beam::Entry& entry) { return !live->test(entry.node); });
}

/// Rescores the beam in order with SQ8, until by the sketch no later entry is likely to enter the
/// best k.
float HnswSearcher::Scratch::rescore(const HnswQuery& query, const simd::Kernels& kernels,
                                     VectorCounters& counters) {
  const CodePlanes& planes = *query.planes;
  const QueryCodes& codes = *query.codes;
  const Doubt doubt(planes, codes, query.sigmas);
  KthBest kth(best, query.k);
  Residual residual;
  nodes.resize(std::max<size_t>(nodes.size(), order.size()));
  for (size_t i = 0; i < order.size(); ++i) nodes[i] = order[i].node;
  for (size_t begin = 0; begin < order.size(); begin += kRescoreChunk) {
    // Entries are ordered by bucket: a later one may be better by the width of a bucket.
    const float next = codes.sketch_estimate(order[begin].score + walk.beam.bucket_width());
    if (kth.full() && next + residual.likely_most(query.sigmas) < kth.value()) break;
    const size_t end = std::min(order.size(), begin + kRescoreChunk);
    for (size_t i = end; i < std::min(order.size(), end + kRowsAhead); ++i) {
      simd::prefetch(planes.full.row(nodes[i]), planes.full.stride);
    }
    const auto count = static_cast<uint32_t>(end - begin);
    kernels.gather_codes(planes.full, nodes.data() + begin, count, codes.full(), scores.data());
    for (size_t i = begin; i < end; ++i) {
      const float estimate = codes.full_estimate(scores[i - begin]);
      residual.add(estimate - codes.sketch_estimate(order[i].score));
      kth.push(estimate - doubt.of(nodes[i]));
      candidates.push_back({estimate, nodes[i]});
    }
    counters.full_distances += count;
    counters.bytes_read += count * planes.full.stride;
  }
  return kth.value();
}

/// The same after a walk on plane F, whose scores are final: stops where no later entry can enter
/// the best k.
float HnswSearcher::Scratch::take_full(const HnswQuery& query) {
  const QueryCodes& codes = *query.codes;
  const Doubt doubt(*query.planes, codes, query.sigmas);
  KthBest kth(best, query.k);
  for (const Beam::Entry& entry : order) {
    const float next = codes.full_estimate(entry.score + walk.beam.bucket_width());
    if (next + doubt.most() < kth.value()) break;
    const float estimate = codes.full_estimate(entry.score);
    kth.push(estimate - doubt.of(entry.node));
    candidates.push_back({estimate, entry.node});
  }
  return kth.value();
}

/// Removes candidates that cannot be among the k best, and sorts the rest. `min_score` is the k-th
/// best of the candidates' lower bounds.
void HnswSearcher::Scratch::keep_possible(const HnswQuery& query, float min_score) {
  const Doubt doubt(*query.planes, *query.codes, query.sigmas);
  std::erase_if(candidates, [min_score, &doubt](const HnswCandidate& candidate) {
    return candidate.estimate + doubt.of(candidate.ordinal) < min_score;
  });
  std::sort(candidates.begin(), candidates.end(),
            [](const HnswCandidate& a, const HnswCandidate& b) {
              return a.estimate != b.estimate ? a.estimate > b.estimate : a.ordinal < b.ordinal;
            });
}

const std::vector<HnswCandidate>& HnswSearcher::search(const HnswQuery& query, StopCheck& stop,
                                                       VectorCounters& counters) {
  Scratch& scratch = *scratch_;
  scratch.candidates.clear();
  if (query.k == 0 || query.graph->size() != query.planes->size) return scratch.candidates;
  const bool sketch = query.use_sketch && query.planes->sketch_dims > 0;
  const uint32_t links = query.graph->links_per_node();
  scratch.walk.reserve(links);
  scratch.scores.resize(std::max<size_t>({scratch.scores.size(), links, kRescoreChunk}));
  scratch.nodes.resize(std::max<size_t>(scratch.nodes.size(), links));
  scratch.walk_layer0(query, sketch, stop, counters);
  const simd::Kernels& kernels = query.kernels != nullptr ? *query.kernels : simd::kernels();
  const float min_score =
      sketch ? scratch.rescore(query, kernels, counters) : scratch.take_full(query);
  scratch.keep_possible(query, min_score);
  return scratch.candidates;
}

}  // namespace quarry
