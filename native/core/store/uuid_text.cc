#include "store/uuid_text.h"

namespace quarry {
namespace {

constexpr char kUuidDigits[] = "0123456789abcdef";

/// A hyphen stands before the bytes 4, 6, 8 and 10.
constexpr bool is_hyphenated(size_t byte) { return byte >= 4 && byte <= 10 && byte % 2 == 0; }

/// 16 for what is no lower-case digit.
constexpr uint8_t uuid_digit(char digit) {
  if (digit >= '0' && digit <= '9') return static_cast<uint8_t>(digit - '0');
  if (digit >= 'a' && digit <= 'f') return static_cast<uint8_t>(digit - 'a' + 10);
  return 16;
}

}  // namespace

bool parse_uuid(std::string_view text, uint8_t* bytes) noexcept {
  if (text.size() != kUuidLength) return false;
  size_t at = 0;
  for (size_t i = 0; i < kUuidBytes; i++) {
    if (is_hyphenated(i) && text[at++] != '-') return false;
    const uint8_t high = uuid_digit(text[at++]);
    const uint8_t low = uuid_digit(text[at++]);
    if (high > 15 || low > 15) return false;
    bytes[i] = static_cast<uint8_t>(high << 4 | low);
  }
  return true;
}

void print_uuid(const uint8_t* bytes, char* text) noexcept {
  for (size_t i = 0; i < kUuidBytes; i++) {
    if (is_hyphenated(i)) *text++ = '-';
    *text++ = kUuidDigits[bytes[i] >> 4];
    *text++ = kUuidDigits[bytes[i] & 15];
  }
}

}  // namespace quarry
