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

/// The links of one node, which may lie unaligned in a mapped file or an image in memory.
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

/// What a graph was built with and where a walk starts.
struct GraphShape {
  uint32_t size = 0;  // nodes
  uint32_t m = 0;
  uint32_t ef_construction = 0;
  uint32_t entry_point = 0;
  uint32_t top_level = 0;
  uint64_t seed = 0;
};

/// Immutable and thread-safe; the bytes must outlive it. They need no alignment, but rows of layer
/// 0 are whole cache lines only where the section starts at a multiple of 64.
class HnswGraph {
 public:
  /// Checks everything that a walk relies on (every link names a node of its level);
  /// ErrorType::kCorrupt otherwise.
  static Result<std::unique_ptr<const HnswGraph>> open(Bytes section, uint32_t size);

  uint32_t size() const { return shape_.size; }
  uint32_t m() const { return shape_.m; }
  const GraphShape& shape() const { return shape_; }
  /// Links of a node on layer 0: 2 m of them, the last ones repeat the node itself where it has
  /// fewer.
  LinkList links(uint32_t node) const noexcept {
    return {layer0_ + size_t{node} * links_per_node() * 4, links_per_node()};
  }
  uint32_t links_per_node() const { return 2 * shape_.m; }
  uint32_t entry_point() const { return shape_.entry_point; }
  uint32_t top_level() const { return shape_.top_level; }

  /// Nodes above layer 0 have an index of their own, ascending with ordinals; links above layer 0
  /// name it.
  uint32_t upper_size() const { return upper_size_; }
  uint32_t upper_node(uint32_t index) const noexcept {
    return load<uint32_t>(upper_nodes_ + size_t{index} * 4);
  }
  /// Levels above layer 0 that the node is on.
  uint32_t upper_levels(uint32_t index) const noexcept { return levels_[index]; }
  /// Of the entry point, where top_level() is above 0.
  uint32_t entry_index() const { return entry_index_; }
  /// Links on `level`, which is 1 .. upper_levels(index): m of them, padded with the node's own
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
  std::vector<uint32_t> first_row_;  // per upper node: its row of level 1
  uint64_t bytes_ = 0;
};

/// The section's bytes from the parts: the writing half of the format.
class HnswGraphWriter {
 public:
  /// `upper_nodes` ascending, `levels` (1 .. kMaxGraphLevel) beside them.
  HnswGraphWriter(const GraphShape& shape, std::vector<uint32_t> upper_nodes,
                  std::vector<uint8_t> levels);
  /// At most 2 m links of a node on layer 0. Nodes ascend, each exactly once, before any upper row.
  void add_row(uint32_t node, std::span<const uint32_t> links);
  /// At most m upper indices: rows by upper node, within it by level.
  void add_upper_row(uint32_t index, std::span<const uint32_t> links);
  /// The writer is spent.
  std::vector<uint8_t> finish() { return out_.take(); }

 private:
  void add_padded(std::span<const uint32_t> links, uint32_t width, uint32_t padding);

  GraphShape shape_;
  std::vector<uint32_t> upper_nodes_;
  std::vector<uint8_t> levels_;
  ByteWriter out_;
};

}  // namespace quarry
