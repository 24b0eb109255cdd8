// The inside of JSON strings in the one spelling that JavaScript's JSON.stringify gives them:
// letters are themselves, but for quotes, backslashes, control characters and halves of surrogate
// pairs that stand alone.
#pragma once

#include <string>
#include <string_view>

namespace quarry {

/// Rewrites one string, which may come in parts.
class JsonTextWriter {
 public:
  /// Letters without a backslash.
  void letters(std::string_view text, std::string& out);
  /// One escape with its backslash: `\n`, `\u00e4`.
  void escape(std::string_view escape, std::string& out);
  /// Behind the last part.
  void end(std::string& out);

 private:
  std::string high_;  // an escape of the first half of a pair, which waits for the second
};

/// `raw`: the inside of a string, every escape of it valid.
void append_json_text(std::string_view raw, std::string& out);

}  // namespace quarry
