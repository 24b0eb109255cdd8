// Handles mapped files that become unreadable: cut by another process while in use, or on a failing
// disk. The system sends SIGBUS to a thread that reads such a page, which would end the process.
//
// With the handler installed, the reader sees zeros instead, from that page to the end of the
// mapping, and the mapping is marked. Results computed from these zeros are invalid: every reader
// of a mapping must check the mark after reading, before the result is returned, written or used.
// Readers must stay in bounds for any content.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/coding.h"
#include "base/status.h"

namespace quarry {

/// A mapping that is registered with the handler. Not copyable, as it owns its place in the table.
/// Thread-safe.
class WatchedMap {
 public:
  /// `path`: the file's path, for the error message.
  WatchedMap(const void* begin, size_t size, std::string path);
  /// Must run before the memory is unmapped.
  ~WatchedMap();
  WatchedMap(const WatchedMap&) = delete;
  WatchedMap& operator=(const WatchedMap&) = delete;

 private:
  const std::string path_;
  size_t place_;
};

/// Ok, or ErrorType::kCorrupt with file and offset: a part of the mapping that contains these bytes
/// could not be read and has been replaced by zeros. To be called after reading, while the mapping
/// still exists. Ok for memory that is not a mapping.
Status sound_map(Bytes mapped);
/// The error for a mapping whose content shows that the file was cut: within the last page the
/// system reads zeros without a signal.
Status cut_map(Bytes mapped);

/// The number of failed reads of mappings since the process began. While it is 0, all mappings are
/// sound.
uint64_t map_fault_count();

/// Installs the SIGBUS handler for registered mappings; signals at other addresses are passed to
/// the previous handler. Once per process, by the owner of the process: the core never installs it
/// by itself.
Status catch_map_faults();

}  // namespace quarry
