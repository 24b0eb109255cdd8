// Dynamic templates: the mapping of a field that a document contains before it is mapped.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "json/value.h"
#include "text/regex/regex.h"

namespace quarry {

/// The kind of a new field, derived from its JSON value.
enum class DynamicKind : uint8_t { kString, kLong, kDouble, kBoolean, kDate, kObject, kBinary };
/// The name in `match_mapping_type` and in {dynamic_type}, where strings are called text.
std::string_view dynamic_kind_name(DynamicKind kind);

/// A dynamic template. Immutable. Its patterns for names have `*` as their only wildcard, or with
/// `match_pattern: regex` are regular expressions for the whole name.
class DynamicTemplate {
 public:
  /// The error is mapper_parsing_exception, which names the template and the fault.
  static Result<DynamicTemplate> parse(const std::string& name, const JsonValue& body);

  const std::string& name() const { return name_; }
  /// `field` is the last part of `path`. The error is that regular expressions exceed the budget.
  Result<bool> matches(std::string_view path, std::string_view field, DynamicKind kind,
                       AnalysisBudget& budget) const;
  /// The mapping with {name} and {dynamic_type} replaced; `default_type` is used where it has no
  /// type.
  JsonValue mapping(std::string_view field, std::string_view default_type) const;
  JsonValue to_json() const;

 private:
  struct Patterns {
    std::vector<std::string> list;
    bool single = false;         // given as a string, and printed as one
    std::vector<Regex> regexes;  // of `list`, where the patterns are regular expressions
  };

  Status refuse(const std::string& why) const;
  Status read_key(const std::string& key, const JsonValue& value);
  Status check() const;
  Status read_patterns(const JsonValue& value, std::string_view key, Patterns& out) const;
  Status compile_regexes(Patterns& patterns) const;
  Result<bool> any_match(const Patterns& patterns, std::string_view text,
                         AnalysisBudget& budget) const;
  bool fits_kind(DynamicKind kind) const;
  static void print(JsonValue& json, const char* key, const Patterns& patterns);

  std::string name_;
  Patterns match_;
  Patterns unmatch_;
  Patterns path_match_;
  Patterns path_unmatch_;
  Patterns kinds_;
  Patterns not_kinds_;
  std::string match_pattern_;  // as given; empty: not given
  JsonValue mapping_;
};

}  // namespace quarry
