// Constants of the column section, shared by writer and reader; the format is described in
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

/// Zero bytes after the codes, so that each code can be read as eight bytes.
inline constexpr size_t kCodePadding = 8;

/// The representation of the set of documents with a value.
enum class Presence : uint8_t { kAll = 0, kBits = 1, kList = 2 };

/// If fewer than one document in this many has a value, a list is smaller than bits with ranks.
inline constexpr uint32_t kListBelow = 32;

}  // namespace quarry::column_format
