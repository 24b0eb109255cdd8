// Merges the stored sources of segments: blocks are copied where they are as this merge would write them, documents otherwise.
#pragma once

#include <span>

#include "base/status.h"
#include "segment/field_merger.h"
#include "segment/segment_writer.h"
#include "store/stored_source.h"

namespace quarry {

/// `packed`: in the fewest bytes (store/packed_source.h), else as a young segment has them. Blocks go to the sink of `segment`
/// where it has one, so its fields come first.
Result<StoredSections> merge_stored(std::span<const MergeSource> sources, bool packed, SegmentWriter& segment,
                                    const MergeAbort& abort);

}  // namespace quarry
