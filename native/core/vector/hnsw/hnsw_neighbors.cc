#include "vector/hnsw/hnsw_neighbors.h"

#include <algorithm>

#include "base/coding.h"

namespace quarry {
namespace {

constexpr uint32_t kGroup =
    8;  // selected links compared with a candidate between two checks of the result

constexpr size_t kAhead = 6;  // candidates whose rows are prefetched

/// A code is value + 128, a query code is the value; they differ in one bit.
void to_query(const uint8_t* row, size_t stride, int8_t* out) noexcept {
  for (size_t i = 0; i < stride; i += sizeof(uint64_t)) {
    store(out + i, load<uint64_t>(row + i) ^ 0x8080808080808080);
  }
}

}  // namespace

PairScorer::PairScorer(const CodePlanes& planes, const simd::Kernels& kernels)
    : planes_(planes), kernels_(kernels), bias_(planes.size) {
  const std::vector<int8_t> ones(planes.full.stride, 1);
  kernels.dot_codes(planes.full, 0, planes.size, ones.data(), bias_.data());
  const auto offset = static_cast<int32_t>(128 * planes.full.stride);
  for (int32_t& bias : bias_) bias = 128 * (bias - offset);
}

void PairScorer::prepare(uint32_t node, RowQuery& query) const {
  query.codes.resize(planes_.full.stride);
  to_query(planes_.full.row(node), planes_.full.stride, query.codes.data());
  query.bias = bias_[node];
  query.half_norm = planes_.half_norm[node];
}

void PairScorer::score(const RowQuery& query, const uint32_t* nodes, uint32_t count,
                       int32_t* out) const {
  kernels_.gather_codes(planes_.full, nodes, count, query.codes.data(), out);
  const int32_t constant = query.half_norm - query.bias;
  for (uint32_t i = 0; i < count; ++i) out[i] += constant + planes_.half_norm[nodes[i]];
}

bool NeighborSelector::is_nearer_to_a_kept_one(RankedNode candidate) {
  if (kept_.empty()) return false;
  pairs_.prepare(candidate.node(), query_);
  int32_t scores[kGroup];
  for (size_t begin = 0; begin < kept_.size(); begin += kGroup) {
    const auto count = static_cast<uint32_t>(std::min<size_t>(kGroup, kept_.size() - begin));
    pairs_.score(query_, kept_.data() + begin, count, scores);
    for (uint32_t i = 0; i < count; ++i) {
      if (scores[i] > candidate.score()) return true;
    }
  }
  return false;
}

void NeighborSelector::select(const std::vector<RankedNode>& candidates, uint32_t most,
                              std::vector<RankedNode>& out) {
  out.clear();
  kept_.clear();
  passed_over_.clear();
  const size_t count = candidates.size();
  for (size_t i = 0; i < std::min<size_t>(kAhead, count); ++i)
    pairs_.prefetch(candidates[i].node());
  for (size_t i = 0; i < count; ++i) {
    if (out.size() == most) return;
    if (i + kAhead < count) pairs_.prefetch(candidates[i + kAhead].node());
    const RankedNode candidate = candidates[i];
    const bool copy = candidate.score() >= kCopyScore;
    if (copy ? !out.empty() : is_nearer_to_a_kept_one(candidate)) {
      passed_over_.push_back(candidate);
      continue;
    }
    out.push_back(candidate);
    if (!copy) kept_.push_back(candidate.node());
  }
  const size_t room = std::min<size_t>(most - out.size(), passed_over_.size());
  out.insert(out.end(), passed_over_.begin(),
             passed_over_.begin() + static_cast<std::ptrdiff_t>(room));
  std::sort(out.begin(), out.end());
}

}  // namespace quarry
