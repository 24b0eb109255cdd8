// The loop of the standard tokenizer: ASCII words are scanned with a byte table in one pass, all
// other text with scan_word.
#include "text/tokenizers/standard_tokenizer.h"

#include <array>
#include <bit>
#include <cstring>

#include "base/coding.h"
#include "text/analysis/unicode.h"
#include "text/analysis/utf8.h"

namespace quarry {
namespace {

// Bits of kByteKinds. A byte with none of them separates words.
constexpr uint8_t kLower = 1;
constexpr uint8_t kUpper = 2;
constexpr uint8_t kDigit = 4;
constexpr uint8_t kConnector = 8;
constexpr uint8_t kMulti = 16;         // any byte of a multi-byte character
constexpr uint8_t kMidWord = 32;       // . ' : between letters
constexpr uint8_t kMidNum = 64;        // . ' , ; between digits
constexpr uint8_t kKeycapStart = 128;  // # * may start a keycap emoji
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
  kinds['#'] = kinds['*'] = kKeycapStart;
  return kinds;
}
constexpr auto kByteKinds = byte_kinds();

uint8_t kind_at(std::string_view text, size_t at) noexcept {
  return at < text.size() ? kByteKinds[static_cast<unsigned char>(text[at])] : uint8_t{0};
}

/// A word of ASCII bytes; `kinds` is the union of the kinds in it, except kConnector.
struct AsciiWord {
  size_t end;
  uint8_t kinds;
};

/// Classifies eight bytes at once. The high bit of each byte of `word` is set if the byte is a word
/// byte; `letters`, `upper` and `digits` are valid for word bytes only.
struct EightKinds {
  static constexpr uint64_t kOnes = 0x0101010101010101;
  static constexpr uint64_t kHigh = 0x80 * kOnes;

  explicit EightKinds(uint64_t bytes) {
    const uint64_t low = bytes & ~kHigh;
    letters = between(low | 0x20 * kOnes, 'a', 'z');
    upper = letters & ~(bytes << 2);  // 0x20 distinguishes a from A
    digits = between(low, '0', '9');
    word = (letters | digits | between(low, '_', '_')) & ~bytes & kHigh;
  }
  /// Sets the high bit of the bytes from `first` to `last`; `low` has no high bits set.
  static uint64_t between(uint64_t low, char first, char last) {
    const uint64_t from = low + (0x80 - static_cast<uint64_t>(first)) * kOnes;
    const uint64_t beyond = low + (0x7f - static_cast<uint64_t>(last)) * kOnes;
    return from & ~beyond;
  }

  uint64_t letters;
  uint64_t upper;
  uint64_t digits;
  uint64_t word;
};

/// Skips word bytes from `at` on, adds their kinds to `seen` and returns the end.
size_t skip_word_bytes(std::string_view text, size_t at, uint8_t& seen) noexcept {
  constexpr size_t kEight = sizeof(uint64_t);
  while (at + kEight <= text.size()) {
    const EightKinds kinds(load<uint64_t>(text.data() + at));
    const uint64_t others = ~kinds.word & EightKinds::kHigh;
    // Word bytes before the first other byte
    const uint64_t run = ((others & -others) - 1) & kinds.word;
    if ((kinds.letters & run) != 0) seen |= kLower;
    if ((kinds.upper & run) != 0) seen |= kUpper;
    if ((kinds.digits & run) != 0) seen |= kDigit;
    if (others != 0) return at + static_cast<size_t>(std::countr_zero(others)) / 8;
    at += kEight;
  }
  for (uint8_t kind = kind_at(text, at); (kind & kWord) != 0; kind = kind_at(text, ++at)) {
    seen |= kind;
  }
  return at;
}

constexpr size_t kBeyond = 2;  // bytes after a word that determine whether it ends there

/// Stops before the first byte that is not part of the word. That byte may belong to a multi-byte
/// character, which the caller must check.
AsciiWord scan_ascii(std::string_view text, size_t start) noexcept {
  size_t at = start;
  uint8_t seen = 0;
  for (;;) {
    at = skip_word_bytes(text, at, seen);
    const uint8_t kind = kind_at(text, at);
    if ((kind & (kMidWord | kMidNum)) == 0) return {at, seen};
    const uint8_t last = kind_at(text, at - 1);
    const uint8_t after = kind_at(text, at + 1);
    const bool letters = (kind & kMidWord) != 0 && (last & kLetter) != 0 && (after & kLetter) != 0;
    const bool digits = (kind & kMidNum) != 0 && (last & kDigit) != 0 && (after & kDigit) != 0;
    if (!letters && !digits) return {at, seen};
    ++at;
  }
}

/// Whether a multi-byte character follows directly, or after a character that could join it to the
/// word.
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

void StandardTokenizer::tokenize(std::string_view text, TokenBuffer& out,
                                 AnalysisBudget& budget) const {
  const auto emit = [&out](std::string_view word, size_t start, size_t end, const char* type) {
    const auto position = static_cast<uint32_t>(out.tokens.size());
    out.tokens.push_back(
        Token{word, position, 1, static_cast<uint32_t>(start), static_cast<uint32_t>(end), type});
  };
  size_t at = 0;
  // One token more than the budget allows shows that it is exceeded.
  const size_t most = budget.max_tokens();
  while (at < text.size() && out.tokens.size() <= most) {
    const uint8_t kind = kByteKinds[static_cast<unsigned char>(text[at])];
    const bool maybe_keycap = (kind & kKeycapStart) != 0 && (kind_at(text, at + 1) & kMulti) != 0;
    if ((kind & (kWord | kMulti)) == 0 && !maybe_keycap) {
      ++at;
      continue;
    }
    if ((kind & kWord) != 0) {
      // Scans only as far as needed to know whether the word is too long, since a text may be a
      // single long word that is cut into many tokens.
      const AsciiWord word = scan_ascii(text.substr(0, at + max_length_ + kBeyond), at);
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
      at = next_start(text, at, max_length_);
    }
  }
  finish_positions(out);
}

}  // namespace quarry
