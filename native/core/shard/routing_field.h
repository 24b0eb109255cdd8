// The routing that a document was written with, stored in the internal keyword field "_routing".
#pragma once

#include <cstdint>
#include <string>

#include "segment/segment.h"

namespace quarry {

/// Empty when the document was routed by its id. `doc` < segment.max_doc().
std::string routing_of(const Segment& segment, uint32_t doc);

}  // namespace quarry
