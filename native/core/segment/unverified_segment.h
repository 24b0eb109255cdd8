// A segment whose files are damaged, as far as it still reads: for salvage, which weighs each document by itself.
#pragma once

#include <memory>

#include "segment/segment.h"

namespace quarry {

/// As Segment::open(), but no checksum is looked at: what is read may be wrong, and is never out of bounds. An error where
/// the structure itself is broken.
Result<std::shared_ptr<const Segment>> open_unverified_segment(std::shared_ptr<ByteSource> data,
                                                               std::shared_ptr<ByteSource> sidx,
                                                               std::shared_ptr<ByteSource> ids);

}  // namespace quarry
