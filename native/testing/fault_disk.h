// A disk in memory that records which state is durable: the content of a file at its last sync, the
// names of a folder at the sync of that folder. It injects no faults; these are decided by
// fault_file_system.h.
//
// A power cut keeps any part of what was not synced: blocks of a file (512 bytes or 4 KiB) in any
// order, its old or its new length, and any of the changes of names that do not depend on a lost
// one. A rename is atomic.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/coding.h"
#include "base/random.h"

namespace quarry::testing {

struct DiskNode;
using DiskNodePtr = std::shared_ptr<DiskNode>;

/// A file or a folder. Not thread-safe.
struct DiskNode {
  static constexpr size_t kSector = 512;
  using Sector = std::array<uint8_t, kSector>;
  using Sectors = std::map<size_t, Sector>;
  struct NameChange {
    std::string from;  // removed, unless empty
    std::string to;    // added, unless empty; a rename has both
    DiskNodePtr node;  // the node at `to`
  };

  bool folder = false;

  // For files.
  std::vector<uint8_t> bytes;  // including reserved space
  size_t written = 0;
  size_t durable_size = 0;
  Sectors old;  // durable content of the sectors written since the last sync
  // The same for sectors whose sync failed: only a new write and sync makes them durable.
  Sectors lost;

  // For folders.
  std::map<std::string, DiskNodePtr> names;
  std::map<std::string, DiskNodePtr> durable_names;
  std::vector<NameChange> pending;
  bool broken = false;  // a sync failed: later syncs report success and do nothing

  /// Overwrites or extends the file; `bytes` grows as needed.
  void write(size_t at, Bytes content);
  void resize(size_t size) { bytes.resize(size, 0); }
  void sync();
  /// A sync that fails: none of the pending changes is durable from now on.
  void fail_sync();
  void change(NameChange change);
  uint64_t used() const;
  /// Restarts the system without a power cut: what failed to sync can be synced again.
  void heal();
  /// The state after a power cut.
  DiskNodePtr after_power_cut(Random& random) const;

 private:
  void keep_old(size_t sector);
  std::map<std::string, DiskNodePtr> surviving_names(Random& random) const;
  std::vector<uint8_t> surviving_bytes(Random& random) const;
};

}  // namespace quarry::testing
