#include "json/json_text.h"

#include <algorithm>
#include <array>

#include "json/scanner.h"
#include "json/value.h"

namespace quarry {

namespace {

constexpr size_t kEscapedUnitBytes = 6;  // \u00e4

/// Whether the escape is a surrogate whose second digit is between `first` and `last`.
bool is_surrogate_escape(std::string_view escape, char first, char last) {
  if (escape.size() != kEscapedUnitBytes || (escape[2] | 0x20) != 'd') return false;
  const char digit = escape[3] >= 'A' ? static_cast<char>(escape[3] | 0x20) : escape[3];
  return digit >= first && digit <= last;
}

void append_decoded(std::string_view escapes, std::string& out) {
  std::array<char, 2 * kEscapedUnitBytes> decoded{};
  std::string quoted;
  append_json_string(quoted, {decoded.data(), unescape_json(escapes, decoded.data())});
  out.append(quoted, 1, quoted.size() - 2);
}

}  // namespace

void JsonTextWriter::letters(std::string_view text, std::string& out) {
  if (text.empty()) return;
  end(out);
  out += text;
}

void JsonTextWriter::escape(std::string_view escape, std::string& out) {
  if (!high_.empty() && is_surrogate_escape(escape, 'c', 'f')) {
    append_decoded(high_.append(escape), out);
    high_.clear();
    return;
  }
  end(out);
  if (is_surrogate_escape(escape, '8', 'b')) {
    high_ = escape;
  } else if (is_surrogate_escape(escape, 'c', 'f')) {
    out += escape;
  } else {
    append_decoded(escape, out);
  }
}

void JsonTextWriter::end(std::string& out) {
  out += high_;
  high_.clear();
}

void append_json_text(std::string_view raw, std::string& out) {
  JsonTextWriter writer;
  while (!raw.empty()) {
    const size_t plain = std::min(raw.find('\\'), raw.size());
    writer.letters(raw.substr(0, plain), out);
    raw.remove_prefix(plain);
    if (raw.empty()) break;
    const size_t length = raw[1] == 'u' ? kEscapedUnitBytes : 2;
    writer.escape(raw.substr(0, length), out);
    raw.remove_prefix(length);
  }
  writer.end(out);
}

}  // namespace quarry
