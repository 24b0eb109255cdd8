// A navigable small world graph over a segment's vector ordinals, read from its section (Malkov &
// Yashunin 2018). The format is described in hnsw_graph.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/coding.h"
#include "base/status.h"

namespace quarry {

inline constexpr uint32_t kMinLinks = 2;    // m: the mean number of levels is 1 / ln m
inline constexpr uint32_t kMaxLinks = 512;  // as Elasticsearch limits `m`
inline constexpr uint32_t kMaxGraphLevel = 15;

/// The links of one node, which may be unaligned in a mapped file or in memory.
class LinkList {
 public:
  LinkList(const uint8_t* at, uint32_t size) : at_(at), size_(size) {}
  uint32_t size() const { return size_; }
  uint32_t operator[](uint32_t i) const noexcept { return load<uint32_t>(at_ + size_t{i} * 4); }
  const uint8_t* data() const { return at_; }

 private:
  const uint8_t* at_;
  uint32_t size_;
};

/// The parameters that a graph was built with, and its entry point.
struct GraphShape {
  uint32_t size = 0;  // nodes
  uint32_t m = 0;
  uint32_t ef_construction = 0;
  uint32_t entry_point = 0;
  uint32_t top_level = 0;
  uint64_t seed = 0;
};

/// Immutable and thread-safe; the bytes must outlive it. They need no alignment, but rows of layer
/// 0 are whole cache lines only if the section starts at a multiple of 64.
class HnswGraph {
 public:
  /// Checks every property that a walk relies on (every link leads to a node of its level); the
  /// error is ErrorType::kCorrupt.
  static Result<std::unique_ptr<const HnswGraph>> open(Bytes section, uint32_t size);

  uint32_t size() const { return shape_.size; }
  uint32_t m() const { return shape_.m; }
  const GraphShape& shape() const { return shape_; }
  /// The links of a node on layer 0: 2 m of them, where unused ones at the end repeat the node
  /// itself.
  LinkList links(uint32_t node) const noexcept {
    return {layer0_ + size_t{node} * links_per_node() * 4, links_per_node()};
  }
  uint32_t links_per_node() const { return 2 * shape_.m; }
  uint32_t entry_point() const { return shape_.entry_point; }
  uint32_t top_level() const { return shape_.top_level; }

  /// Nodes above layer 0 have their own index, ascending with ordinals, which links above layer 0
  /// use.
  uint32_t upper_size() const { return upper_size_; }
  uint32_t upper_node(uint32_t index) const noexcept {
    return load<uint32_t>(upper_nodes_ + size_t{index} * 4);
  }
  /// The number of levels above layer 0 that the node is on.
  uint32_t upper_levels(uint32_t index) const noexcept { return levels_[index]; }
  /// The index of the entry point; valid if top_level() is above 0.
  uint32_t entry_index() const { return entry_index_; }
  /// The links on `level`, which is 1 .. upper_levels(index): m of them, padded with the node's own
  /// index.
  LinkList upper_links(uint32_t index, uint32_t level) const noexcept {
    return {upper_links_ + (size_t{first_row_[index]} + level - 1) * shape_.m * 4, shape_.m};
  }
  uint64_t bytes() const { return bytes_; }

 private:
  Status read(Bytes section, uint32_t size);
  Status read_head(ByteReader& in, uint32_t size);
  Status check_upper();
  Status find_entry();

  GraphShape shape_;
  uint32_t upper_size_ = 0;
  uint32_t entry_index_ = 0;
  const uint8_t* layer0_ = nullptr;
  const uint8_t* upper_nodes_ = nullptr;
  const uint8_t* levels_ = nullptr;
  const uint8_t* upper_links_ = nullptr;
  std::vector<uint32_t> first_row_;  // by upper node: its row for level 1
  uint64_t bytes_ = 0;
};

/// Writes the bytes of the section.
class HnswGraphWriter {
 public:
  /// `upper_nodes` ascend; `levels` (1 .. kMaxGraphLevel) has one entry for each of them.
  HnswGraphWriter(const GraphShape& shape, std::vector<uint32_t> upper_nodes,
                  std::vector<uint8_t> levels);
  /// Adds the links of a node on layer 0, at most 2 m. Nodes ascend, each exactly once, before any
  /// upper row.
  void add_row(uint32_t node, std::span<const uint32_t> links);
  /// Adds links above layer 0, at most m upper indexes. Rows are ordered by upper node, then by
  /// level.
  void add_upper_row(uint32_t index, std::span<const uint32_t> links);
  /// The writer must not be used afterwards.
  std::vector<uint8_t> finish() { return out_.take(); }

 private:
  void add_padded(std::span<const uint32_t> links, uint32_t width, uint32_t padding);

  GraphShape shape_;
  std::vector<uint32_t> upper_nodes_;
  std::vector<uint8_t> levels_;
  ByteWriter out_;
};

}  // namespace quarry
