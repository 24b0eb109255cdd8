#include "json/print_writer.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.h"
#include "json/scanner.h"

namespace quarry {

namespace {

constexpr size_t kStep = 2;  // columns

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
/// Whether YAML interprets the word as something other than a string.
bool is_reserved(std::string_view key) {
  constexpr std::array<std::string_view, 9> kWords = {"y",   "n",    "yes",   "no",  "on",
                                                      "off", "true", "false", "null"};
  return std::any_of(kWords.begin(), kWords.end(), [key](std::string_view word) {
    return std::equal(key.begin(), key.end(), word.begin(), word.end(),
                      [](char a, char b) { return is_letter(a) && (a | 0x20) == b; });
  });
}

/// Whether the key needs no quotes: letters, digits and some signs, of which only certain ones may
/// be the first character.
bool is_plain(std::string_view key) {
  constexpr std::string_view kSigns = "_./";
  constexpr std::string_view kMoreSigns = "_./@*-";
  if (key.empty() || !(is_letter(key[0]) || kSigns.find(key[0]) != kSigns.npos)) return false;
  return std::all_of(key.begin(), key.end(), [&](char c) {
    return is_letter(c) || is_digit(c) || kMoreSigns.find(c) != kMoreSigns.npos;
  });
}

}  // namespace

void PrintWriter::open(bool object) {
  if (depth_ == levels_.size()) levels_.emplace_back();
  Level& level = levels_[depth_++];
  level.object = object;
  level.has_members = false;
  std::swap(level.key, key_);
  key_.clear();
}

void PrintWriter::close(bool keep_empty) {
  --depth_;
  Level& level = levels_[depth_];
  const char end = level.object ? '}' : ']';
  if (depth_ < written_) {
    written_ = depth_;
    if (style_ == PrintStyle::kYaml) return;
    if (style_ == PrintStyle::kIndented) {
      out_ += '\n';
      indent(kStep * depth_);
    }
    out_ += end;
    return;
  }
  if (!keep_empty) return;
  std::swap(level.key, key_);
  begin_leaf(false);
  out_ += level.object ? '{' : '[';
  out_ += end;
  end_leaf(false);
}

void PrintWriter::begin_leaf(bool string) {
  write_levels();
  begin_member(top(), key_);
  if (style_ == PrintStyle::kYaml && depth_ > 0 && top()->object) out_ += ' ';
  if (string) out_ += '"';
}

void PrintWriter::end_leaf(bool string) {
  if (string) {
    text_.end(out_);
    out_ += '"';
  }
  if (style_ == PrintStyle::kYaml) out_ += '\n';
  key_.clear();
}

void PrintWriter::finish() {
  if (!any_) {
    key_.clear();
    begin_leaf(false);
    out_ += "{}";
    end_leaf(false);
  }
  if (style_ == PrintStyle::kIndented) out_ += '\n';
}

void PrintWriter::write_levels() {
  for (; written_ < depth_; ++written_) {
    Level* parent = written_ == 0 ? nullptr : &levels_[written_ - 1];
    Level& level = levels_[written_];
    begin_member(parent, level.key);
    write_start(parent, level);
    level.key.clear();
  }
}

void PrintWriter::begin_member(Level* parent, std::string_view key) {
  any_ = true;
  if (parent == nullptr) return;
  const bool first = !std::exchange(parent->has_members, true);
  if (style_ == PrintStyle::kYaml) {
    if (!first || !parent->inline_first) indent(parent->indent);
    if (parent->object) {
      yaml_key(key);
      out_ += ':';
    } else {
      out_ += "- ";
    }
    return;
  }
  if (!first) out_ += ',';
  if (style_ == PrintStyle::kIndented) {
    out_ += '\n';
    indent(kStep * static_cast<size_t>(parent - levels_.data() + 1));
  }
  if (!parent->object) return;
  out_ += '"';
  out_ += key;
  out_ += style_ == PrintStyle::kIndented ? "\": " : "\":";
}

void PrintWriter::write_start(Level* parent, Level& level) {
  if (style_ != PrintStyle::kYaml) {
    out_ += level.object ? '{' : '[';
    return;
  }
  level.inline_first = parent == nullptr || !parent->object;
  if (parent == nullptr) {
    level.indent = 0;
  } else if (!parent->object) {
    level.indent = parent->indent + kStep;
  } else {
    level.indent = parent->indent + (level.object ? kStep : 0);
    out_ += '\n';
  }
}

void PrintWriter::yaml_key(std::string_view raw) {
  std::string unescaped;
  std::string_view name = raw;
  if (raw.find('\\') != raw.npos) {
    unescaped.resize(raw.size());
    unescaped.resize(unescape_json(raw, unescaped.data()));
    name = unescaped;
  }
  if (is_plain(name) && !is_reserved(name)) {
    out_ += name;
    return;
  }
  out_ += '"';
  append_json_text(raw, out_);
  out_ += '"';
}

}  // namespace quarry
