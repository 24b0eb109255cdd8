#include "base/page_cache.h"

#include <sys/mman.h>

namespace quarry {

void release_pages(Bytes mapped) noexcept {
  if (mapped.empty()) return;
  // A mapping starts at a page. That the advice is not taken is no error.
  static_cast<void>(
      madvise(const_cast<uint8_t*>(mapped.data()), mapped.size(), MADV_DONTNEED));
}

}  // namespace quarry
