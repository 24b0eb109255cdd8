// Goes through everything in one segment whose checksums are right, and looks for what they cannot show: counts, orders and
// references that do not hold.
#pragma once

#include <string>

#include "engine/check/findings.h"
#include "segment/segment.h"

namespace quarry {

/// `base`: path of the files without their endings, for the findings; `index`: name for the consequences.
/// `vectors_reported`: what is wrong with its vectors file has been said.
void check_segment(const Segment& segment, const std::string& base, const std::string& index,
                   bool vectors_reported, Findings& findings);

}  // namespace quarry
