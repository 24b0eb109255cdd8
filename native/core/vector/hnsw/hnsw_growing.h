// A graph under construction: lists of links with slack, which are cut back to the best when they
// overflow. Used by the builder, the reuse of a kept graph and the repair of unreachable nodes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vector/hnsw/hnsw_builder.h"
#include "vector/hnsw/hnsw_neighbors.h"

namespace quarry {

/// Rows of links with their scores, `capacity` places each.
class LinkRows {
 public:
  LinkRows(size_t rows, uint32_t capacity)
      : capacity_(capacity), nodes_(rows * capacity), scores_(rows * capacity), counts_(rows) {}
  uint32_t capacity() const { return capacity_; }
  std::span<uint32_t> nodes(size_t row) { return {nodes_.data() + row * capacity_, counts_[row]}; }
  std::span<const uint32_t> nodes(size_t row) const {
    return {nodes_.data() + row * capacity_, counts_[row]};
  }
  std::span<const int32_t> scores(size_t row) const {
    return {scores_.data() + row * capacity_, counts_[row]};
  }
  /// The row must have room.
  void add(size_t row, uint32_t node, int32_t score) {
    const size_t at = row * capacity_ + counts_[row]++;
    nodes_[at] = node;
    scores_[at] = score;
  }
  void clear(size_t row) { counts_[row] = 0; }
  /// Frees the scores once no more links are selected.
  void drop_scores() { scores_ = {}; }
  void add_unscored(size_t row, uint32_t node) { nodes_[row * capacity_ + counts_[row]++] = node; }

 private:
  uint32_t capacity_;
  std::vector<uint32_t> nodes_;
  std::vector<int32_t> scores_;
  std::vector<uint16_t> counts_;
};

class GrowingGraph {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  /// `levels` is the highest level of each node.
  GrowingGraph(const PairScorer& pairs, uint32_t m, std::vector<uint8_t> levels);

  uint32_t size() const { return static_cast<uint32_t>(levels_.size()); }
  uint32_t m() const { return m_; }
  uint32_t level(uint32_t node) const { return levels_[node]; }
  uint32_t entry_point() const { return entry_point_; }  // kNone: the graph is empty
  uint32_t top_level() const { return top_level_; }
  void set_entry_point(uint32_t node) {
    entry_point_ = node;
    top_level_ = levels_[node];
  }

  /// `level` must be <= level(node).
  std::span<const uint32_t> links(uint32_t node, uint32_t level) const {
    return rows_of(level).nodes(row_of(node, level));
  }
  /// The maximum number of links in a row of layer 0.
  uint32_t most_links() const { return layer0_.capacity(); }
  /// The maximum number of links of a node on a level in the finished graph.
  uint32_t final_links(uint32_t level) const { return level == 0 ? 2 * m_ : m_; }
  void set_links(uint32_t node, uint32_t level, std::span<const RankedNode> links);
  /// Adds a link; a row that is then full is cut back by the heuristic.
  void add_link(uint32_t from, uint32_t level, RankedNode to);
  /// Cuts every row back to final_links and frees the scores: afterwards links can only be appended
  /// or replaced, on layer 0.
  void finish();
  void append_link(uint32_t from, uint32_t to) { layer0_.add_unscored(from, to); }
  void replace_link(uint32_t from, size_t place, uint32_t to) { layer0_.nodes(from)[place] = to; }

 private:
  LinkRows& rows_of(uint32_t level) { return level == 0 ? layer0_ : upper_; }
  const LinkRows& rows_of(uint32_t level) const { return level == 0 ? layer0_ : upper_; }
  size_t row_of(uint32_t node, uint32_t level) const {
    return level == 0 ? node : size_t{first_upper_row_[node]} + level - 1;
  }
  void cut(uint32_t node, uint32_t level);

  uint32_t m_;
  uint32_t entry_point_ = kNone;
  uint32_t top_level_ = 0;
  std::vector<uint8_t> levels_;
  std::vector<uint32_t> first_upper_row_;
  LinkRows layer0_;
  LinkRows upper_;
  NeighborSelector selector_;
  std::vector<RankedNode> candidates_;
  std::vector<RankedNode> chosen_;
};

}  // namespace quarry
