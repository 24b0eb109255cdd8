#include "vector/hnsw/hnsw_growing.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace quarry {
namespace {

constexpr uint32_t kSlack =
    2;  // a list grows to this multiple of its final length, so that it is cut less often

size_t sum_of_levels(const std::vector<uint8_t>& levels) {
  return std::accumulate(levels.begin(), levels.end(), size_t{0});
}

}  // namespace

GrowingGraph::GrowingGraph(const PairScorer& pairs, uint32_t m, std::vector<uint8_t> levels)
    : m_(m),
      levels_(std::move(levels)),
      first_upper_row_(levels_.size()),
      layer0_(levels_.size(), kSlack * 2 * m),
      upper_(sum_of_levels(levels_), kSlack * m),
      selector_(pairs) {
  uint32_t row = 0;
  for (size_t node = 0; node < levels_.size(); ++node) {
    first_upper_row_[node] = row;
    row += levels_[node];
  }
}

void GrowingGraph::set_links(uint32_t node, uint32_t level, std::span<const RankedNode> links) {
  LinkRows& rows = rows_of(level);
  const size_t row = row_of(node, level);
  rows.clear(row);
  for (const RankedNode link : links) rows.add(row, link.node(), link.score());
}

void GrowingGraph::add_link(uint32_t from, uint32_t level, RankedNode to) {
  LinkRows& rows = rows_of(level);
  const size_t row = row_of(from, level);
  rows.add(row, to.node(), to.score());
  if (rows.nodes(row).size() == rows.capacity()) cut(from, level);
}

void GrowingGraph::cut(uint32_t node, uint32_t level) {
  const size_t row = row_of(node, level);
  const std::span<const uint32_t> nodes = std::as_const(rows_of(level)).nodes(row);
  const std::span<const int32_t> scores = rows_of(level).scores(row);
  candidates_.clear();
  for (size_t i = 0; i < nodes.size(); ++i) candidates_.emplace_back(scores[i], nodes[i]);
  std::sort(candidates_.begin(), candidates_.end());
  selector_.select(candidates_, final_links(level), chosen_);
  set_links(node, level, chosen_);
}

void GrowingGraph::finish() {
  for (uint32_t node = 0; node < size(); ++node) {
    for (uint32_t level = 0; level <= levels_[node]; ++level) {
      if (links(node, level).size() > final_links(level)) cut(node, level);
    }
  }
  layer0_.drop_scores();
  upper_.drop_scores();
}

}  // namespace quarry
