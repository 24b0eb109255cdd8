// Merges the stored sources of segments. Blocks that are already in the format of the result are
// copied; other documents are written again.
#pragma once

#include "base/status.h"
#include "segment/field_merger.h"
#include "segment/segment_writer.h"
#include "store/stored_source.h"

namespace quarry {

/// `packed`: write the compact format (store/packed_source.h) instead of that of a flush. Blocks
/// are passed to the sink of `segment` if it has one, so its fields must be added before.
Result<StoredSections> merge_stored(const MergePlan& plan, bool packed, SegmentWriter& segment,
                                    const MergeAbort& abort);

}  // namespace quarry
