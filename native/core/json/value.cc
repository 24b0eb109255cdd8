// Builds the tree from a scan, prints it and compares it.
#include "json/value.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/arena.h"
#include "json/number.h"
#include "json/scanner.h"
#include "json/utf8_check.h"

namespace quarry {

namespace {

/// Builds a tree from the tokens of one scan. Recursion is bounded by the scanner's maximum depth.
class TreeBuilder {
 public:
  TreeBuilder(std::string_view text, uint32_t max_depth) : scanner_(text, max_depth) {}

  Result<JsonValue> build() {
    scanner_.next();
    JsonValue value = read();
    if (scanner_.token() != JsonToken::kError) scanner_.next();
    if (scanner_.token() == JsonToken::kError) {
      return Status(ErrorType::kXContentParse, scanner_.error());
    }
    return value;
  }

 private:
  std::string content() {
    arena_.clear();
    return std::string(scanner_.content(arena_));
  }

  /// Reads the value whose first token was just read; null after an error.
  JsonValue read() {
    switch (scanner_.token()) {
      case JsonToken::kObjectStart:
        return read_object();
      case JsonToken::kArrayStart:
        return read_array();
      case JsonToken::kString:
        return JsonValue::string(content());
      case JsonToken::kNumber:
        return JsonValue::number(std::string(scanner_.raw()));
      case JsonToken::kTrue:
        return JsonValue::boolean(true);
      case JsonToken::kFalse:
        return JsonValue::boolean(false);
      default:
        return {};
    }
  }

  JsonValue read_object() {
    std::vector<JsonValue::Member> members;
    while (scanner_.next() == JsonToken::kKey) {
      std::string key = content();
      scanner_.next();
      members.emplace_back(std::move(key), read());
    }
    return JsonValue::object(std::move(members));
  }

  JsonValue read_array() {
    std::vector<JsonValue> items;
    while (scanner_.next() != JsonToken::kArrayEnd && scanner_.token() != JsonToken::kError) {
      items.push_back(read());
    }
    return JsonValue::array(std::move(items));
  }

  JsonScanner scanner_;
  Arena arena_;
};

void append_escape(std::string& out, unsigned char c) {
  static constexpr char kHex[] = "0123456789abcdef";
  switch (c) {
    case '"':
      out += "\\\"";
      break;
    case '\\':
      out += "\\\\";
      break;
    case '\n':
      out += "\\n";
      break;
    case '\r':
      out += "\\r";
      break;
    case '\t':
      out += "\\t";
      break;
    case '\b':
      out += "\\b";
      break;
    case '\f':
      out += "\\f";
      break;
    default:
      out += "\\u00";
      out += kHex[c >> 4];
      out += kHex[c & 15];
  }
}

}  // namespace

Result<JsonValue> JsonValue::parse(std::string_view text, uint32_t max_depth) {
  if (!valid_utf8(text)) return Status(ErrorType::kXContentParse, "Invalid UTF-8 in the JSON text");
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    return Status(ErrorType::kXContentParse,
                  "[1:1] Unexpected end-of-input: the JSON text is empty");
  }
  return TreeBuilder(text, max_depth).build();
}

JsonValue JsonValue::boolean(bool value) {
  JsonValue result;
  result.kind_ = Kind::kBool;
  result.bool_ = value;
  return result;
}

JsonValue JsonValue::number(std::string spelling) {
  JsonValue result;
  result.kind_ = Kind::kNumber;
  result.text_ = std::move(spelling);
  return result;
}

JsonValue JsonValue::string(std::string value) {
  JsonValue result;
  result.kind_ = Kind::kString;
  result.text_ = std::move(value);
  return result;
}

JsonValue JsonValue::array(std::vector<JsonValue> items) {
  JsonValue result;
  result.kind_ = Kind::kArray;
  result.items_ = std::move(items);
  return result;
}

JsonValue JsonValue::object(std::vector<Member> members) {
  JsonValue result;
  result.kind_ = Kind::kObject;
  result.members_ = std::move(members);
  return result;
}

std::string_view JsonValue::text() const {
  switch (kind_) {
    case Kind::kNull:
      return "null";
    case Kind::kBool:
      return bool_ ? "true" : "false";
    default:
      return text_;
  }
}

std::optional<double> JsonValue::as_double() const {
  if (kind_ != Kind::kNumber && kind_ != Kind::kString) return std::nullopt;
  return parse_double(text_);
}

std::optional<int64_t> JsonValue::as_int() const {
  if (kind_ != Kind::kNumber && kind_ != Kind::kString) return std::nullopt;
  int64_t value = 0;
  const char* end = text_.data() + text_.size();
  const auto [at, error] = std::from_chars(text_.data(), end, value);
  if (error == std::errc() && at == end) return value;
  const std::optional<double> wide = parse_double(text_);
  constexpr double kLimit =
      9007199254740992;  // 2^53: a larger double does not identify one integer
  if (!wide || std::floor(*wide) != *wide || std::abs(*wide) > kLimit) return std::nullopt;
  return static_cast<int64_t>(*wide);
}

const JsonValue* JsonValue::find(std::string_view key) const {
  for (const Member& member : members_) {
    if (member.first == key) return &member.second;
  }
  return nullptr;
}

JsonValue* JsonValue::find(std::string_view key) {
  return const_cast<JsonValue*>(static_cast<const JsonValue*>(this)->find(key));
}

void JsonValue::set(std::string key, JsonValue value) {
  if (JsonValue* old = find(key)) {
    *old = std::move(value);
  } else {
    members_.emplace_back(std::move(key), std::move(value));
  }
}

void JsonValue::append_to(std::string& out) const {
  switch (kind_) {
    case Kind::kString:
      append_json_string(out, text_);
      break;
    case Kind::kArray:
      out += '[';
      for (size_t i = 0; i < items_.size(); ++i) {
        if (i > 0) out += ',';
        items_[i].append_to(out);
      }
      out += ']';
      break;
    case Kind::kObject:
      out += '{';
      for (size_t i = 0; i < members_.size(); ++i) {
        if (i > 0) out += ',';
        append_json_string(out, members_[i].first);
        out += ':';
        members_[i].second.append_to(out);
      }
      out += '}';
      break;
    default:
      out += text();
  }
}

bool operator==(const JsonValue& a, const JsonValue& b) {
  if (a.kind_ != b.kind_) return false;
  if (a.kind_ == JsonValue::Kind::kNumber) return same_json_number(a.text_, b.text_);
  if (a.bool_ != b.bool_ || a.text_ != b.text_ || a.items_ != b.items_) return false;
  if (a.members_.size() != b.members_.size()) return false;
  return std::all_of(a.members_.begin(), a.members_.end(), [&b](const JsonValue::Member& member) {
    const JsonValue* other = b.find(member.first);
    return other != nullptr && *other == member.second;
  });
}

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  size_t plain = 0;  // start of the bytes that need no escape
  for (size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c >= 0x20 && c != '"' && c != '\\') continue;
    out.append(text, plain, i - plain);
    append_escape(out, c);
    plain = i + 1;
  }
  out.append(text, plain);
  out += '"';
}

}  // namespace quarry
