// Char filters: html_strip and mapping, and FilteredText, which all char filters share.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"
#include "text/analysis/components.h"

namespace quarry {

/// Writes filtered text and its offset map while reading the original from left to right.
class FilteredText {
 public:
  FilteredText(std::string_view text, std::string& out, OffsetMap& map)
      : text_(text), out_(out), map_(map) {}

  size_t at() const { return at_; }
  /// Copies the original text up to `end`.
  void keep_until(size_t end);
  /// Replaces the next `length` bytes with `replacement`. If both are ASCII, its offsets are mapped
  /// byte by byte; every other inner offset is mapped to the end of the replaced text, so that
  /// offsets never split a character.
  void replace(size_t length, std::string_view replacement);
  /// Omits the next `length` bytes. A token that ends before them extends to their end, because
  /// markup belongs to the word before it.
  void append_to_word(size_t length);

 private:
  const std::string_view text_;
  std::string& out_;
  OffsetMap& map_;
  size_t at_ = 0;
};

/// Replaces keys by their values; the longest key takes precedence.
class MappingCharFilter final : public CharFilter {
 public:
  explicit MappingCharFilter(std::map<std::string, std::string, std::less<>> mappings);
  void apply(std::string_view text, std::string& out, OffsetMap& map,
             AnalysisBudget& budget) const override;

 private:
  /// The replacement of the longest key that is a prefix of `text` (not empty), or null.
  const std::string* find(std::string_view text, size_t& length, AnalysisBudget& budget) const;

  const std::map<std::string, std::string, std::less<>> mappings_;
  /// By the first byte of a key: the lengths of the keys, longest first.
  std::array<std::vector<uint32_t>, 256> lengths_;
};

/// Removes tags, comments, scripts and styles, and decodes character references. Block tags become
/// a line end.
class HtmlStripCharFilter final : public CharFilter {
 public:
  explicit HtmlStripCharFilter(std::set<std::string, std::less<>> escaped_tags)
      : escaped_tags_(std::move(escaped_tags)) {}
  void apply(std::string_view text, std::string& out, OffsetMap& map,
             AnalysisBudget& budget) const override;

 private:
  const std::set<std::string, std::less<>> escaped_tags_;  // not removed
};

/// Parses lines of the form "a => b". Spaces around both sides are removed; \u0041, \n, \t, \\ and
/// the like are escapes.
Result<std::map<std::string, std::string, std::less<>>> parse_mappings(
    const std::vector<std::string>& lines);

/// The code point of a named character reference ("eacute"), 0 when unknown.
uint32_t html_entity(std::string_view name);

}  // namespace quarry
