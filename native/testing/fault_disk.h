// A disk in memory that knows what is durable: the content of a file since its last sync, the names of a folder since
// the sync of that folder. It fails nobody and asks nobody; fault_file_system.h decides what goes wrong.
//
// A power cut keeps any part of what was not synced: blocks of a file (512 bytes or 4 KiB) in any order, its old or its
// new length, and any of the changes of names that do not build on one that is lost. A rename happens or not.
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
    std::string from;  // gone, unless empty
    std::string to;    // there, unless empty; a rename has both
    DiskNodePtr node;  // at `to`
  };

  bool folder = false;

  // Of a file.
  std::vector<uint8_t> bytes;  // reserved space included
  size_t written = 0;
  size_t durable_size = 0;
  Sectors old;   // what the sectors that were written since the last sync hold on the disk
  Sectors lost;  // the same of those whose sync failed: no later sync brings them there, only a new write

  // Of a folder.
  std::map<std::string, DiskNodePtr> names;
  std::map<std::string, DiskNodePtr> durable_names;
  std::vector<NameChange> pending;
  bool broken = false;  // its sync failed: those that follow say yes and do nothing

  /// Overwrites or extends; `bytes` grows as needed.
  void write(size_t at, Bytes content);
  void resize(size_t size) { bytes.resize(size, 0); }
  void sync();
  /// The sync that fails: nothing of what waited for it can be relied on from now on.
  void fail_sync();
  void change(NameChange change);
  uint64_t used() const;
  /// A restart of the system's view without a power cut: what failed to sync is written like anything else.
  void heal();
  /// What is there after a power cut.
  DiskNodePtr after_power_cut(Random& random) const;

 private:
  void keep_old(size_t sector);
  std::map<std::string, DiskNodePtr> surviving_names(Random& random) const;
  std::vector<uint8_t> surviving_bytes(Random& random) const;
};

}  // namespace quarry::testing
