// CRC-32C (Castagnoli, RFC 3720 appendix B.4): the checksum of every log record and file section.
#pragma once

#include <cstdint>

#include "base/coding.h"

namespace quarry {

/// CRC-32C of `bytes`, continuing from `seed` (0 to start). Uses the hardware instruction if the
/// CPU has it.
uint32_t crc32c(Bytes bytes, uint32_t seed = 0) noexcept;

/// The table-driven version, which is the reference in tests of the instruction.
uint32_t crc32c_scalar(Bytes bytes, uint32_t seed = 0) noexcept;

}  // namespace quarry
