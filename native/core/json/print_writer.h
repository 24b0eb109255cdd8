// Writes a JSON tree incrementally as compact JSON, as JSON with an indentation of two (like
// JavaScript's JSON.stringify), or as YAML in Elasticsearch's form: strings in quotes, lists at the
// depth of their key. An object or array is written when its first member is, so that those without
// remaining members are omitted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "json/json_text.h"

namespace quarry {

enum class PrintStyle : uint8_t { kCompact, kIndented, kYaml };

class PrintWriter {
 public:
  PrintWriter(PrintStyle style, std::string& out) : style_(style), out_(out) {}

  void start() {
    if (style_ == PrintStyle::kYaml) out_ += "---\n";
  }
  /// Opens an object or array at the current key. It is written only if it gets a member.
  void open(bool object);
  /// `keep_empty`: the object or array is written even if it got no member.
  void close(bool keep_empty);
  /// Sets the key of the next value in an object, as spelled without quotes.
  void set_key(std::string_view raw) { key_ = raw; }

  /// Starts a leaf. For numbers and literals, their parts follow; for strings, the parts of their
  /// content.
  void begin_leaf(bool string);
  void scalar(std::string_view part) { out_ += part; }
  void letters(std::string_view part) {
    if (style_ == PrintStyle::kYaml) {
      text_.letters(part, out_);
    } else {
      out_ += part;
    }
  }
  void escape(std::string_view escape) {
    if (style_ == PrintStyle::kYaml) {
      text_.escape(escape, out_);
    } else {
      out_ += escape;
    }
  }
  void end_leaf(bool string);

  /// Must be called after the last value; writes `{}` if nothing was written.
  void finish();

 private:
  struct Level {
    bool object = false;
    bool has_members = false;
    bool inline_first = false;  // YAML: its first line has already begun
    size_t indent = 0;          // YAML: indentation of its lines
    std::string key;            // its own key, until it is written
  };

  Level* top() { return depth_ == 0 ? nullptr : &levels_[depth_ - 1]; }
  /// Writes the open levels that are not written yet.
  void write_levels();
  /// Writes everything before a value at `key` in `parent` (null: the root).
  void begin_member(Level* parent, std::string_view key);
  void write_start(Level* parent, Level& level);
  void indent(size_t columns) { out_.append(columns, ' '); }
  void yaml_key(std::string_view raw);

  PrintStyle style_;
  std::string& out_;
  std::vector<Level> levels_;  // more levels than are open, so that their keys keep their memory
  size_t depth_ = 0;
  size_t written_ = 0;  // levels that are written
  bool any_ = false;    // something was written
  std::string key_;
  JsonTextWriter text_;
};

}  // namespace quarry
