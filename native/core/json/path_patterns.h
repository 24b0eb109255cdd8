// A set of path patterns with `*`, run one character at a time: what Elasticsearch compiles to an
// automaton for
// `_source` filtering. Every pattern also matches all below it ("a" matches "a.b").
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace quarry {

class PathPatterns {
 public:
  /// Where in the patterns a path has come to; empty: no pattern can match any more. Ascending,
  /// without duplicates.
  using State = std::vector<uint32_t>;

  explicit PathPatterns(const std::vector<std::string>& patterns);

  State start() const;
  State step(const State& state, std::string_view text) const;
  /// The path as far as read is matched by some pattern.
  bool accepts(const State& state) const;

 private:
  enum class Kind : uint8_t { kLiteral, kStar, kEnd, kBelow };
  struct Position {
    Kind kind;
    char literal;
  };

  void add(State& state, uint32_t position) const;

  /// All patterns one after the other; each ends with kEnd (matched here) and kBelow (matched above
  /// here).
  std::vector<Position> positions_;
  std::vector<uint32_t> starts_;
};

}  // namespace quarry
