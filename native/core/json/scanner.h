// The JSON reader that all code in this folder and document parsing use: a strict pull scanner over
// borrowed bytes. It is used instead of simdjson, whose On-Demand API skips parts without
// validation and runs as a byte-wise fallback unless its translation unit targets one CPU, whose
// DOM refuses integers beyond 64 bits, and which needs 32 bytes of padding after the input
// (docs/decisions/storage.md has the measured difference for documents and bulk lines). This
// scanner checks every byte once (grammar, nesting, duplicate names, trailing bytes), processes
// strings 8 bytes at a time and needs no padding. UTF-8 is checked separately by simdjson's
// dispatched validator (json/utf8_check.h).
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
  kEnd,  // after the root value, or at once if there is only white space
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
/// first two tokens.
std::string_view json_token_name(JsonToken token);

/// One pass over one text, which must outlive the scanner. After kError every call returns kError.
class JsonScanner {
 public:
  static constexpr uint32_t kDeepest = 1024;  // bits in containers_

  /// `max_depth` limits the open objects and arrays; at most kDeepest.
  explicit JsonScanner(std::string_view text, uint32_t max_depth);

  JsonToken next();
  JsonToken token() const { return token_; }
  /// For strings and keys the bytes between the quotes, still escaped; for numbers and literals
  /// their spelling.
  std::string_view raw() const { return raw_; }
  /// Whether the last string or key contains a backslash.
  bool escaped() const { return escaped_; }
  /// Whether the last number has a fraction or an exponent.
  bool fractional() const { return fractional_; }
  /// The content of the last string or key; it is copied to `arena` only if it was escaped.
  std::string_view content(Arena& arena) const;
  /// Byte offsets of the start of the last token (including its quote) and of its end.
  size_t start() const { return start_; }
  size_t end() const { return at_; }
  /// The number of open objects and arrays after the last token.
  uint32_t depth() const { return depth_; }
  /// After kObjectStart or kArrayStart: moves to the matching end, checking everything; after other
  /// tokens it does nothing. The value's bytes are then [its start, end()). Returns false on an
  /// error.
  bool skip_value();
  /// After kArrayStart, or after an item of an array: reads numbers as the nearest float32 into
  /// `out`, until `out` is full or another token follows. `count` receives their number. Returns
  /// the following token, as read by next(): kArrayEnd, kError, an item that is not a number, a
  /// number beyond float32, or the first number for which there was no room.
  JsonToken read_floats(std::span<float> out, size_t& count);

  /// After kError: "[1:8] Duplicate field 'a'", with line and column from 1, in bytes.
  std::string error() const;
  /// The offset that error() reports; 0 when there is no error.
  size_t error_offset() const { return error_at_; }
  /// A byte offset as line and column: "1:8".
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

/// Writes the content of an escaped string (as accepted by the scanner) to `out`, which has room
/// for raw.size() bytes, and returns the number of bytes written. An unpaired surrogate becomes
/// U+FFFD.
size_t unescape_json(std::string_view raw, char* out) noexcept;

}  // namespace quarry
