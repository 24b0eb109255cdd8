// The standard tokenizer's loop: ASCII words by a byte table in one pass, everything else by
// scan_word.
#include "text/standard_tokenizer.h"

#include <array>
#include <cstring>

#include "text/unicode.h"
#include "text/utf8.h"

namespace quarry {
namespace {

// Bits of kByteKinds. A byte with none of them separates words.
constexpr uint8_t kLower = 1;
constexpr uint8_t kUpper = 2;
constexpr uint8_t kDigit = 4;
constexpr uint8_t kConnector = 8;
constexpr uint8_t kMulti = 16;    // first or later byte of a multi-byte character
constexpr uint8_t kMidWord = 32;  // . ' : between letters
constexpr uint8_t kMidNum = 64;   // . ' , ; between digits
constexpr uint8_t kKeycap = 128;  // # * may start a keycap emoji
constexpr uint8_t kLetter = kLower | kUpper;
constexpr uint8_t kWord = kLetter | kDigit | kConnector;

constexpr std::array<uint8_t, 256> byte_kinds() {
  std::array<uint8_t, 256> kinds{};
  for (size_t c = 'a'; c <= 'z'; ++c) kinds[c] = kLower;
  for (size_t c = 'A'; c <= 'Z'; ++c) kinds[c] = kUpper;
  for (size_t c = '0'; c <= '9'; ++c) kinds[c] = kDigit;
  for (size_t c = 0x80; c <= 0xFF; ++c) kinds[c] = kMulti;
  kinds['_'] = kConnector;
  kinds['.'] = kinds['\''] = kMidWord | kMidNum;
  kinds[':'] = kMidWord;
  kinds[','] = kinds[';'] = kMidNum;
  kinds['#'] = kinds['*'] = kKeycap;
  return kinds;
}
constexpr auto kByteKinds = byte_kinds();

uint8_t kind_at(std::string_view text, size_t at) noexcept {
  return at < text.size() ? kByteKinds[static_cast<unsigned char>(text[at])] : uint8_t{0};
}

/// A word of ASCII bytes; `kinds` collects the kinds seen.
struct AsciiWord {
  size_t end;
  uint8_t kinds;
};

/// Stops before the first byte that is not part of the word; that byte may still be multi-byte
/// text, for the caller to notice.
AsciiWord scan_ascii(std::string_view text, size_t start) noexcept {
  size_t at = start;
  uint8_t seen = 0;
  for (;;) {
    uint8_t last = 0;
    uint8_t kind = kind_at(text, at);
    while ((kind & kWord) != 0) {
      seen |= kind;
      last = kind;
      kind = kind_at(text, ++at);
    }
    const uint8_t after = kind_at(text, at + 1);
    const bool letters = (kind & kMidWord) != 0 && (last & kLetter) != 0 && (after & kLetter) != 0;
    const bool digits = (kind & kMidNum) != 0 && (last & kDigit) != 0 && (after & kDigit) != 0;
    if (!letters && !digits) return {at, seen};
    ++at;
  }
}

/// Does a multi-byte character follow directly, or behind a character that could bridge to it?
bool touches_multibyte(std::string_view text, size_t end) noexcept {
  const uint8_t next = kind_at(text, end);
  if ((next & kMulti) != 0) return true;
  return (next & (kMidWord | kMidNum)) != 0 && (kind_at(text, end + 1) & kMulti) != 0;
}

std::string_view lower_ascii(std::string_view text, Arena& arena) {
  char* out = arena.allocate(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    out[i] = static_cast<char>(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
  }
  return {out, text.size()};
}

}  // namespace

std::string_view lower_into(std::string_view text, Arena& arena) {
  size_t at = 0;
  for (; at < text.size(); ++at) {
    const uint8_t kind = kByteKinds[static_cast<unsigned char>(text[at])];
    if ((kind & (kUpper | kMulti)) != 0) break;
  }
  if (at == text.size()) return text;
  if (is_ascii(text.substr(at))) return lower_ascii(text, arena);
  bool same = true;
  size_t bytes = 0;
  char encoded[4];
  for (size_t i = 0; i < text.size();) {
    const CodePoint cp = decode_utf8(text, i);
    const uint32_t lower = to_lower(cp.value);
    same = same && lower == cp.value && !(cp.value == kReplacementChar && cp.bytes == 1);
    bytes += encode_utf8(lower, encoded);
    i += cp.bytes;
  }
  if (same) return text;
  char* out = arena.allocate(bytes);
  size_t used = 0;
  for (size_t i = 0; i < text.size();) {
    const CodePoint cp = decode_utf8(text, i);
    used += encode_utf8(to_lower(cp.value), out + used);
    i += cp.bytes;
  }
  return {out, used};
}

void StandardTokenizer::tokenize(std::string_view text, TokenBuffer& out) const {
  const auto emit = [&out](std::string_view word, size_t start, size_t end, const char* type) {
    const auto position = static_cast<uint32_t>(out.tokens.size());
    out.tokens.push_back(
        Token{word, position, 1, static_cast<uint32_t>(start), static_cast<uint32_t>(end), type});
  };
  size_t at = 0;
  while (at < text.size()) {
    const uint8_t kind = kByteKinds[static_cast<unsigned char>(text[at])];
    const bool maybe_keycap = (kind & kKeycap) != 0 && (kind_at(text, at + 1) & kMulti) != 0;
    if ((kind & (kWord | kMulti)) == 0 && !maybe_keycap) {
      ++at;
      continue;
    }
    if ((kind & kWord) != 0) {
      const AsciiWord word = scan_ascii(text, at);
      if (word.end - at <= max_length_ && !touches_multibyte(text, word.end)) {
        if ((word.kinds & (kLetter | kDigit)) != 0) {
          const std::string_view raw = text.substr(at, word.end - at);
          const bool upper = lowercase_ && (word.kinds & kUpper) != 0;
          emit(upper ? lower_ascii(raw, out.arena) : raw, at, word.end,
               (word.kinds & kLetter) != 0 ? kTypeAlphanum : kTypeNum);
        }
        at = word.end;
        continue;
      }
    }
    const WordSpan span = scan_word(text, at, max_length_);
    if (span.end > at) {
      const std::string_view raw = text.substr(at, span.end - at);
      emit(lowercase_ ? lower_into(raw, out.arena) : raw, at, span.end, span.type);
      at = span.end;
    } else {
      at += decode_utf8(text, at).bytes;
    }
  }
  finish_positions(out);
}

}  // namespace quarry
