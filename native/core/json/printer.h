// Prints an answer anew: as compact or indented JSON or as YAML, and of it what `filter_path` names.
// The JSON comes in pieces and goes out in pieces; no tree is built, and numbers keep their digits.
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

/// One answer, one thread at a time. Memory: the open keys, the remembered paths, nothing of values.
class JsonPrinter {
 public:
  /// Objects and arrays that may be open; an indented line of one is as long as it is deep.
  static constexpr size_t kDeepest = 1024;

  /// `filter`: patterns with commas between them, a leading `-` takes away; empty: all is kept.
  /// Appends to `out`, which outlives the printer and may be emptied between calls.
  /// kIllegalArgument when there are too many patterns.
  static Result<JsonPrinter> create(PrintStyle style, std::string_view filter, std::string& out);

  /// Reads on until `text` is over or `out` holds `most` bytes or more; the bytes that were read.
  /// kXContentParse where it is no JSON; nothing may be printed behind that. Spelling of numbers is
  /// taken as it is, and so are keys that come twice.
  Result<size_t> print(std::string_view text, size_t most);
  /// Behind the last piece. kXContentParse when something is missing.
  Status finish();

  /// Keys that the patterns were run over: what was not known from before.
  size_t computed_keys() const { return includes_.computed_keys() + excludes_.computed_keys(); }

 private:
  enum class Expect : uint8_t { kValue, kFirstItem, kFirstKey, kKey, kColon, kSeparator, kNothing };
  enum class Inside : uint8_t { kNothing, kKey, kString, kScalar, kSkipped, kSkippedString };

  struct Level {
    bool object = false;
    bool included = false;  // some include matches its path or a parent
    bool all = false;       // no pattern has anything to say about what is inside
    bool any = false;       // it had a member or an item
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
  bool kept_ = false;          // the leaf that is being read
  bool key_escaped_ = false;
  size_t skipped_depth_ = 0;   // open objects and arrays of what is left out
  std::string key_;            // its inside, as spelled
  std::string unescaped_key_;
  std::string escape_;         // the part of an escape that has come, its backslash first
  uint64_t read_ = 0;          // bytes before this piece
  const char* error_ = nullptr;
};

}  // namespace quarry
