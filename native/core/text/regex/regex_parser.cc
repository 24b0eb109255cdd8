// Recursive descent over the pattern: alternation, concatenation, repetition, atoms.
#include <algorithm>

#include "text/analysis/utf8.h"
#include "text/regex/regex_syntax.h"

namespace quarry {
namespace {

constexpr size_t kMaxDepth = 100;      // nested groups
constexpr uint32_t kMaxRepeat = 1000;  // {n,m}
constexpr size_t kMaxGroups = 100;
constexpr size_t kMaxLooks =
    20;  // each of which takes a pass over the text and a bit for each byte

class Parser {
 public:
  Parser(std::string_view pattern, RegexFlags flags) : pattern_(pattern), flags_(flags) {}

  Result<RegexTree> run() {
    if (!is_valid_utf8(pattern_)) return regex_error(pattern_, "not valid UTF-8");
    QUARRY_ASSIGN_OR_RETURN(tree_.root, flags_.literal ? parse_literal() : parse_alternation());
    if (at_ < pattern_.size()) return regex_error(pattern_, "unmatched closing [)]");
    return std::move(tree_);
  }

 private:
  using Node = Result<uint32_t>;

  bool at_end() const { return at_ >= pattern_.size(); }
  bool looking_at(std::string_view text) const { return pattern_.substr(at_).starts_with(text); }
  bool accept(std::string_view text) {
    if (!looking_at(text)) return false;
    at_ += text.size();
    return true;
  }

  uint32_t add(RegexNode node) {
    tree_.nodes.push_back(std::move(node));
    return static_cast<uint32_t>(tree_.nodes.size() - 1);
  }
  uint32_t add_set(CharSet set) {
    set.finish(flags_.ignore_case, flags_.unicode_case);
    tree_.sets.push_back(std::move(set));
    return add({RegexNodeKind::kSet, static_cast<uint32_t>(tree_.sets.size() - 1), 0, true, {}});
  }
  uint32_t add_literal(uint32_t cp) {
    CharSet set;
    set.add_range(cp, cp);
    return add_set(std::move(set));
  }
  uint32_t add_assert(RegexAssert kind) {
    return add({RegexNodeKind::kAssert, static_cast<uint32_t>(kind), 0, true, {}});
  }
  uint32_t read_literal() {
    const CodePoint cp = decode_utf8(pattern_, at_);
    at_ += cp.bytes;
    return add_literal(cp.value);
  }

  Node parse_literal() {
    RegexNode all{RegexNodeKind::kConcat, 0, 0, true, {}};
    while (!at_end()) all.children.push_back(read_literal());
    return add(std::move(all));
  }

  /// Skips white space and comments if the COMMENTS flag is set.
  void skip_comments() {
    while (flags_.comments && !at_end()) {
      const char c = pattern_[at_];
      if (c == '#') {
        at_ = std::min(pattern_.find('\n', at_), pattern_.size());
      } else if (c == ' ' || (c >= '\t' && c <= '\r')) {
        ++at_;
      } else {
        return;
      }
    }
  }

  Node parse_alternation() {
    RegexNode either{RegexNodeKind::kAlternation, 0, 0, true, {}};
    do {
      QUARRY_ASSIGN_OR_RETURN(const uint32_t branch, parse_concat());
      either.children.push_back(branch);
    } while (accept("|"));
    return either.children.size() == 1 ? either.children.front() : add(std::move(either));
  }

  Node parse_concat() {
    RegexNode all{RegexNodeKind::kConcat, 0, 0, true, {}};
    for (;;) {
      skip_comments();
      if (at_end() || looking_at("|") || looking_at(")")) break;
      QUARRY_ASSIGN_OR_RETURN(const uint32_t atom, parse_atom());
      QUARRY_ASSIGN_OR_RETURN(const uint32_t repeated, parse_quantifiers(atom));
      all.children.push_back(repeated);
    }
    return all.children.size() == 1 ? all.children.front() : add(std::move(all));
  }

  Node parse_quantifiers(uint32_t atom) {
    skip_comments();
    uint32_t low = 0;
    uint32_t high = RegexNode::kUnbounded;
    if (accept("*")) {
      low = 0;
    } else if (accept("+")) {
      low = 1;
    } else if (accept("?")) {
      high = 1;
    } else if (looking_at("{")) {
      QUARRY_RETURN_IF_ERROR(parse_counts(low, high));
    } else {
      return atom;
    }
    if (looking_at("+")) {
      return regex_error(pattern_,
                         "possessive quantifiers are not supported; leave out the second [+], "
                         "matching takes linear time without it");
    }
    const bool greedy = !accept("?");
    if (looking_at("*") || looking_at("{") || looking_at("?")) {
      return regex_error(pattern_, "a quantifier follows a quantifier");
    }
    return add({RegexNodeKind::kRepeat, low, high, greedy, {atom}});
  }

  Status parse_counts(uint32_t& low, uint32_t& high) {
    ++at_;
    const Status bad = regex_error(pattern_, "bad repetition count");
    if (!read_count(low)) return bad;
    high = low;
    if (accept(",")) {
      high = RegexNode::kUnbounded;
      if (!looking_at("}") && !read_count(high)) return bad;
    }
    if (!accept("}") || low > high) return bad;
    const bool too_many = low > kMaxRepeat || (high != RegexNode::kUnbounded && high > kMaxRepeat);
    if (!too_many) return {};
    return regex_error(pattern_, "more than " + std::to_string(kMaxRepeat) + " repetitions");
  }

  bool read_count(uint32_t& value) {
    const size_t start = at_;
    value = 0;
    while (!at_end() && pattern_[at_] >= '0' && pattern_[at_] <= '9' && at_ - start < 9) {
      value = value * 10 + static_cast<uint32_t>(pattern_[at_++] - '0');
    }
    return at_ > start;
  }

  Node parse_atom() {
    const char c = pattern_[at_];
    if (c == '(') return parse_group();
    if (c == '[') {
      ++at_;
      CharSet set;
      QUARRY_RETURN_IF_ERROR(RegexSetReader(pattern_, at_).read_class(set));
      return add_set(std::move(set));
    }
    if (c == '\\') return parse_escape();
    if (c == '*' || c == '+' || c == '?' || c == '{') {
      return regex_error(pattern_, "dangling quantifier");
    }
    if (accept("^")) {
      return add_assert(flags_.multiline ? RegexAssert::kLineStart : RegexAssert::kTextStart);
    }
    if (accept("$")) {
      return add_assert(flags_.multiline ? RegexAssert::kLineEnd
                                         : RegexAssert::kTextEndOrLastNewline);
    }
    if (accept(".")) return add_set(any_char());
    return read_literal();
  }

  CharSet any_char() const {
    CharSet set;
    if (flags_.dot_all) {
      set.add_range(0, 0x10FFFF);
    } else {
      set.add_ranges({{'\n', '\n'}, {'\r', '\r'}, {0x85, 0x85}, {0x2028, 0x2029}}, true);
    }
    return set;
  }

  Node parse_escape() {
    ++at_;
    if (accept("Q")) return parse_quoted();
    CharSet set;
    QUARRY_ASSIGN_OR_RETURN(const bool is_set, RegexSetReader(pattern_, at_).read_escape(set));
    if (is_set) return add_set(std::move(set));
    switch (pattern_[at_++]) {
      case 'b':
        return add_assert(RegexAssert::kWordBoundary);
      case 'B':
        return add_assert(RegexAssert::kNotWordBoundary);
      case 'A':
        return add_assert(RegexAssert::kTextStart);
      case 'z':
        return add_assert(RegexAssert::kTextEnd);
      default:
        return add_assert(RegexAssert::kTextEndOrLastNewline);
    }
  }

  Node parse_quoted() {
    RegexNode all{RegexNodeKind::kConcat, 0, 0, true, {}};
    while (!at_end() && !accept("\\E")) all.children.push_back(read_literal());
    return add(std::move(all));
  }

  Node parse_group() {
    ++at_;
    if (++depth_ > kMaxDepth) return regex_error(pattern_, "too deeply nested");
    const RegexFlags outer = flags_;
    uint32_t number = 0;
    for (const LookKind& look : kLooks) {
      if (accept(look.start)) return parse_look(look, outer);
    }
    if (accept("?")) {
      bool flags_only = false;
      QUARRY_RETURN_IF_ERROR(parse_group_head(number, flags_only));
      if (flags_only) {  // (?i): applies until the end of the enclosing group
        --depth_;
        return add({});
      }
    } else {
      number = static_cast<uint32_t>(++tree_.group_count);
    }
    if (tree_.group_count > kMaxGroups) return regex_error(pattern_, "too many groups");
    QUARRY_ASSIGN_OR_RETURN(const uint32_t body, parse_alternation());
    if (!accept(")")) return regex_error(pattern_, "unclosed group");
    flags_ = outer;
    --depth_;
    return number == 0 ? body : add({RegexNodeKind::kGroup, number, 0, true, {body}});
  }

  struct LookKind {
    std::string_view start;  // behind the parenthesis
    bool behind;
    bool negated;
  };
  static constexpr LookKind kLooks[] = {
      {"?=", false, false}, {"?!", false, true}, {"?<=", true, false}, {"?<!", true, true}};

  Node parse_look(const LookKind& look, const RegexFlags& outer) {
    const size_t groups = tree_.group_count;
    QUARRY_ASSIGN_OR_RETURN(const uint32_t body, parse_alternation());
    if (!accept(")")) return regex_error(pattern_, "unclosed group");
    if (tree_.group_count > groups)
      return regex_error(pattern_, "a group in a look-around captures nothing; write [(?:]");
    if (++looks_ > kMaxLooks)
      return regex_error(pattern_, "more than " + std::to_string(kMaxLooks) + " look-arounds");
    flags_ = outer;
    --depth_;
    return add({RegexNodeKind::kLook, look.behind ? 1U : 0U, look.negated ? 1U : 0U, true, {body}});
  }

  /// Parses the part between (? and the body of a group.
  Status parse_group_head(uint32_t& number, bool& flags_only) {
    if (looking_at(">"))
      return regex_error(pattern_,
                         "atomic groups are not supported; write [(?:], which takes linear time");
    if (accept("<")) {
      const size_t close = pattern_.find('>', at_);
      if (close == std::string_view::npos) return regex_error(pattern_, "unclosed group name");
      number = static_cast<uint32_t>(++tree_.group_count);
      tree_.names.emplace(pattern_.substr(at_, close - at_), number);
      at_ = close + 1;
      return {};
    }
    bool on = true;
    for (; !at_end() && !looking_at(":") && !looking_at(")"); ++at_) {
      switch (pattern_[at_]) {
        case '-':
          on = false;
          break;
        case 'i':
          flags_.ignore_case = on;
          break;
        case 'm':
          flags_.multiline = on;
          break;
        case 's':
          flags_.dot_all = on;
          break;
        case 'u':
          flags_.unicode_case = on;
          break;
        case 'x':
          flags_.comments = on;
          break;
        default:
          return regex_error(pattern_,
                             std::string("flag [") + pattern_[at_] + "] is not supported");
      }
    }
    if (at_end()) return regex_error(pattern_, "unclosed group");
    flags_only = pattern_[at_++] == ')';
    return {};
  }

  const std::string_view pattern_;
  RegexFlags flags_;
  size_t at_ = 0;
  size_t depth_ = 0;
  size_t looks_ = 0;
  RegexTree tree_;
};

}  // namespace

Result<RegexTree> parse_regex(std::string_view pattern, RegexFlags flags) {
  return Parser(pattern, flags).run();
}

}  // namespace quarry
