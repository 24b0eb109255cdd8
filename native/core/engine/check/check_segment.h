// Checks the content of one segment whose checksums are right for faults that checksums cannot
// show: inconsistent counts, orders and references.
#pragma once

#include <string>

#include "engine/check/findings.h"
#include "segment/segment.h"

namespace quarry {

/// `base`: path of the files without their endings, for the findings; `index`: name for the
/// consequences. `vectors_reported`: the damage of the vectors file has already been reported.
void check_segment(const Segment& segment, const std::string& base, const std::string& index,
                   bool vectors_reported, Findings& findings);

}  // namespace quarry
