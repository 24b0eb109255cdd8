// Character classes and escapes of regular expressions.
#include <algorithm>

#include "text/analysis/utf8.h"
#include "text/regex/regex_syntax.h"

namespace quarry {
namespace {

/// The characters of \d \w \s \h \v; empty for another letter.
RegexRanges shorthand_ranges(char letter) {
  switch (letter) {
    case 'd':
      return {{'0', '9'}};
    case 'w':
      return {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}};
    case 's':
      return {{'\t', '\r'}, {' ', ' '}};
    case 'h':
      return {{'\t', '\t'},     {' ', ' '},       {0xA0, 0xA0},
              {0x1680, 0x1680}, {0x180E, 0x180E}, {0x2000, 0x200A},
              {0x202F, 0x202F}, {0x205F, 0x205F}, {0x3000, 0x3000}};
    case 'v':
      return {{'\n', '\r'}, {0x85, 0x85}, {0x2028, 0x2029}};
    default:
      return {};
  }
}

constexpr size_t kMaxClassDepth = 20;  // nested classes

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

}  // namespace

Status regex_error(std::string_view pattern, const std::string& what) {
  return Status(ErrorType::kIllegalArgument,
                "Invalid regular expression [" + std::string(pattern) + "]: " + what);
}

uint32_t RegexSetReader::next_code_point() {
  const CodePoint cp = decode_utf8(pattern_, at_);
  at_ += cp.bytes;
  return cp.value;
}

/// \d \w \s \h \v and their complements.
bool RegexSetReader::add_shorthand(char letter, CharSet& set) const {
  const char kind = static_cast<char>(letter | 0x20);
  const RegexRanges ranges = shorthand_ranges(kind);
  if (!ranges.empty()) set.add_ranges(ranges, letter != kind);
  return !ranges.empty();
}

Result<uint32_t> RegexSetReader::read_hex(size_t digit_count) {
  const bool braces = digit_count == 2 && !at_end() && pattern_[at_] == '{';
  if (braces) ++at_;
  uint32_t value = 0;
  size_t seen = 0;
  while (!at_end() && (braces || seen < digit_count) && hex_value(pattern_[at_]) >= 0 && seen < 6) {
    value = value * 16 + static_cast<uint32_t>(hex_value(pattern_[at_++]));
    ++seen;
  }
  const bool closed = !braces || (!at_end() && pattern_[at_] == '}');
  if (braces && closed) ++at_;
  if (!closed || (braces ? seen == 0 : seen != digit_count) || value > 0x10FFFF) {
    return regex_error(pattern_, "bad hexadecimal escape");
  }
  return value;
}

Status RegexSetReader::read_property(CharSet& set, bool complement) {
  if (at_end()) return regex_error(pattern_, "\\p without a property");
  std::string_view name = pattern_.substr(at_, 1);
  if (name == "{") {
    const size_t close = pattern_.find('}', at_);
    if (close == std::string_view::npos) return regex_error(pattern_, "unclosed \\p{");
    name = pattern_.substr(at_ + 1, close - at_ - 1);
    at_ = close + 1;
  } else {
    ++at_;
  }
  if (add_regex_property(name, complement, set)) return {};
  return regex_error(pattern_, "property [" + std::string(name) +
                                   "] is not supported; write its characters as ranges, such as "
                                   "[\\u0370-\\u03FF]");
}

Result<RegexSetReader::Literal> RegexSetReader::read_escaped(CharSet& set) {
  if (at_end()) return regex_error(pattern_, "ends with a backslash");
  const char c = pattern_[at_];
  const auto literal = [this](uint32_t value) {
    ++at_;
    return Result<Literal>(Literal{false, value});
  };
  switch (c) {
    case 't':
      return literal('\t');
    case 'n':
      return literal('\n');
    case 'r':
      return literal('\r');
    case 'f':
      return literal('\f');
    case 'a':
      return literal(7);
    case 'e':
      return literal(27);
    case 'x':
    case 'u': {
      ++at_;
      QUARRY_ASSIGN_OR_RETURN(const uint32_t value, read_hex(c == 'x' ? 2 : 4));
      return Literal{false, value};
    }
    case 'p':
    case 'P':
      ++at_;
      QUARRY_RETURN_IF_ERROR(read_property(set, c == 'P'));
      return Literal{true, 0};
    default:
      break;
  }
  const bool alphanumeric = is_regex_word(static_cast<unsigned char>(c)) && c != '_';
  if (!alphanumeric) return Literal{false, next_code_point()};
  if (add_shorthand(c, set)) return literal(0).ok() ? Literal{true, 0} : Literal{};
  if (c >= '1' && c <= '9')
    return regex_error(pattern_,
                       "back references are not supported; write out what may be repeated");
  return regex_error(pattern_, std::string("escape [\\") + c + "] is not supported");
}

Result<bool> RegexSetReader::read_escape(CharSet& set) {
  constexpr std::string_view kAssertions = "bBAzZ";
  if (!at_end() && kAssertions.find(pattern_[at_]) != std::string_view::npos) return false;
  QUARRY_ASSIGN_OR_RETURN(const Literal found, read_escaped(set));
  if (!found.is_set) set.add_range(found.value, found.value);
  return true;
}

Status RegexSetReader::read_class(CharSet& set) {
  if (++class_depth_ > kMaxClassDepth) return regex_error(pattern_, "too deeply nested");
  if (accept("^")) set.negate();
  QUARRY_RETURN_IF_ERROR(read_class_items(set, true));
  while (accept("&&")) {
    CharSet other;
    QUARRY_RETURN_IF_ERROR(read_class_items(other, false));
    set.intersect(std::move(other));
  }
  ++at_;
  --class_depth_;
  return {};
}

Status RegexSetReader::read_class_items(CharSet& set, bool first) {
  const size_t start = at_;
  for (;; first = false) {
    if (at_end()) return regex_error(pattern_, "unclosed character class");
    if (looking_at("&&") || (looking_at("]") && !first)) break;
    if (accept("[")) {
      CharSet nested;
      QUARRY_RETURN_IF_ERROR(read_class(nested));
      set.unite(std::move(nested));
    } else {
      QUARRY_RETURN_IF_ERROR(read_class_item(set));
    }
  }
  if (at_ > start) return {};
  return regex_error(pattern_, "an intersection of character classes has an empty side");
}

/// A character, a range of characters, or an escape that is a set.
Status RegexSetReader::read_class_item(CharSet& set) {
  Literal low{false, 0};
  if (accept("\\")) {
    QUARRY_ASSIGN_OR_RETURN(low, read_escaped(set));
    if (low.is_set) return {};
  } else {
    low.value = next_code_point();
  }
  uint32_t high = low.value;
  const bool range = at_ + 1 < pattern_.size() && pattern_[at_] == '-' &&
                     pattern_[at_ + 1] != ']' && pattern_[at_ + 1] != '[';
  if (range) {
    ++at_;
    if (accept("\\")) {
      QUARRY_ASSIGN_OR_RETURN(const Literal end, read_escaped(set));
      if (end.is_set) return regex_error(pattern_, "a range ends with a set");
      high = end.value;
    } else {
      high = next_code_point();
    }
  }
  if (high < low.value) return regex_error(pattern_, "a range goes backwards");
  set.add_range(low.value, high);
  return {};
}

}  // namespace quarry
