// Opens a segment with damaged files as far as it can be read. For salvage, which checks each
// document separately.
#pragma once

#include <memory>

#include "segment/segment.h"

namespace quarry {

/// As Segment::open(), but without verifying checksums: the content may be wrong, but reads never
/// go out of bounds. Returns an error when the structure itself is broken.
Result<std::shared_ptr<const Segment>> open_unverified_segment(std::shared_ptr<ByteSource> data,
                                                               std::shared_ptr<ByteSource> sidx,
                                                               std::shared_ptr<ByteSource> ids);

}  // namespace quarry
