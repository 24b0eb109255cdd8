// The scanner: one function for each kind of token that may follow.
#include "json/scanner.h"

#include <algorithm>
#include <bit>

#include "base/ascii.h"
#include "base/coding.h"

namespace quarry {

namespace {

constexpr uint64_t kOnes = 0x0101010101010101;
constexpr uint64_t kHighs = 0x8080808080808080;

/// Sets the high bit of the first byte below `limit` (<= 0x80); bits of later bytes may be wrong.
constexpr uint64_t below(uint64_t word, uint64_t limit) {
  return (word - kOnes * limit) & ~word & kHighs;
}
constexpr uint64_t equal(uint64_t word, uint64_t byte) { return below(word ^ (kOnes * byte), 1); }

int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

uint32_t hex4(const char* from) {
  uint32_t value = 0;
  for (int i = 0; i < 4; ++i) value = value << 4 | static_cast<uint32_t>(hex_value(from[i]));
  return value;
}

char* put_utf8(char* out, uint32_t code) {
  const auto put = [&out](uint32_t byte) { *out++ = static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | code >> 6);
    put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3F));
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  }
  return out;
}

char simple_escape(char c) {
  switch (c) {
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return c;
  }
}

constexpr uint32_t kReplacement = 0xFFFD;
constexpr bool is_high_surrogate(uint32_t code) { return code >= 0xD800 && code < 0xDC00; }
constexpr bool is_surrogate(uint32_t code) { return code >= 0xD800 && code < 0xE000; }

}  // namespace

std::string_view json_token_name(JsonToken token) {
  static constexpr std::string_view kNames[] = {
      "END",        "ERROR",        "START_OBJECT", "END_OBJECT",    "START_ARRAY",   "END_ARRAY",
      "FIELD_NAME", "VALUE_STRING", "VALUE_NUMBER", "VALUE_BOOLEAN", "VALUE_BOOLEAN", "VALUE_NULL"};
  return kNames[static_cast<size_t>(token)];
}

size_t unescape_json(std::string_view raw, char* out) noexcept {
  char* const begin = out;
  const char* at = raw.data();
  const char* const end = at + raw.size();
  while (at < end) {
    if (*at != '\\') {
      *out++ = *at++;
      continue;
    }
    const char kind = at[1];
    at += 2;
    if (kind != 'u') {
      *out++ = simple_escape(kind);
      continue;
    }
    uint32_t code = hex4(at);
    at += 4;
    if (is_high_surrogate(code) && end - at >= 6 && at[0] == '\\' && at[1] == 'u') {
      const uint32_t low = hex4(at + 2);
      if (is_surrogate(low) && !is_high_surrogate(low)) {
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        at += 6;
      }
    }
    out = put_utf8(out, is_surrogate(code) ? kReplacement : code);
  }
  return static_cast<size_t>(out - begin);
}

JsonScanner::JsonScanner(std::string_view text, uint32_t max_depth)
    : text_(text), max_depth_(std::min(max_depth, kDeepest)) {}

std::string_view JsonScanner::content(Arena& arena) const {
  if (!escaped_) return raw_;
  char* copy = arena.allocate(raw_.size());
  return {copy, unescape_json(raw_, copy)};
}

JsonToken JsonScanner::fail(size_t offset, const char* what) {
  error_at_ = offset;
  error_ = what;
  return token_ = JsonToken::kError;
}

void JsonScanner::skip_space() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c != ' ' && c != '\n' && c != '\r' && c != '\t') return;
    ++at_;
  }
}

JsonToken JsonScanner::next() {
  if (error_ != nullptr) return JsonToken::kError;
  skip_space();
  start_ = at_;
  switch (expect_) {
    case Expect::kSeparator:
      return read_separator();
    case Expect::kFirstKey:
      if (at_ < text_.size() && text_[at_] == '}') return close(JsonToken::kObjectEnd);
      return read_key();
    case Expect::kFirstItem:
      if (at_ < text_.size() && text_[at_] == ']') return close(JsonToken::kArrayEnd);
      return read_value();
    case Expect::kNothing:
      if (at_ < text_.size()) return fail(at_, "Unexpected bytes after the end of the value");
      return token_ = JsonToken::kEnd;
    default:
      if (at_ == text_.size() && depth_ == 0) return token_ = JsonToken::kEnd;
      return read_value();
  }
}

/// Reads what follows a value in a container: a comma and the next token, or the end of the
/// container.
JsonToken JsonScanner::read_separator() {
  if (at_ == text_.size())
    return fail(at_, "Unexpected end-of-input: expected a comma or a closing bracket");
  const char c = text_[at_];
  const bool object = in_object();
  if (c == ',') {
    ++at_;
    skip_space();
    start_ = at_;
    return object ? read_key() : read_value();
  }
  if (object && c == '}') return close(JsonToken::kObjectEnd);
  if (!object && c == ']') return close(JsonToken::kArrayEnd);
  return fail(at_, object ? "Unexpected character: was expecting comma to separate Object entries"
                          : "Unexpected character: was expecting comma to separate Array entries");
}

JsonToken JsonScanner::read_key() {
  if (at_ == text_.size()) return fail(at_, "Unexpected end-of-input within an Object");
  if (text_[at_] != '"') {
    return fail(at_, "Unexpected character: was expecting double-quote to start field name");
  }
  if (!read_string()) return JsonToken::kError;
  if (!keys_.add(raw_, escaped_)) return fail(start_, "Duplicate field");
  skip_space();
  if (at_ == text_.size() || text_[at_] != ':') {
    return fail(at_,
                "Unexpected character: was expecting a colon to separate field name and value");
  }
  ++at_;
  expect_ = Expect::kValue;
  return token_ = JsonToken::kKey;
}

JsonToken JsonScanner::emit(JsonToken token) {
  expect_ = depth_ == 0 ? Expect::kNothing : Expect::kSeparator;
  return token_ = token;
}

JsonToken JsonScanner::open(JsonToken token) {
  if (depth_ == max_depth_) return fail(at_, "Document nesting depth exceeds the limit");
  const bool object = token == JsonToken::kObjectStart;
  const uint64_t bit = uint64_t{1} << (depth_ % 64);
  uint64_t& word = containers_[depth_ / 64];
  word = object ? word | bit : word & ~bit;
  ++depth_;
  if (object) keys_.open();
  ++at_;
  expect_ = object ? Expect::kFirstKey : Expect::kFirstItem;
  return token_ = token;
}

JsonToken JsonScanner::close(JsonToken token) {
  if (token == JsonToken::kObjectEnd) keys_.close();
  --depth_;
  ++at_;
  return emit(token);
}

JsonToken JsonScanner::read_value() {
  if (at_ == text_.size()) return fail(at_, "Unexpected end-of-input where a value is expected");
  switch (text_[at_]) {
    case '{':
      return open(JsonToken::kObjectStart);
    case '[':
      return open(JsonToken::kArrayStart);
    case '"':
      return read_string() ? emit(JsonToken::kString) : JsonToken::kError;
    case 't':
      return read_literal("true", JsonToken::kTrue);
    case 'f':
      return read_literal("false", JsonToken::kFalse);
    case 'n':
      return read_literal("null", JsonToken::kNull);
    default:
      return read_number();
  }
}

JsonToken JsonScanner::read_literal(std::string_view word, JsonToken token) {
  if (text_.substr(at_, word.size()) != word) {
    return fail(at_,
                "Unrecognized token: was expecting a JSON String, Number, Array, Object or 'null', "
                "'true', 'false'");
  }
  raw_ = text_.substr(at_, word.size());
  at_ += word.size();
  return emit(token);
}

/// Reads at least one digit.
bool JsonScanner::read_digits() {
  const size_t first = at_;
  while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
  return at_ > first;
}

JsonToken JsonScanner::read_number() {
  const auto has = [this](char c) { return at_ < text_.size() && text_[at_] == c; };
  fractional_ = false;
  if (has('-')) ++at_;
  const size_t first = at_;
  if (!read_digits()) {
    return fail(start_,
                "Unexpected character: expected a JSON String, Number, Array, Object or 'null', "
                "'true', 'false'");
  }
  if (text_[first] == '0' && at_ - first > 1)
    return fail(start_, "Invalid numeric value: Leading zeroes not allowed");
  if (has('.')) {
    ++at_;
    fractional_ = true;
    if (!read_digits())
      return fail(start_, "Invalid numeric value: Decimal point not followed by a digit");
  }
  if (has('e') || has('E')) {
    ++at_;
    fractional_ = true;
    if (has('+') || has('-')) ++at_;
    if (!read_digits())
      return fail(start_, "Invalid numeric value: Exponent indicator not followed by a digit");
  }
  raw_ = text_.substr(start_, at_ - start_);
  return emit(JsonToken::kNumber);
}

/// Reads from the opening quote to after the closing one; `raw_` is the content between them.
/// Returns false after fail().
bool JsonScanner::read_string() {
  const size_t first = ++at_;
  escaped_ = false;
  while (true) {
    while (at_ + 8 <= text_.size()) {
      const auto word = load<uint64_t>(text_.data() + at_);
      const uint64_t stop = below(word, 0x20) | equal(word, '"') | equal(word, '\\');
      if (stop != 0) {
        at_ += static_cast<size_t>(std::countr_zero(stop)) / 8;
        break;
      }
      at_ += 8;
    }
    if (at_ == text_.size()) {
      fail(start_, "Unexpected end-of-input within a string");
      return false;
    }
    const char c = text_[at_];
    if (c == '"') break;
    if (static_cast<unsigned char>(c) < 0x20) {
      fail(at_,
           "Illegal unquoted control character: has to be escaped using backslash to be included "
           "in a string");
      return false;
    }
    if (c == '\\' ? !read_escape() : (++at_, false)) return false;
  }
  raw_ = text_.substr(first, at_ - first);
  ++at_;
  return true;
}

bool JsonScanner::read_escape() {
  escaped_ = true;
  const size_t left = text_.size() - at_;
  if (left >= 2 && std::string_view("\"\\/bfnrt").find(text_[at_ + 1]) != std::string_view::npos) {
    at_ += 2;
    return true;
  }
  if (left >= 6 && text_[at_ + 1] == 'u') {
    const std::string_view digits = text_.substr(at_ + 2, 4);
    if (std::all_of(digits.begin(), digits.end(), [](char c) { return hex_value(c) >= 0; })) {
      at_ += 6;
      return true;
    }
  }
  fail(at_, "Unrecognized character escape");
  return false;
}

bool JsonScanner::skip_value() {
  if (token_ != JsonToken::kObjectStart && token_ != JsonToken::kArrayStart)
    return token_ != JsonToken::kError;
  const uint32_t outside = depth_ - 1;
  while (depth_ > outside) {
    if (next() == JsonToken::kError) return false;
  }
  return true;
}

std::string JsonScanner::position(size_t offset) const {
  const std::string_view before = text_.substr(0, offset);
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const size_t newline = before.rfind('\n');
  const size_t column = newline == std::string_view::npos ? offset + 1 : offset - newline;
  return std::to_string(lines + 1) + ":" + std::to_string(column);
}

std::string JsonScanner::error() const {
  if (error_ == nullptr) return {};
  std::string text = "[" + position(error_at_) + "] " + error_;
  // The scanner stops at the duplicate name, so raw_ is that name.
  if (std::string_view(error_) == "Duplicate field") text += " '" + std::string(raw_) + "'";
  return text;
}

}  // namespace quarry
