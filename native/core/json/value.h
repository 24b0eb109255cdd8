// A small JSON tree for settings, mappings and metadata (not for documents in bulk). Numbers keep
// the caller's spelling, objects keep key order, duplicate keys are refused.
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
  /// x_content_parse_exception with the byte offset for malformed text, too deep nesting, invalid
  /// UTF-8.
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
  /// Content of a string, spelling of a number, "true"/"false"/"null" otherwise; empty for arrays
  /// and objects.
  std::string_view text() const;
  std::optional<double> as_double() const;  // numbers and numeric strings
  std::optional<int64_t> as_int() const;    // the same, whole and in range
  const std::vector<JsonValue>& items() const { return items_; }
  std::vector<JsonValue>& items() { return items_; }
  const std::vector<Member>& members() const { return members_; }
  std::vector<Member>& members() { return members_; }
  /// Null pointer when absent or when this is no object.
  const JsonValue* find(std::string_view key) const;
  JsonValue* find(std::string_view key);
  /// Adds or replaces.
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

/// Appends `text` as a JSON string with quotes and escapes. `text` is valid UTF-8.
void append_json_string(std::string& out, std::string_view text);

}  // namespace quarry
