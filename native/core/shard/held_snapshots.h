// Snapshots that a caller holds on to (a point in time, a scroll), by generation, each as often as it was asked for. They
// outlive their time among the replaced ones, until they are let go of or the shard is closed.
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "shard/snapshot.h"

namespace quarry {

/// Not thread-safe.
class HeldSnapshots {
 public:
  /// Heap that holding it would keep and that nothing held does yet: segments in memory, sets of live documents.
  uint64_t added_bytes(const ShardSnapshot& snapshot) const;
  void hold(std::shared_ptr<const ShardSnapshot> snapshot);
  /// Takes one hold back; nothing where there is none.
  void let_go(uint64_t generation);
  /// Null when it is not held.
  std::shared_ptr<const ShardSnapshot> find(uint64_t generation) const;
  bool empty() const { return held_.empty(); }
  /// Heap that is held, as if the shard itself held none of it.
  uint64_t heap_bytes() const { return heap_bytes_; }

 private:
  struct Held {
    std::shared_ptr<const ShardSnapshot> snapshot;
    uint32_t count = 0;
  };
  void add_parts(const ShardSnapshot& snapshot);
  void remove_parts(const ShardSnapshot& snapshot);

  std::map<uint64_t, Held> held_;
  std::map<const void*, uint32_t> holders_;  // of a segment in memory or a live set: held generations that have it
  uint64_t heap_bytes_ = 0;
};

}  // namespace quarry
