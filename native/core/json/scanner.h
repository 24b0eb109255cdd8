// The JSON reader under everything in this folder and under document parsing: a strict pull scanner
// over borrowed bytes. Not simdjson: its On-Demand API skips parts unvalidated and runs as a
// byte-wise fallback unless the whole build targets one CPU, its DOM refuses integers beyond 64
// bits, and both want 32 bytes behind the input. This one checks every byte once (grammar, nesting,
// duplicate names, trailing bytes), steps through strings 8 bytes at a time and needs no padding.
// UTF-8 is checked apart, by simdjson's dispatched validator (json/utf8_check.h).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "json/open_keys.h"

namespace quarry {

enum class JsonToken : uint8_t {
  kEnd,  // after the root value; at once when there is only white space
  kError,
  kObjectStart,
  kObjectEnd,
  kArrayStart,
  kArrayEnd,
  kKey,
  kString,
  kNumber,
  kTrue,
  kFalse,
  kNull,
};

/// Elasticsearch's name of a token ("START_OBJECT", "VALUE_STRING"); "END" and "ERROR" for the
/// first two.
std::string_view json_token_name(JsonToken token);

/// One pass over one text, which must outlive it. After kError every call gives kError.
class JsonScanner {
 public:
  static constexpr uint32_t kDeepest = 1024;  // bits in containers_

  /// `max_depth` counts open objects and arrays; at most kDeepest.
  explicit JsonScanner(std::string_view text, uint32_t max_depth);

  JsonToken next();
  JsonToken token() const { return token_; }
  /// Strings and keys: the bytes between the quotes, still escaped; numbers and literals: as
  /// spelled.
  std::string_view raw() const { return raw_; }
  /// The last string or key holds a backslash.
  bool escaped() const { return escaped_; }
  /// The last number has a fraction or an exponent.
  bool fractional() const { return fractional_; }
  /// The content of the last string or key; a copy in `arena` only where it was escaped.
  std::string_view content(Arena& arena) const;
  /// Bytes of the text: where the last token starts (its quote included), and where it ends.
  size_t start() const { return start_; }
  size_t end() const { return at_; }
  /// Open objects and arrays after the last token.
  uint32_t depth() const { return depth_; }
  /// After kObjectStart or kArrayStart: on to the matching end, checking everything. Nothing after
  /// other tokens. The value's bytes are then [its start, end()). False on an error.
  bool skip_value();
  /// After kArrayStart, or after an item of an array: numbers as the nearest float32, one by one into
  /// `out`, until it is full or something else comes. `count` is how many. Gives what comes after
  /// them, read as by next(): kArrayEnd, kError, an item that is no number, a number beyond float32,
  /// or the first that found no room.
  JsonToken read_floats(std::span<float> out, size_t& count);

  /// After kError: "[1:8] Duplicate field 'a'", line and column from 1, in bytes.
  std::string error() const;
  /// The byte that error() names; 0 when nothing is wrong.
  size_t error_offset() const { return error_at_; }
  /// "1:8" of a byte offset.
  std::string position(size_t offset) const;

 private:
  enum class Expect : uint8_t { kValue, kFirstItem, kFirstKey, kSeparator, kNothing };

  JsonToken fail(size_t offset, const char* what);
  JsonToken emit(JsonToken token);
  JsonToken read_value();
  JsonToken read_key();
  JsonToken read_separator();
  JsonToken read_number();
  JsonToken read_literal(std::string_view word, JsonToken token);
  JsonToken open(JsonToken token);
  JsonToken close(JsonToken token);
  bool read_string();
  bool read_escape();
  bool read_digits();
  void skip_space();
  bool in_object() const {
    return (containers_[(depth_ - 1) / 64] >> ((depth_ - 1) % 64) & 1) != 0;
  }

  std::string_view text_;
  std::string_view raw_;
  size_t at_ = 0;
  size_t start_ = 0;
  size_t error_at_ = 0;
  const char* error_ = nullptr;
  uint32_t depth_ = 0;
  uint32_t max_depth_;
  JsonToken token_ = JsonToken::kEnd;
  Expect expect_ = Expect::kValue;
  bool escaped_ = false;
  bool fractional_ = false;
  std::array<uint64_t, kDeepest / 64>
      containers_{};  // bit d: the container at depth d + 1 is an object
  OpenKeys keys_;
};

/// Writes the content of an escaped string (as the scanner accepted it) to `out`, which has room
/// for raw.size() bytes; returns the bytes written. A lone surrogate becomes U+FFFD.
size_t unescape_json(std::string_view raw, char* out) noexcept;

}  // namespace quarry
