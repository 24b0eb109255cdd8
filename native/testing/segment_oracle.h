// The expected content of a segment, computed naively from the documents, and its comparison
// through all readers.
#pragma once

#include <vector>

#include "segment/segment.h"
#include "testing/test_documents.h"

namespace quarry::testing {

/// Records a test failure for every difference between `segment` and the segment that `documents`
/// must result in.
void expect_segment_holds(const Segment& segment, const std::vector<TestDocument>& documents);

/// Builds and opens a segment; records a failure and returns null on an error. `dead` lists slots
/// to leave out.
std::shared_ptr<const Segment> build_segment(const std::vector<TestDocument>& documents,
                                             const std::vector<uint32_t>& dead = {});

}  // namespace quarry::testing
