// Patterns over paths of keys, compiled to one automaton. All patterns lie behind each other as
// positions, a state is the set of positions that a path has come to, and a step moves 64 of them
// at once (Baeza-Yates and Gonnet 1992, "Shift-And"), so that one pattern and thousands of them are
// matched in one pass. Two languages are compiled to it:
//
// `_source` (Syntax::kSource): a path is its keys with dots between them; `*` stands for any run of
// letters, dots included; a pattern matches all below it as well ("a" matches "a.b").
//
// `filter_path` (Syntax::kFilterPath): a pattern is keys with dots between them (`\.` is a dot of a
// key); `*` stands for any run of letters of one key, the key `**` for any number of keys.
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

  /// Letters of all patterns together. A step costs up to a few nanoseconds for 64 of them where the
  /// path fits them all; lists of field names are far below.
  static constexpr size_t kMostLetters = 256 * 1024;

  /// 64 positions of the set; `bits` is not 0.
  struct Word {
    uint32_t index = 0;
    uint64_t bits = 0;
  };
  /// Words that are not 0, ascending. Empty: no pattern can match any more.
  using State = std::vector<Word>;

  /// kIllegalArgument beyond kMostLetters; `name` is what the patterns are given by.
  static Result<PathPatterns> compile(std::span<const std::string_view> patterns, Syntax syntax,
                                      std::string_view name);

  /// Before the first key.
  State start() const;
  /// Behind one more letter of a key.
  void step(const State& from, char letter, State& to) const {
    move(from, class_of_[static_cast<unsigned char>(letter)], false, to);
  }
  /// Behind the end of a key.
  void end_key(const State& from, State& to) const {
    move(from, class_of_[kSeparator], true, to);
  }
  /// At the end of a key, before end_key(): some pattern matches the path, and all below it.
  bool matches(const State& state) const { return has_any(state, kEnd); }
  /// Behind end_key(): a value that is no object is matched, as only `**` is left of a pattern.
  bool matches_leaf(const State& state) const { return has_any(state, kRest); }

 private:
  static constexpr size_t kSeparator = 256;  // the symbol behind the last letter of a key

  /// What is special about positions.
  enum Mask : uint8_t {
    kLoop,        // stays there with every letter of a key
    kLoopBehind,  // stays there at the end of a key
    kSkip,        // may be passed over without a letter
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
  /// Symbols that no pattern names share class 0.
  std::array<uint16_t, kSeparator + 1> class_of_{};
  std::vector<uint64_t> literals_;  // [class][word]: positions that wait for a symbol of the class
  std::array<std::vector<uint64_t>, kMasks> masks_;
};

}  // namespace quarry
