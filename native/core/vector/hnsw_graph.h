// A navigable small world graph over a segment's vector ordinals, read from its section (Malkov & Yashunin 2018).
// The format is described in hnsw_graph.cc.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/coding.h"
#include "base/status.h"

namespace quarry {

/// Immutable and thread-safe; the bytes must outlive it.
class HnswGraph {
 public:
  /// Checks everything that a walk relies on (every link names a node of its level); ErrorType::kCorrupt otherwise.
  static Result<std::unique_ptr<const HnswGraph>> open(Bytes section, uint32_t size);

  uint32_t size() const { return size_; }
  uint32_t m() const { return m_; }
  /// Links of a node on layer 0: 2 m of them, the last ones repeat the node itself where it has fewer.
  const uint32_t* links(uint32_t node) const noexcept { return layer0_ + static_cast<size_t>(node) * 2 * m_; }
  uint32_t links_per_node() const { return 2 * m_; }
  uint32_t entry_point() const { return entry_point_; }
  uint32_t top_level() const { return top_level_; }
  /// Links on `level` >= 1 of a node that is there; empty otherwise.
  std::span<const uint32_t> upper_links(uint32_t node, uint32_t level) const noexcept;
  uint64_t bytes() const { return bytes_; }

 private:
  uint32_t size_ = 0;
  uint32_t m_ = 0;
  uint32_t entry_point_ = 0;
  uint32_t top_level_ = 0;
  const uint32_t* layer0_ = nullptr;
  std::vector<uint32_t> upper_nodes_;              // ascending, nodes above layer 0
  std::vector<std::vector<uint64_t>> upper_begin_;  // per such node, per level: where its links start
  Bytes upper_;
  uint64_t bytes_ = 0;
};

}  // namespace quarry
