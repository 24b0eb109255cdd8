// Snapshots held for a point in time or a scroll, by generation, with a count of holds. A held
// snapshot remains after its retention time, until its last hold is released or the shard is
// closed.
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "shard/snapshot.h"

namespace quarry {

/// Not thread-safe.
class HeldSnapshots {
 public:
  /// The additional heap that holding `snapshot` would keep: segments in memory and live sets that
  /// no held snapshot has yet.
  uint64_t added_bytes(const ShardSnapshot& snapshot) const;
  void add(std::shared_ptr<const ShardSnapshot> snapshot);
  /// Releases one hold; does nothing when the generation is not held.
  void release(uint64_t generation);
  /// Null when it is not held.
  std::shared_ptr<const ShardSnapshot> find(uint64_t generation) const;
  bool empty() const { return held_.empty(); }
  /// Heap kept by held snapshots, including parts that the shard itself still uses.
  uint64_t heap_bytes() const { return heap_bytes_; }

 private:
  struct Held {
    std::shared_ptr<const ShardSnapshot> snapshot;
    uint32_t count = 0;
  };
  void add_parts(const ShardSnapshot& snapshot);
  void remove_parts(const ShardSnapshot& snapshot);

  std::map<uint64_t, Held> held_;
  // For each segment in memory and live set: the number of held generations that contain it.
  std::map<const void*, uint32_t> holders_;
  uint64_t heap_bytes_ = 0;
};

}  // namespace quarry
