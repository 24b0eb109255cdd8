// What the system should do with memory that is not needed just now: pages of mapped files, and heap that was freed.
#pragma once

#include <cstdint>

#include "base/coding.h"

namespace quarry {

/// Pages of a file mapping that were read once, from front to back, leave the process's memory. They stay
/// in the system's page cache, and come back when they are touched. `mapped` is part of a read-only
/// mapping of a file, nothing else: the pages of other memory would be lost.
void release_pages(Bytes mapped) noexcept;

/// Follows a reader through a mapping from front to back, and releases what lies behind it.
class PagesBehind {
 public:
  /// Of memory that is not `mapped` nothing is released.
  explicit PagesBehind(bool mapped) : mapped_(mapped) {}
  ~PagesBehind() { release(); }
  PagesBehind(const PagesBehind&) = delete;
  PagesBehind& operator=(const PagesBehind&) = delete;
  /// `part` is read next. It follows what was read before, if not directly.
  void read(Bytes part) noexcept;

 private:
  void release() noexcept;

  bool mapped_;
  const uint8_t* begin_ = nullptr;
  const uint8_t* end_ = nullptr;
};

/// Free memory goes back to the system. An allocator keeps what a large job freed, spread over the arenas of all threads
/// that took part in it: after loading vectors that is more than everything in use. Takes some milliseconds.
void release_free_heap() noexcept;
/// Jobs on fewer bytes leave too little behind.
inline constexpr uint64_t kWorthReleasing = uint64_t{16} << 20;

}  // namespace quarry
