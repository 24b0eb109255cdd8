// What the writer and the reader of a column section share; the format is described in
// column_writer.cc.
#pragma once

#include <cstddef>
#include <cstdint>

namespace quarry::column_format {

inline constexpr uint32_t kMagic = 0x4c4f4351;  // "QCOL"
inline constexpr uint16_t kVersion = 1;
inline constexpr uint16_t kMultiValued = 1;  // flags
inline constexpr uint16_t kSlotPerDoc = 2;
inline constexpr size_t kHeaderBytes = 64;
inline constexpr size_t kAlignment = 16;

/// Zeros behind the codes, so that each of them can be read as eight bytes.
inline constexpr size_t kCodePadding = 8;

/// Which documents have a value.
enum class Presence : uint8_t { kAll = 0, kBits = 1, kList = 2 };

/// Fewer than one document in this many: a list is smaller than bits with ranks.
inline constexpr uint32_t kListBelow = 32;

}  // namespace quarry::column_format
