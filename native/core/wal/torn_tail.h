// How the end of the log after a crash is told from damage to a frame that was written whole.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/coding.h"

namespace quarry {

/// `tail`: the file from a frame on that is not valid, at `offset` of the file. True when a crash can have left it so. What
/// an append had not yet brought to the disk is zeros there, since files are reserved ahead and never written twice: whole
/// sectors in any order, or everything from some byte on. A frame that starts as one and lacks nothing was written whole,
/// and is damaged. `seed`: frame_seed() of its place.
bool may_be_torn(Bytes tail, size_t offset, uint32_t seed);

}  // namespace quarry
