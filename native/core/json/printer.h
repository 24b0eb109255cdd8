// Rewrites a JSON response as compact or indented JSON or as YAML, filtered by `filter_path`. Input
// and output are processed in pieces; no tree is built, and numbers keep their digits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "json/path_matcher.h"
#include "json/print_writer.h"

namespace quarry {

/// Processes one response. Not thread-safe. Its memory holds the open keys and the cached paths,
/// but no values.
class JsonPrinter {
 public:
  /// The maximum number of open objects and arrays. The indentation of a line is proportional to
  /// the depth.
  static constexpr size_t kDeepest = 1024;

  /// `filter` is a list of patterns separated by commas, where a leading `-` excludes; empty:
  /// everything is kept. Output is appended to `out`, which outlives the printer and may be emptied
  /// between calls. The error for too many patterns is kIllegalArgument.
  static Result<JsonPrinter> create(PrintStyle style, std::string_view filter, std::string& out);

  /// Reads until the end of `text`, or until `out` holds at least `most` bytes; returns the number
  /// of bytes read. The error for invalid JSON is kXContentParse; nothing may be printed after it.
  /// The spelling of numbers and duplicate keys are not checked.
  Result<size_t> print(std::string_view text, size_t most);
  /// Must be called after the last piece. The error is kXContentParse when the value is incomplete.
  Status finish();

  /// The number of keys that the patterns were run over because they were not cached.
  size_t computed_keys() const { return includes_.computed_keys() + excludes_.computed_keys(); }

 private:
  enum class Expect : uint8_t { kValue, kFirstItem, kFirstKey, kKey, kColon, kSeparator, kNothing };
  enum class Inside : uint8_t { kNothing, kKey, kString, kScalar, kSkipped, kSkippedString };

  struct Level {
    bool object = false;
    bool included = false;  // some include matches its path or that of an ancestor
    bool all = false;       // no pattern applies to its content
    bool any = false;       // it has had a member or an item
  };

  JsonPrinter(PrintStyle style, PathMatcher includes, PathMatcher excludes, std::string& out);

  size_t read_token(std::string_view text);
  size_t read_string(std::string_view text);
  size_t read_scalar(std::string_view text);
  size_t skip(std::string_view text);
  size_t skip_string(std::string_view text);
  void read_escaped(char c);
  void begin_value(char c);
  void open(bool object, bool included);
  void close(char c);
  void end_key();
  void end_value();
  void fail(const char* what);

  const Level* top() const { return levels_.empty() ? nullptr : &levels_.back(); }

  std::string& out_;
  PrintWriter writer_;
  PathMatcher includes_;
  PathMatcher excludes_;
  std::vector<Level> levels_;
  Expect expect_ = Expect::kValue;
  Inside inside_ = Inside::kNothing;
  bool kept_ = false;  // the current leaf is kept
  bool key_escaped_ = false;
  size_t skipped_depth_ = 0;  // open objects and arrays of the skipped value
  std::string key_;           // the content of the key as spelled
  std::string unescaped_key_;
  std::string escape_;  // the part of an escape read so far, starting with its backslash
  uint64_t read_ = 0;   // bytes before the current piece
  const char* error_ = nullptr;
};

}  // namespace quarry
