// Recursive descent parser for Lucene's grammar (org.apache.lucene.util.automaton.RegExp).
#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

#include "query/automata/automaton.h"
#include "query/automata/regexp_syntax.h"

namespace quarry {
namespace {

constexpr uint32_t kMaxNesting = 200;
constexpr uint32_t kMaxRepeat = 1000;

Status syntax_error(const std::string& what) { return {ErrorType::kIllegalArgument, what}; }

class Parser {
 public:
  Parser(std::u32string text, uint32_t flags, bool fold, RegexpPool& pool)
      : text_(std::move(text)), flags_(flags), fold_(fold), pool_(pool) {}

  Result<RegexpPool::Id> parse() {
    if (text_.empty()) return RegexpPool::kEmpty;
    QUARRY_ASSIGN_OR_RETURN(const RegexpPool::Id id, parse_union());
    if (more()) return syntax_error("end-of-string expected at position " + position());
    return id;
  }

 private:
  bool more() const { return at_ < text_.size(); }
  bool peek(std::u32string_view any) const {
    return more() && any.find(text_[at_]) != std::u32string_view::npos;
  }
  bool match(char32_t symbol) {
    if (!more() || text_[at_] != symbol) return false;
    at_++;
    return true;
  }
  bool check(uint32_t flag) const { return (flags_ & flag) != 0; }
  std::string position() const { return std::to_string(at_); }

  Result<RegexpPool::Id> parse_union();
  Result<RegexpPool::Id> parse_intersection();
  Result<RegexpPool::Id> parse_concat();
  Result<RegexpPool::Id> parse_repeat();
  Result<RegexpPool::Id> parse_complement();
  Result<RegexpPool::Id> parse_simple();
  Result<RegexpPool::Id> parse_class();
  Result<SymbolRanges> parse_class_item();
  Result<RegexpPool::Id> parse_quoted();
  Result<RegexpPool::Id> parse_group();
  Result<RegexpPool::Id> parse_interval();
  Result<RegexpPool::Id> parse_counts(RegexpPool::Id repeated);
  Result<uint32_t> parse_count();
  Result<char32_t> parse_symbol();
  bool predefined(SymbolRanges& out);

  SymbolRanges fold_ranges(SymbolRanges ranges) const;
  RegexpPool::Id symbol(char32_t value) { return pool_.symbols(fold_ranges({{value, value}})); }
  RegexpPool::Id digits_between(const std::string& low, const std::string& high);
  RegexpPool::Id decimal_interval(uint32_t low, uint32_t high, size_t digits);

  std::u32string text_;
  size_t at_ = 0;
  uint32_t depth_ = 0;
  uint32_t flags_;
  bool fold_;
  RegexpPool& pool_;
};

Result<RegexpPool::Id> Parser::parse_union() {
  if (++depth_ > kMaxNesting)
    return syntax_error("regular expression is nested too deeply at position " + position());
  std::vector<RegexpPool::Id> parts;
  do {
    QUARRY_ASSIGN_OR_RETURN(const RegexpPool::Id part, parse_intersection());
    parts.push_back(part);
  } while (match(U'|'));
  depth_--;
  return pool_.unite(std::move(parts));
}

Result<RegexpPool::Id> Parser::parse_intersection() {
  std::vector<RegexpPool::Id> parts;
  do {
    QUARRY_ASSIGN_OR_RETURN(const RegexpPool::Id part, parse_concat());
    parts.push_back(part);
  } while (check(kRegexpIntersection) && match(U'&'));
  return parts.size() == 1 ? parts[0] : pool_.intersect(std::move(parts));
}

Result<RegexpPool::Id> Parser::parse_concat() {
  std::vector<RegexpPool::Id> parts;
  do {
    QUARRY_ASSIGN_OR_RETURN(const RegexpPool::Id part, parse_repeat());
    parts.push_back(part);
  } while (more() && !peek(U")|") && !(check(kRegexpIntersection) && peek(U"&")));
  RegexpPool::Id all = RegexpPool::kEmpty;
  for (size_t i = parts.size(); i-- > 0;) all = pool_.concat(parts[i], all);
  return all;
}

Result<RegexpPool::Id> Parser::parse_repeat() {
  QUARRY_ASSIGN_OR_RETURN(RegexpPool::Id id, parse_complement());
  while (peek(U"?*+{")) {
    if (match(U'?')) {
      id = pool_.repeat(id, 0, 1);
    } else if (match(U'*')) {
      id = pool_.repeat(id, 0, RegexpPool::kUnbounded);
    } else if (match(U'+')) {
      id = pool_.repeat(id, 1, RegexpPool::kUnbounded);
    } else {
      QUARRY_ASSIGN_OR_RETURN(id, parse_counts(id));
    }
  }
  return id;
}

Result<uint32_t> Parser::parse_count() {
  uint32_t value = 0;
  while (peek(U"0123456789")) {
    value = value * 10 + (text_[at_++] - U'0');
    if (value > kMaxRepeat)
      return syntax_error("repetition count is larger than 1000 at position " + position());
  }
  return value;
}

Result<RegexpPool::Id> Parser::parse_counts(RegexpPool::Id repeated) {
  match(U'{');
  if (!peek(U"0123456789")) return syntax_error("integer expected at position " + position());
  QUARRY_ASSIGN_OR_RETURN(const uint32_t min, parse_count());
  uint32_t max = min;
  if (match(U',')) {
    max = RegexpPool::kUnbounded;
    if (peek(U"0123456789")) {
      QUARRY_ASSIGN_OR_RETURN(max, parse_count());
    }
  }
  if (!match(U'}')) return syntax_error("expected '}' at position " + position());
  return pool_.repeat(repeated, min, max);
}

Result<RegexpPool::Id> Parser::parse_complement() {
  uint32_t times = 0;
  while (check(kRegexpComplement) && match(U'~')) times++;
  QUARRY_ASSIGN_OR_RETURN(const RegexpPool::Id id, parse_class());
  return times % 2 == 1 ? pool_.complement(id) : id;
}

Result<RegexpPool::Id> Parser::parse_class() {
  if (!match(U'[')) return parse_simple();
  const bool negate = match(U'^');
  SymbolRanges ranges;
  do {
    QUARRY_ASSIGN_OR_RETURN(const SymbolRanges item, parse_class_item());
    ranges.insert(ranges.end(), item.begin(), item.end());
  } while (more() && !peek(U"]"));
  if (!match(U']')) return syntax_error("expected ']' at position " + position());
  ranges = fold_ranges(std::move(ranges));
  return pool_.symbols(negate ? invert_ranges(ranges) : std::move(ranges));
}

Result<SymbolRanges> Parser::parse_class_item() {
  SymbolRanges ranges;
  if (predefined(ranges)) return ranges;
  QUARRY_ASSIGN_OR_RETURN(const char32_t first, parse_symbol());
  char32_t last = first;
  if (match(U'-')) {
    if (peek(U"]")) return SymbolRanges{{first, first}, {U'-', U'-'}};
    QUARRY_ASSIGN_OR_RETURN(last, parse_symbol());
    if (last < first)
      return syntax_error("invalid range: from (" + std::to_string(first) + ") cannot be > to (" +
                          std::to_string(last) + ")");
  }
  return SymbolRanges{{first, last}};
}

/// \d \s \w and their complements.
bool Parser::predefined(SymbolRanges& out) {
  if (at_ + 1 >= text_.size() || text_[at_] != U'\\') return false;
  switch (text_[at_ + 1]) {
    case U'd':
    case U'D':
      out = {{U'0', U'9'}};
      break;
    case U's':
    case U'S':
      out = {{U'\t', U'\n'}, {U'\r', U'\r'}, {U' ', U' '}};
      break;
    case U'w':
    case U'W':
      out = {{U'0', U'9'}, {U'A', U'Z'}, {U'_', U'_'}, {U'a', U'z'}};
      break;
    default:
      return false;
  }
  if (text_[at_ + 1] < U'a') out = invert_ranges(out);
  at_ += 2;
  return true;
}

Result<char32_t> Parser::parse_symbol() {
  match(U'\\');
  if (!more()) return syntax_error("unexpected end-of-string");
  return text_[at_++];
}

Result<RegexpPool::Id> Parser::parse_simple() {
  if (match(U'.')) return pool_.symbols(invert_ranges({}));
  if (check(kRegexpEmpty) && match(U'#')) return RegexpPool::kNothing;
  if (check(kRegexpAnyString) && match(U'@')) return pool_.any_text();
  if (match(U'"')) return parse_quoted();
  if (match(U'(')) return parse_group();
  if (check(kRegexpInterval) && match(U'<')) return parse_interval();
  SymbolRanges ranges;
  if (predefined(ranges)) return pool_.symbols(std::move(ranges));
  QUARRY_ASSIGN_OR_RETURN(const char32_t value, parse_symbol());
  return symbol(value);
}

Result<RegexpPool::Id> Parser::parse_quoted() {
  const size_t begin = at_;
  while (more() && !peek(U"\"")) at_++;
  const size_t end = at_;
  if (!match(U'"')) return syntax_error("expected '\"' at position " + position());
  RegexpPool::Id all = RegexpPool::kEmpty;
  for (size_t i = end; i-- > begin;) all = pool_.concat(symbol(text_[i]), all);
  return all;
}

Result<RegexpPool::Id> Parser::parse_group() {
  if (match(U')')) return RegexpPool::kEmpty;
  QUARRY_ASSIGN_OR_RETURN(const RegexpPool::Id id, parse_union());
  if (!match(U')')) return syntax_error("expected ')' at position " + position());
  return id;
}

Result<RegexpPool::Id> Parser::parse_interval() {
  std::string inner;
  while (more() && !peek(U">")) {
    const char32_t symbol = text_[at_++];
    inner += symbol < 0x80 ? static_cast<char>(symbol) : '?';
  }
  if (!match(U'>')) return syntax_error("expected '>' at position " + position());
  const Status wrong = syntax_error("interval syntax error at position " + std::to_string(at_ - 1));
  const size_t dash = inner.find('-');
  if (dash == std::string::npos || dash == 0 || dash + 1 == inner.size()) return wrong;
  const std::string_view low_text = std::string_view(inner).substr(0, dash);
  const std::string_view high_text = std::string_view(inner).substr(dash + 1);
  const auto parse = [](std::string_view text, uint32_t& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && value <= INT32_MAX;
  };
  uint32_t low = 0;
  uint32_t high = 0;
  if (!parse(low_text, low) || !parse(high_text, high)) return wrong;
  const size_t digits = low_text.size() == high_text.size() ? low_text.size() : 0;
  if (low > high) std::swap(low, high);
  return decimal_interval(low, high, digits);
}

/// Matches all strings of the same number of digits between `low` and `high`.
RegexpPool::Id Parser::digits_between(const std::string& low, const std::string& high) {
  if (low.empty()) return RegexpPool::kEmpty;
  const auto digit = [this](char a, char b) {
    return pool_.symbols({{static_cast<char32_t>(a), static_cast<char32_t>(b)}});
  };
  const std::string low_rest = low.substr(1);
  const std::string high_rest = high.substr(1);
  if (low[0] == high[0])
    return pool_.concat(digit(low[0], low[0]), digits_between(low_rest, high_rest));
  std::vector<RegexpPool::Id> parts;
  const std::string nines(low_rest.size(), '9');
  const std::string zeros(low_rest.size(), '0');
  parts.push_back(pool_.concat(digit(low[0], low[0]), digits_between(low_rest, nines)));
  parts.push_back(pool_.concat(digit(high[0], high[0]), digits_between(zeros, high_rest)));
  if (low[0] + 1 < high[0]) {
    const auto between = digit(static_cast<char>(low[0] + 1), static_cast<char>(high[0] - 1));
    const auto count = static_cast<uint32_t>(low_rest.size());
    parts.push_back(pool_.concat(between, pool_.repeat(digit('0', '9'), count, count)));
  }
  return pool_.unite(std::move(parts));
}

/// `digits` > 0: exactly that many digits; 0: any number of leading zeros.
RegexpPool::Id Parser::decimal_interval(uint32_t low, uint32_t high, size_t digits) {
  const auto padded = [](uint32_t value, size_t length) {
    std::string text = std::to_string(value);
    return text.size() < length ? std::string(length - text.size(), '0') + text : text;
  };
  if (digits > 0) return digits_between(padded(low, digits), padded(high, digits));
  std::vector<RegexpPool::Id> parts;
  const size_t longest = std::to_string(high).size();
  for (size_t length = std::to_string(low).size(); length <= longest; length++) {
    uint64_t smallest = 1;
    for (size_t i = 1; i < length; i++) smallest *= 10;
    const uint64_t from = std::max<uint64_t>(low, length == 1 ? 0 : smallest);
    const uint64_t to = std::min<uint64_t>(high, smallest * 10 - 1);
    if (from > to) continue;
    parts.push_back(digits_between(padded(static_cast<uint32_t>(from), length),
                                   padded(static_cast<uint32_t>(to), length)));
  }
  const RegexpPool::Id zeros =
      pool_.repeat(pool_.symbols({{U'0', U'0'}}), 0, RegexpPool::kUnbounded);
  return pool_.concat(zeros, pool_.unite(std::move(parts)));
}

SymbolRanges Parser::fold_ranges(SymbolRanges ranges) const {
  if (!fold_) return ranges;
  const size_t count = ranges.size();
  for (size_t i = 0; i < count; i++) {
    const auto [first, last] = ranges[i];
    const auto add = [&ranges](char32_t low, char32_t high, int32_t shift) {
      if (low > high) return;
      ranges.emplace_back(static_cast<char32_t>(static_cast<int32_t>(low) + shift),
                          static_cast<char32_t>(static_cast<int32_t>(high) + shift));
    };
    add(std::max(first, U'a'), std::min(last, U'z'), -32);
    add(std::max(first, U'A'), std::min(last, U'Z'), 32);
  }
  return normalize_ranges(std::move(ranges));
}

}  // namespace

Result<uint32_t> parse_regexp_flags(std::string_view names) {
  if (names.empty()) return uint32_t{kRegexpAll};
  uint32_t flags = 0;
  while (!names.empty()) {
    const size_t end = std::min(names.find('|'), names.size());
    std::string name(names.substr(0, end));
    names.remove_prefix(std::min(end + 1, names.size()));
    const std::string given = name;
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
    if (name == "NONE") return uint32_t{0};
    if (name == "ALL") {
      flags |= kRegexpAll;
    } else if (name == "INTERSECTION") {
      flags |= kRegexpIntersection;
    } else if (name == "COMPLEMENT") {
      flags |= kRegexpComplement;
    } else if (name == "EMPTY") {
      flags |= kRegexpEmpty;
    } else if (name == "ANYSTRING") {
      flags |= kRegexpAnyString;
    } else if (name == "INTERVAL") {
      flags |= kRegexpInterval;
    } else if (!name.empty()) {
      return Status(ErrorType::kIllegalArgument, "Unknown regexp flag [" + given + "]");
    }
  }
  return flags;
}

Result<RegexpPool::Id> parse_regexp(std::string_view pattern, uint32_t flags, bool fold,
                                    RegexpPool& pool) {
  return Parser(decode_utf8(pattern), flags, fold, pool).parse();
}

}  // namespace quarry
