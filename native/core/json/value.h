// A small JSON tree for settings, mappings and metadata (not for bulk documents). Numbers keep
// their spelling, objects keep the order of their keys, duplicate keys are refused.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"

namespace quarry {

inline constexpr uint32_t kMaxJsonDepth = 100;

class JsonValue {
 public:
  enum class Kind : uint8_t { kNull, kBool, kNumber, kString, kArray, kObject };
  using Member = std::pair<std::string, JsonValue>;

  JsonValue() = default;
  /// The error for malformed text, too deep nesting and invalid UTF-8 is x_content_parse_exception,
  /// with the byte offset.
  static Result<JsonValue> parse(std::string_view text, uint32_t max_depth = kMaxJsonDepth);
  static JsonValue null() { return {}; }
  static JsonValue boolean(bool value);
  static JsonValue number(std::string spelling);
  static JsonValue string(std::string value);
  static JsonValue array(std::vector<JsonValue> items = {});
  static JsonValue object(std::vector<Member> members = {});

  Kind kind() const { return kind_; }
  bool is_null() const { return kind_ == Kind::kNull; }
  bool is_string() const { return kind_ == Kind::kString; }
  bool is_object() const { return kind_ == Kind::kObject; }
  bool is_array() const { return kind_ == Kind::kArray; }
  bool as_bool() const { return bool_; }
  /// The content of a string, the spelling of a number, or "true", "false", "null"; empty for
  /// arrays and objects.
  std::string_view text() const;
  std::optional<double> as_double() const;  // numbers and numeric strings
  std::optional<int64_t> as_int() const;    // the same, if whole and in range
  const std::vector<JsonValue>& items() const { return items_; }
  std::vector<JsonValue>& items() { return items_; }
  const std::vector<Member>& members() const { return members_; }
  std::vector<Member>& members() { return members_; }
  /// Null when the key is absent or this value is not an object.
  const JsonValue* find(std::string_view key) const;
  JsonValue* find(std::string_view key);
  /// Adds the member, or replaces its value.
  void set(std::string key, JsonValue value);

  void append_to(std::string& out) const;
  std::string to_json() const {
    std::string out;
    append_to(out);
    return out;
  }
  friend bool operator==(const JsonValue& a, const JsonValue& b);

 private:
  Kind kind_ = Kind::kNull;
  bool bool_ = false;
  std::string text_;
  std::vector<JsonValue> items_;
  std::vector<Member> members_;
};

/// Appends `text`, which is valid UTF-8, as a JSON string with quotes and escapes.
void append_json_string(std::string& out, std::string_view text);

}  // namespace quarry
