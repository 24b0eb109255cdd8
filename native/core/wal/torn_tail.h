// Distinguishes the torn end of the log after a crash from damage to a frame that was written
// completely.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/coding.h"

namespace quarry {

/// Whether a crash can have left this tail. `tail`: the file from an invalid frame on, which starts
/// at `offset` of the file. Parts that did not reach the disk are zeros there, because files are
/// preallocated and never overwritten: whole sectors in any order, or everything from some byte on.
/// A frame with a plausible header and no such gap was written completely, and is damaged. `seed`:
/// frame_seed() of its position.
bool may_be_torn(Bytes tail, size_t offset, uint32_t seed);

}  // namespace quarry
