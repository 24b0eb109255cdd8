// Returns memory to the system that is not needed at present: pages of mapped files, and freed
// heap.
#pragma once

#include <cstdint>

#include "base/coding.h"

namespace quarry {

/// Removes pages of a file mapping from the memory of the process, after they were read
/// sequentially. They stay in the system's page cache, and are loaded again when accessed. `mapped`
/// must be part of a read-only mapping of a file: the content of other memory would be lost.
void release_pages(Bytes mapped) noexcept;

/// Follows a sequential reader of a mapping, and releases the pages that were read.
class PagesBehind {
 public:
  /// Releases nothing when `mapped` is false.
  explicit PagesBehind(bool mapped) : mapped_(mapped) {}
  ~PagesBehind() { release(); }
  PagesBehind(const PagesBehind&) = delete;
  PagesBehind& operator=(const PagesBehind&) = delete;
  /// To be called with the part that is read next. It must be after the parts read before, possibly
  /// with a gap.
  void read(Bytes part) noexcept;

 private:
  void release() noexcept;

  bool mapped_;
  const uint8_t* begin_ = nullptr;
  const uint8_t* end_ = nullptr;
};

/// Returns free heap to the system. An allocator keeps memory freed by a large job, spread over the
/// arenas of all threads that took part; after loading vectors this can be more than all memory in
/// use. Takes some milliseconds.
void release_free_heap() noexcept;
/// Jobs on fewer bytes leave too little free heap for release_free_heap() to pay off.
inline constexpr uint64_t kWorthReleasing = uint64_t{16} << 20;

}  // namespace quarry
