// Mapped files that can be read no more: cut by somebody while they are in use, or on a disk that fails. The system sends
// SIGBUS to whoever touches such a page, which would end the process, and every index in it.
//
// With the handler installed the reader sees zeros instead, from that page to the end of the mapping, and the mapping is
// marked. Zeros are no answer: whoever has read a mapping looks at the mark before anything read is shown, written or built
// on. Readers stay in bounds whatever they read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/coding.h"
#include "base/status.h"

namespace quarry {

/// A mapping that the handler knows. Not copyable: its place in the table is its own. Thread-safe.
class WatchedMap {
 public:
  /// `path`: of the file, for the error.
  WatchedMap(const void* begin, size_t size, std::string path);
  /// Before the memory is unmapped.
  ~WatchedMap();
  WatchedMap(const WatchedMap&) = delete;
  WatchedMap& operator=(const WatchedMap&) = delete;
 private:
  const std::string path_;
  size_t place_;
};

/// Ok, or ErrorType::kCorrupt with file and offset: the mapping that these bytes are part of could not be read somewhere, and
/// has zeros there. To be asked after reading, while the mapping is still there. Of memory that is no file: Ok.
Status sound_map(Bytes mapped);
/// The error for a mapping whose content shows that it was cut: within a page the system puts zeros without a signal.
Status cut_map(Bytes mapped);

/// How often a mapping could not be read since the process began. While it is 0 nothing needs to be asked.
uint64_t map_fault_count();

/// Handles SIGBUS of watched mappings from now on; any other goes to whoever handled it before. Once for a process, which is
/// for its owner to decide: the core alone installs nothing.
Status catch_map_faults();

}  // namespace quarry
