// The syntax tree of a regular expression, between the parser and the compiler.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "text/regex/regex_program.h"

namespace quarry {

enum class RegexNodeKind : uint8_t {
  kEmpty,
  kSet,          // x: index into sets
  kConcat,       // children
  kAlternation,  // children, preferred first
  kRepeat,       // children[0], x..y times (y == kUnbounded: no limit), greedy or not
  kGroup,        // children[0], x: group number
  kAssert,       // x: RegexAssert
  kLook,         // children[0]; x: 1 for a look-behind; y: 1 for a negated one
};

struct RegexNode {
  static constexpr uint32_t kUnbounded = UINT32_MAX;

  RegexNodeKind kind = RegexNodeKind::kEmpty;
  uint32_t x = 0;
  uint32_t y = 0;
  bool greedy = true;
  std::vector<uint32_t> children;  // indices into RegexTree::nodes
};

struct RegexTree {
  std::vector<RegexNode> nodes;
  uint32_t root = 0;
  std::vector<CharSet> sets;
  size_t group_count = 0;
  std::map<std::string, size_t, std::less<>> names;
};

Result<RegexTree> parse_regex(std::string_view pattern, RegexFlags flags);

/// Reads the part of a pattern that denotes one character or a set of characters. Used by the
/// parser.
class RegexSetReader {
 public:
  RegexSetReader(std::string_view pattern, size_t& at) : pattern_(pattern), at_(at) {}

  /// A class after its '['.
  Status read_class(CharSet& set);
  /// Reads an escape after its '\'. Returns false for escapes that are not a character or a set
  /// (\b, \A …).
  Result<bool> read_escape(CharSet& set);

 private:
  struct Literal {
    bool is_set;     // the escape was a set and is already in `set`
    uint32_t value;  // otherwise the character
  };
  /// The items of a class up to its end or to "&&"; `first`: a "]" at the start is a character.
  Status read_class_items(CharSet& set, bool first);
  Status read_class_item(CharSet& set);
  Result<Literal> read_escaped(CharSet& set);
  Result<uint32_t> read_hex(size_t digits);
  Status read_property(CharSet& set, bool complement);
  bool add_shorthand(char letter, CharSet& set) const;
  bool at_end() const { return at_ >= pattern_.size(); }
  bool looking_at(std::string_view text) const { return pattern_.substr(at_).starts_with(text); }
  bool accept(std::string_view text) {
    if (!looking_at(text)) return false;
    at_ += text.size();
    return true;
  }
  uint32_t next_code_point();

  const std::string_view pattern_;
  size_t& at_;
  size_t class_depth_ = 0;
};

/// Adds the characters of \p{name}, or, with `complement`, the others. False for a name that is not
/// supported.
bool add_regex_property(std::string_view name, bool complement, CharSet& set);

/// "Invalid regular expression [pattern]: what".
Status regex_error(std::string_view pattern, const std::string& what);

}  // namespace quarry
