// Writes a tree of JSON piece by piece as compact JSON, as JSON indented by two (as JavaScript's
// JSON.stringify indents it), or as YAML in the form of Elasticsearch: strings in quotes, lists at the
// depth of their key. An object or array is not written before its first member is, so that those of
// which nothing is left leave no trace.
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
  /// An object or array at the key that was set, if it gets a member.
  void open(bool object);
  /// `keep_empty`: written even though it got no member.
  void close(bool keep_empty);
  /// The inside of the key, as spelled, of the next value in an object.
  void set_key(std::string_view raw) { key_ = raw; }

  /// Numbers and literals: parts of them follow. Strings: the parts of their inside follow.
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

  /// Behind the last value; `{}` where nothing was written.
  void finish();

 private:
  struct Level {
    bool object = false;
    bool has_members = false;
    bool inline_first = false;  // YAML: its first line has begun already
    size_t indent = 0;          // YAML: of its lines
    std::string key;            // its own, until it is written
  };

  Level* top() { return depth_ == 0 ? nullptr : &levels_[depth_ - 1]; }
  /// Writes all that is open but was not written yet.
  void write_levels();
  /// Up to a value at `key` in `parent` (null: the root).
  void begin_member(Level* parent, std::string_view key);
  void write_start(Level* parent, Level& level);
  void indent(size_t columns) { out_.append(columns, ' '); }
  void yaml_key(std::string_view raw);

  PrintStyle style_;
  std::string& out_;
  std::vector<Level> levels_;  // more than are open, so that their keys keep their memory
  size_t depth_ = 0;
  size_t written_ = 0;  // levels
  bool any_ = false;    // was written
  std::string key_;
  JsonTextWriter text_;
};

}  // namespace quarry
