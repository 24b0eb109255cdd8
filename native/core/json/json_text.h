// Writes the content of JSON strings as JavaScript's JSON.stringify does: characters are unescaped,
// except quotes, backslashes, control characters and unpaired surrogates.
#pragma once

#include <string>
#include <string_view>

namespace quarry {

/// Rewrites one string, which may be passed in parts.
class JsonTextWriter {
 public:
  /// Appends characters without a backslash.
  void letters(std::string_view text, std::string& out);
  /// Appends one escape, including its backslash: `\n`, `\u00e4`.
  void escape(std::string_view escape, std::string& out);
  /// Must be called after the last part.
  void end(std::string& out);

 private:
  std::string high_;  // the escape of a high surrogate that waits for the low one
};

/// `raw` is the content of a string in which every escape is valid.
void append_json_text(std::string_view raw, std::string& out);

}  // namespace quarry
