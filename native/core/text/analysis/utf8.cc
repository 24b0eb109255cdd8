// UTF-8 decoding and counting. Each malformed byte counts as one U+FFFD, so every loop advances.
#include "text/analysis/utf8.h"

#include <cstring>

namespace quarry {
namespace {

constexpr CodePoint kMalformed{kReplacementChar, 1};

bool continuation(std::string_view text, size_t at, uint32_t& bits) noexcept {
  if (at >= text.size()) return false;
  const auto byte = static_cast<unsigned char>(text[at]);
  if ((byte & 0xC0U) != 0x80U) return false;
  bits = (bits << 6U) | (byte & 0x3FU);
  return true;
}

}  // namespace

CodePoint decode_multibyte(std::string_view text, size_t at) noexcept {
  const auto lead = static_cast<unsigned char>(text[at]);
  if (lead < 0xC2 || lead > 0xF4) return kMalformed;
  uint32_t value = 0;
  if (lead < 0xE0) {
    value = lead & 0x1FU;
    return continuation(text, at + 1, value) ? CodePoint{value, 2} : kMalformed;
  }
  if (lead < 0xF0) {
    value = lead & 0x0FU;
    if (!continuation(text, at + 1, value) || !continuation(text, at + 2, value)) return kMalformed;
    const bool bad = value < 0x800 || (value >= 0xD800 && value <= 0xDFFF);
    return bad ? kMalformed : CodePoint{value, 3};
  }
  value = lead & 0x07U;
  if (!continuation(text, at + 1, value) || !continuation(text, at + 2, value) ||
      !continuation(text, at + 3, value)) {
    return kMalformed;
  }
  return value < 0x10000 || value > 0x10FFFF ? kMalformed : CodePoint{value, 4};
}

CodePoint decode_before(std::string_view text, size_t at) noexcept {
  for (size_t back = 1; back <= 4 && back <= at; ++back) {
    const auto byte = static_cast<unsigned char>(text[at - back]);
    if ((byte & 0xC0U) == 0x80U) continue;
    const CodePoint found = decode_utf8(text, at - back);
    return found.bytes == back ? found : kMalformed;
  }
  return kMalformed;
}

size_t encode_utf8(uint32_t code_point, char* out) noexcept {
  uint32_t cp = code_point;
  if (cp > 0x10FFFF || (cp >= 0xD800 && cp <= 0xDFFF)) cp = kReplacementChar;
  if (cp < 0x80) {
    out[0] = static_cast<char>(cp);
    return 1;
  }
  const auto tail = [cp](unsigned shift) {
    return static_cast<char>(0x80U | ((cp >> shift) & 0x3FU));
  };
  if (cp < 0x800) {
    out[0] = static_cast<char>(0xC0U | (cp >> 6U));
    out[1] = tail(0);
    return 2;
  }
  if (cp < 0x10000) {
    out[0] = static_cast<char>(0xE0U | (cp >> 12U));
    out[1] = tail(6);
    out[2] = tail(0);
    return 3;
  }
  out[0] = static_cast<char>(0xF0U | (cp >> 18U));
  out[1] = tail(12);
  out[2] = tail(6);
  out[3] = tail(0);
  return 4;
}

void append_utf8(std::string& out, uint32_t code_point) {
  char bytes[4];
  out.append(bytes, encode_utf8(code_point, bytes));
}

bool is_ascii(std::string_view text) noexcept {
  size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) {
    uint64_t word = 0;
    std::memcpy(&word, text.data() + at, 8);
    if ((word & 0x8080808080808080ULL) != 0) return false;
  }
  for (; at < text.size(); ++at) {
    if (static_cast<unsigned char>(text[at]) >= 0x80) return false;
  }
  return true;
}

void decode_word(std::string_view text, std::u32string& out) {
  out.clear();
  for (size_t at = 0; at < text.size();) {
    const CodePoint next = decode_utf8(text, at);
    out += static_cast<char32_t>(next.value);
    at += next.bytes;
  }
}

void encode_word(std::u32string_view word, std::string& out) {
  out.clear();
  for (const char32_t letter : word) append_utf8(out, letter);
}

bool is_valid_utf8(std::string_view text) noexcept {
  for (size_t at = 0; at < text.size();) {
    const CodePoint cp = decode_utf8(text, at);
    if (cp.value == kReplacementChar && cp.bytes == 1) return false;
    at += cp.bytes;
  }
  return true;
}

size_t code_point_count(std::string_view text) noexcept {
  size_t count = 0;
  for (size_t at = 0; at < text.size(); ++count) at += decode_utf8(text, at).bytes;
  return count;
}

size_t utf16_length(std::string_view text) noexcept {
  size_t units = 0;
  for (size_t at = 0; at < text.size();) {
    const CodePoint cp = decode_utf8(text, at);
    units += cp.value > 0xFFFF ? 2 : 1;
    at += cp.bytes;
  }
  return units;
}

std::string_view utf16_prefix(std::string_view text, size_t units) noexcept {
  if (text.size() <= units) return text;
  size_t used = 0;
  size_t at = 0;
  while (at < text.size()) {
    const CodePoint cp = decode_utf8(text, at);
    used += cp.value > 0xFFFF ? 2 : 1;
    if (used > units) break;
    at += cp.bytes;
  }
  return text.substr(0, at);
}

}  // namespace quarry
