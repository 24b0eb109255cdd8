// The walk over one layer of a graph, shared by searches and the builder: a pipeline of three
// stages over batches of nodes, so that memory is prefetched long before it is used.
//   1  pop the best nodes, prefetch their links
//   2  remove links already visited, prefetch the codes of the rest
//   3  score these and push them
// Each round runs stage 2 for the batch of the previous round, and stage 3 for the one before that.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/stop_check.h"
#include "vector/hnsw/beam.h"
#include "vector/hnsw/visited_set.h"

namespace quarry {

/// The state of a walk of one thread. Nothing is allocated once the buffers are large enough.
struct WalkScratch {
  static constexpr uint32_t kMaxBatch = 8;
  struct Batch {
    std::vector<uint32_t> nodes;
    uint32_t count = 0;
  };

  Beam beam;
  VisitedSet visited;
  Batch fresh;  // links of the newest expanded nodes; their codes are being prefetched
  Batch ready;
  std::vector<int32_t> scores;
  std::vector<uint32_t> good;  // indexes into `ready` of the nodes that may enter the beam

  /// Makes room for batches of nodes with up to `links` links each.
  void reserve(uint32_t links) {
    const size_t most = size_t{kMaxBatch} * links + 1;
    if (scores.size() >= most) return;
    fresh.nodes.resize(most);
    ready.nodes.resize(most);
    scores.resize(most);
    good.resize(most);
  }
};

struct WalkCounts {
  uint64_t hops = 0;
  uint64_t distances = 0;
};

/// Walks until all nodes in the beam are expanded, or `stop` (may be null) expires. The beam is
/// started and holds the entry points, which are marked as visited.
///
/// `layer`:  prefetch(node), append(node, visited, out): writes the links not visited before and
/// returns their number
/// `scorer`: prefetch(node), score(nodes, count, out), counted(node): see Beam::start
template <typename Layer, typename Scorer>
class Walk {
 public:
  Walk(const Layer& layer, const Scorer& scorer, WalkScratch& scratch, uint32_t batch)
      : layer_(layer), scorer_(scorer), scratch_(scratch), batch_(batch) {}

  WalkCounts run(StopCheck* stop) {
    scratch_.ready.count = 0;
    pop_batch(popped_);
    for (uint32_t round = 1; popped_.count > 0 || scratch_.ready.count > 0; ++round) {
      pop_batch(next_);  // before expand(): its few links are requested before many codes
      expand();
      score_ready();
      std::swap(scratch_.ready, scratch_.fresh);
      std::swap(popped_, next_);
      if (popped_.count == 0 && scratch_.ready.count == 0) pop_batch(popped_);
      if (stop != nullptr && round % kRoundsPerPoll == 0 && stop->expired()) break;
    }
    return counts_;
  }

 private:
  static constexpr uint32_t kRoundsPerPoll = 32;  // about 10 us
  struct Popped {
    uint32_t nodes[WalkScratch::kMaxBatch] = {};
    uint32_t count = 0;
  };

  void pop_batch(Popped& popped) {
    popped.count = 0;
    while (popped.count < batch_) {
      const uint32_t node = scratch_.beam.pop();
      if (node == Beam::kNone) break;
      layer_.prefetch(node);
      popped.nodes[popped.count++] = node;
    }
  }

  void expand() {
    uint32_t* out = scratch_.fresh.nodes.data();
    uint32_t count = 0;
    for (uint32_t i = 0; i < popped_.count; ++i) {
      count += layer_.append(popped_.nodes[i], scratch_.visited, out + count);
    }
    for (uint32_t i = 0; i < count; ++i) scorer_.prefetch(out[i]);
    scratch_.fresh.count = count;
    counts_.hops += popped_.count;
    counts_.distances += count;
  }

  void score_ready() {
    const uint32_t count = scratch_.ready.count;
    if (count == 0) return;
    const uint32_t* nodes = scratch_.ready.nodes.data();
    int32_t* scores = scratch_.scores.data();
    uint32_t* good = scratch_.good.data();
    Beam& beam = scratch_.beam;
    scorer_.score(nodes, count, scores);
    // Most scores are below the threshold, so the selection avoids a branch per node.
    const int32_t floor = beam.floor();
    uint32_t good_count = 0;
    for (uint32_t i = 0; i < count; ++i) {
      good[good_count] = i;
      good_count += scores[i] >= floor ? 1 : 0;
    }
    for (uint32_t j = 0; j < good_count; ++j) {
      const uint32_t i = good[j];
      if (scores[i] >= beam.floor()) beam.push(nodes[i], scores[i], scorer_.counted(nodes[i]));
    }
    beam.refine();
  }

  const Layer& layer_;
  const Scorer& scorer_;
  WalkScratch& scratch_;
  uint32_t batch_;
  Popped popped_;  // their links are being prefetched
  Popped next_;
  WalkCounts counts_;
};

}  // namespace quarry
