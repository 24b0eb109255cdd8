// UUIDs as text (RFC 9562, lower case, 36 characters) and as 16 bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace quarry {

constexpr size_t kUuidBytes = 16;
constexpr size_t kUuidLength = 36;

/// False when `text` is not exactly what print_uuid() writes; then `bytes` (16) is not to be used.
bool parse_uuid(std::string_view text, uint8_t* bytes) noexcept;

/// Writes 36 characters.
void print_uuid(const uint8_t* bytes, char* text) noexcept;

}  // namespace quarry
