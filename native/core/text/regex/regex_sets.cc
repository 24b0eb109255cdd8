// Character classes and escapes of regular expressions.
#include <algorithm>

#include "text/analysis/utf8.h"
#include "text/regex/regex_syntax.h"

namespace quarry {
namespace {

using Ranges = std::vector<std::pair<uint32_t, uint32_t>>;

struct NamedRanges {
  std::string_view name;
  Ranges (*ranges)();
};

Ranges digits() { return {{'0', '9'}}; }
Ranges word() { return {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}}; }
Ranges space() { return {{'\t', '\r'}, {' ', ' '}}; }
Ranges horizontal() {
  return {{'\t', '\t'},     {' ', ' '},       {0xA0, 0xA0},     {0x1680, 0x1680}, {0x180E, 0x180E},
          {0x2000, 0x200A}, {0x202F, 0x202F}, {0x205F, 0x205F}, {0x3000, 0x3000}};
}
Ranges lower() { return {{'a', 'z'}}; }
Ranges upper() { return {{'A', 'Z'}}; }
Ranges alpha() { return {{'A', 'Z'}, {'a', 'z'}}; }
Ranges alnum() { return {{'0', '9'}, {'A', 'Z'}, {'a', 'z'}}; }
Ranges punct() { return {{'!', '/'}, {':', '@'}, {'[', '`'}, {'{', '~'}}; }
Ranges graph() { return {{'!', '~'}}; }
Ranges print() { return {{' ', '~'}}; }
Ranges blank() { return {{'\t', '\t'}, {' ', ' '}}; }
Ranges cntrl() { return {{0, 0x1F}, {0x7F, 0x7F}}; }
Ranges xdigit() { return {{'0', '9'}, {'A', 'F'}, {'a', 'f'}}; }
Ranges ascii() { return {{0, 0x7F}}; }

constexpr NamedRanges kPosix[] = {
    {"Lower", lower}, {"Upper", upper}, {"Alpha", alpha},   {"Digit", digits}, {"Alnum", alnum},
    {"Punct", punct}, {"Graph", graph}, {"Print", print},   {"Blank", blank},  {"Cntrl", cntrl},
    {"Space", space}, {"ASCII", ascii}, {"XDigit", xdigit},
};

constexpr uint32_t bit(Category category) { return 1U << static_cast<uint32_t>(category); }

struct NamedCategories {
  std::string_view name;
  uint32_t mask;
};
constexpr NamedCategories kCategories[] = {
    {"L", bit(Category::kLetter)},      {"M", bit(Category::kMark)},
    {"Nd", bit(Category::kDigit)},      {"N", bit(Category::kDigit) | bit(Category::kNumber)},
    {"P", bit(Category::kPunctuation)}, {"S", bit(Category::kSymbol)},
};

void add(CharSet& set, const Ranges& ranges, bool complement) {
  if (complement) {
    set.add_complement(ranges);
    return;
  }
  for (const auto& [first, last] : ranges) set.add_range(first, last);
}

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

/// \d \w \s \h and their complements.
bool RegexSetReader::add_shorthand(char letter, CharSet& set) const {
  const char kind = static_cast<char>(letter | 0x20);
  const bool complement = letter != kind;
  if (kind == 'd') {
    add(set, digits(), complement);
  } else if (kind == 'w') {
    add(set, word(), complement);
  } else if (kind == 's') {
    add(set, space(), complement);
  } else if (kind == 'h') {
    add(set, horizontal(), complement);
  } else {
    return false;
  }
  return true;
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
  for (const NamedRanges& posix : kPosix) {
    if (posix.name != name) continue;
    add(set, posix.ranges(), complement);
    return {};
  }
  const std::string_view base = name.starts_with("Is") ? name.substr(2) : name;
  for (const NamedCategories& entry : kCategories) {
    if (entry.name != base) continue;
    set.add_categories(entry.mask, complement);
    return {};
  }
  if (base == "Lu" || base == "Ll") {
    base == "Lu" ? set.add_upper(complement) : set.add_lower(complement);
    return {};
  }
  return regex_error(pattern_, "property [" + std::string(name) + "] is not supported");
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
  if (c >= '1' && c <= '9') return regex_error(pattern_, "back references are not supported");
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
  if (!at_end() && pattern_[at_] == '^') {
    set.negate();
    ++at_;
  }
  for (bool first = true;; first = false) {
    if (at_end()) return regex_error(pattern_, "unclosed character class");
    if (pattern_[at_] == ']' && !first) break;
    if (pattern_[at_] == '[')
      return regex_error(pattern_, "nested character classes are not supported");
    if (pattern_.substr(at_).starts_with("&&")) {
      return regex_error(pattern_, "intersections of character classes are not supported");
    }
    Literal low{false, 0};
    if (pattern_[at_] == '\\') {
      ++at_;
      QUARRY_ASSIGN_OR_RETURN(low, read_escaped(set));
      if (low.is_set) continue;
    } else {
      low.value = next_code_point();
    }
    uint32_t high = low.value;
    const bool range = at_ + 1 < pattern_.size() && pattern_[at_] == '-' &&
                       pattern_[at_ + 1] != ']' && pattern_[at_ + 1] != '[';
    if (range) {
      ++at_;
      if (pattern_[at_] == '\\') {
        ++at_;
        QUARRY_ASSIGN_OR_RETURN(const Literal end, read_escaped(set));
        if (end.is_set) return regex_error(pattern_, "a range ends with a set");
        high = end.value;
      } else {
        high = next_code_point();
      }
    }
    if (high < low.value) return regex_error(pattern_, "a range goes backwards");
    set.add_range(low.value, high);
  }
  ++at_;
  return {};
}

}  // namespace quarry
