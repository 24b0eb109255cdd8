// UTF-8: decoding, encoding, validation, lengths in code points and UTF-16 units.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace quarry {

/// The result of decoding a malformed byte (U+FFFD, one byte long).
constexpr uint32_t kReplacementChar = 0xFFFD;

struct CodePoint {
  uint32_t value;
  uint32_t bytes;  // 1..4; 1 for a malformed byte
};

/// Decodes the sequence at `at` (< text.size()), whose first byte is not ASCII. Overlong forms,
/// surrogates and truncated sequences are malformed.
CodePoint decode_multibyte(std::string_view text, size_t at) noexcept;

/// Decodes the code point at `at` (< text.size()); never reads past the end.
inline CodePoint decode_utf8(std::string_view text, size_t at) noexcept {
  const auto byte = static_cast<unsigned char>(text[at]);
  return byte < 0x80 ? CodePoint{byte, 1} : decode_multibyte(text, at);
}

/// Decodes the code point that ends just before `at` (0 < at <= text.size()).
CodePoint decode_before(std::string_view text, size_t at) noexcept;

/// Writes 1 to 4 bytes to `out` and returns their number. Surrogates and values above U+10FFFF
/// become U+FFFD.
size_t encode_utf8(uint32_t code_point, char* out) noexcept;
void append_utf8(std::string& out, uint32_t code_point);

/// Replaces `out` with the code points of `text`; malformed bytes become U+FFFD.
void decode_word(std::string_view text, std::u32string& out);
/// Replaces `out` with the UTF-8 form of `word`.
void encode_word(std::u32string_view word, std::string& out);

bool is_valid_utf8(std::string_view text) noexcept;
bool is_ascii(std::string_view text) noexcept;

size_t code_point_count(std::string_view text) noexcept;
/// The length of the text in UTF-16 units (in which Java and JavaScript count offsets and lengths).
size_t utf16_length(std::string_view text) noexcept;
/// The longest prefix of at most `units` UTF-16 units that does not split a code point.
std::string_view utf16_prefix(std::string_view text, size_t units) noexcept;

}  // namespace quarry
