// Patterns over paths of keys, compiled to one automaton. The positions of all patterns are
// numbered consecutively; a state is the set of positions that a path has reached, and a step moves
// 64 of them at once (Baeza-Yates and Gonnet 1992, "Shift-And"), so that one pattern or thousands
// of patterns are matched in one pass. Two pattern languages are supported:
//
// `_source` (Syntax::kSource): a path is its keys joined by dots; `*` matches any run of
// characters, including dots; a pattern also matches everything below it ("a" matches "a.b").
//
// `filter_path` (Syntax::kFilterPath): a pattern is keys joined by dots (`\.` is a dot in a key);
// `*` matches any run of characters in one key, the key `**` any number of keys.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace quarry {

/// Immutable, thread-safe.
class PathPatterns {
 public:
  enum class Syntax : uint8_t { kSource, kFilterPath };

  /// The maximum number of characters of all patterns together. A step costs up to a few
  /// nanoseconds per 64 characters if the path matches all patterns; lists of field names are far
  /// below the limit.
  static constexpr size_t kMostLetters = 256 * 1024;

  /// 64 positions of a set; `bits` is not 0.
  struct Word {
    uint32_t index = 0;
    uint64_t bits = 0;
  };
  /// The words that are not 0, ascending. Empty: no pattern can match.
  using State = std::vector<Word>;

  /// The error is kIllegalArgument for more than kMostLetters characters; `name` is the parameter
  /// of the patterns, for the error message.
  static Result<PathPatterns> compile(std::span<const std::string_view> patterns, Syntax syntax,
                                      std::string_view name);

  /// The state before the first key.
  State start() const;
  /// The state after one more character of a key.
  void step(const State& from, char letter, State& to) const {
    move(from, class_of_[static_cast<unsigned char>(letter)], false, to);
  }
  /// The state after the end of a key.
  void end_key(const State& from, State& to) const { move(from, class_of_[kSeparator], true, to); }
  /// At the end of a key, before end_key(): whether some pattern matches the path, and therefore
  /// everything below it.
  bool matches(const State& state) const { return has_any(state, kEnd); }
  /// After end_key(): whether a value that is not an object matches, because only `**` is left of a
  /// pattern.
  bool matches_leaf(const State& state) const { return has_any(state, kRest); }

 private:
  static constexpr size_t kSeparator = 256;  // the symbol after the last character of a key

  /// Properties of positions.
  enum Mask : uint8_t {
    kLoop,        // stays active with every character of a key
    kLoopBehind,  // stays active at the end of a key
    kSkip,        // may be skipped without a character
    kSkipBehind,  // the same, but only between two keys
    kEnd,
    kRest,
    kMasks
  };

  explicit PathPatterns(Syntax syntax) : syntax_(syntax) {}
  void add_source(std::string_view pattern);
  void add_path(std::string_view pattern);
  size_t add_position();
  void add_symbol(size_t symbol);
  void set(Mask mask, size_t position);
  void lay_out();
  void move(const State& from, size_t symbol_class, bool behind, State& to) const;
  uint64_t put(uint32_t index, uint64_t bits, bool behind, State& to) const;
  bool has_any(const State& state, Mask mask) const;

  Syntax syntax_;
  uint32_t words_ = 0;
  /// While patterns are added: the symbol that each position waits for, or kNoSymbol.
  std::vector<uint16_t> symbols_;
  std::vector<size_t> starts_;
  /// Symbols that are in no pattern share class 0.
  std::array<uint16_t, kSeparator + 1> class_of_{};
  std::vector<uint64_t> literals_;  // [class][word]: positions that wait for a symbol of the class
  std::array<std::vector<uint64_t>, kMasks> masks_;
};

}  // namespace quarry
