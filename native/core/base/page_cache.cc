#include "base/page_cache.h"

#include <sys/mman.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace quarry {
namespace {

constexpr ptrdiff_t kWindowBytes = ptrdiff_t{8} << 20;

}  // namespace

void release_pages(Bytes mapped) noexcept {
  if (mapped.empty()) return;
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const uintptr_t before = reinterpret_cast<uintptr_t>(mapped.data()) % page;
  // Other data in the same page is loaded again when needed. It is not an error when the advice is
  // ignored.
  static_cast<void>(
      madvise(const_cast<uint8_t*>(mapped.data() - before), mapped.size() + before, MADV_DONTNEED));
}

void PagesBehind::read(Bytes part) noexcept {
  if (begin_ == nullptr) begin_ = end_ = part.data();
  if (end_ - begin_ > kWindowBytes) {
    release();
    begin_ = end_;
  }
  end_ = part.data() + part.size();
}

void PagesBehind::release() noexcept {
  if (mapped_ && begin_ != nullptr) release_pages(Bytes(begin_, end_));
}

void release_free_heap() noexcept {
#ifdef __GLIBC__
  static_cast<void>(malloc_trim(0));
#endif
}

}  // namespace quarry
