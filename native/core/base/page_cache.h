// What the system should do with the pages of mapped files.
#pragma once

#include "base/coding.h"

namespace quarry {

/// Pages of a file mapping that were read once, from front to back, leave the process's memory. They stay
/// in the system's page cache, and come back when they are touched. `mapped` is a whole read-only
/// mapping of a file, nothing else: the pages of other memory would be lost.
void release_pages(Bytes mapped) noexcept;

}  // namespace quarry
