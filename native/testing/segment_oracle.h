// What a segment must hold, worked out from the documents the slow way, and the comparison through
// all its readers.
#pragma once

#include <vector>

#include "segment/segment.h"
#include "testing/test_documents.h"

namespace quarry::testing {

/// Records a test failure for everything that `segment` holds otherwise than a segment of
/// `documents` must.
void expect_segment_holds(const Segment& segment, const std::vector<TestDocument>& documents);

/// Builds and opens; records a failure and returns null when that fails. `dead`: slots to leave
/// out.
std::shared_ptr<const Segment> build_segment(const std::vector<TestDocument>& documents,
                                             const std::vector<uint32_t>& dead = {});

}  // namespace quarry::testing
