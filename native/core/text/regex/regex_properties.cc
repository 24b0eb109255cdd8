// The properties of \p{...}: POSIX classes of ASCII, general categories, scripts, blocks and the
// names of Java, each of which becomes a part of a character set.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/analysis/unicode.h"
#include "text/regex/regex_syntax.h"

namespace quarry {
namespace {

struct ScriptName {
  std::string_view name;
  std::string_view code;  // ISO 15924
};
struct ScriptRange {
  uint32_t start;
  uint32_t end;
  uint8_t script;  // from 1, the place in kScriptNames
};

#include "text/unicode/script_tables.inc"

using Ranges = RegexRanges;

struct NamedRanges {
  std::string_view name;
  Ranges (*ranges)();
};
constexpr NamedRanges kPosix[] = {
    {"Lower", [] { return Ranges{{'a', 'z'}}; }},
    {"Upper", [] { return Ranges{{'A', 'Z'}}; }},
    {"Alpha", [] { return Ranges{{'A', 'Z'}, {'a', 'z'}}; }},
    {"Digit", [] { return Ranges{{'0', '9'}}; }},
    {"Alnum", [] { return Ranges{{'0', '9'}, {'A', 'Z'}, {'a', 'z'}}; }},
    {"Punct", [] { return Ranges{{'!', '/'}, {':', '@'}, {'[', '`'}, {'{', '~'}}; }},
    {"Graph", [] { return Ranges{{'!', '~'}}; }},
    {"Print", [] { return Ranges{{' ', '~'}}; }},
    {"Blank", [] { return Ranges{{'\t', '\t'}, {' ', ' '}}; }},
    {"Cntrl", [] { return Ranges{{0, 0x1F}, {0x7F, 0x7F}}; }},
    {"Space", [] { return Ranges{{'\t', '\r'}, {' ', ' '}}; }},
    {"ASCII", [] { return Ranges{{0, 0x7F}}; }},
    {"XDigit", [] { return Ranges{{'0', '9'}, {'A', 'F'}, {'a', 'f'}}; }},
};

/// The two letters of the general categories, in the order of GeneralCategory.
constexpr std::string_view kCategoryNames[] = {
    "Cn", "Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "No", "Pc", "Pd", "Ps",
    "Pe", "Pi", "Pf", "Po", "Sm", "Sc", "Sk", "So", "Zs", "Zl", "Zp", "Cc", "Cf", "Co", "Cs"};

struct CategoryAlias {
  std::string_view name;
  std::string_view categories;  // two letters or a first letter each, separated by spaces
};
/// Names that are unions of categories: LC and LD of Java, binary properties behind "Is", and
/// methods of Java's Character behind "java".
constexpr CategoryAlias kCategoryAliases[] = {
    {"LC", "Lu Ll Lt"},      {"LD", "L Nd"},
    {"IsLetter", "L"},       {"IsDigit", "Nd"},
    {"IsPunctuation", "P"},  {"IsControl", "Cc"},
    {"IsTitlecase", "Lt"},   {"javaLetter", "L"},
    {"javaDigit", "Nd"},     {"javaLetterOrDigit", "L Nd"},
    {"javaTitleCase", "Lt"}, {"javaISOControl", "Cc"},
};

struct Block {
  std::string_view name;  // without spaces, hyphens and underscores, in lower case
  uint32_t first;
  uint32_t last;
};
constexpr Block kBlocks[] = {
    {"basiclatin", 0x0, 0x7F},
    {"latin1supplement", 0x80, 0xFF},
    {"latinextendeda", 0x100, 0x17F},
    {"latinextendedb", 0x180, 0x24F},
    {"ipaextensions", 0x250, 0x2AF},
    {"spacingmodifierletters", 0x2B0, 0x2FF},
    {"combiningdiacriticalmarks", 0x300, 0x36F},
    {"greek", 0x370, 0x3FF},
    {"greekandcoptic", 0x370, 0x3FF},
    {"cyrillic", 0x400, 0x4FF},
    {"cyrillicsupplement", 0x500, 0x52F},
    {"armenian", 0x530, 0x58F},
    {"hebrew", 0x590, 0x5FF},
    {"arabic", 0x600, 0x6FF},
    {"devanagari", 0x900, 0x97F},
    {"bengali", 0x980, 0x9FF},
    {"tamil", 0xB80, 0xBFF},
    {"thai", 0xE00, 0xE7F},
    {"georgian", 0x10A0, 0x10FF},
    {"hanguljamo", 0x1100, 0x11FF},
    {"latinextendedadditional", 0x1E00, 0x1EFF},
    {"greekextended", 0x1F00, 0x1FFF},
    {"generalpunctuation", 0x2000, 0x206F},
    {"superscriptsandsubscripts", 0x2070, 0x209F},
    {"currencysymbols", 0x20A0, 0x20CF},
    {"letterlikesymbols", 0x2100, 0x214F},
    {"numberforms", 0x2150, 0x218F},
    {"arrows", 0x2190, 0x21FF},
    {"mathematicaloperators", 0x2200, 0x22FF},
    {"cjksymbolsandpunctuation", 0x3000, 0x303F},
    {"hiragana", 0x3040, 0x309F},
    {"katakana", 0x30A0, 0x30FF},
    {"bopomofo", 0x3100, 0x312F},
    {"hangulcompatibilityjamo", 0x3130, 0x318F},
    {"cjkunifiedideographsextensiona", 0x3400, 0x4DBF},
    {"cjkunifiedideographs", 0x4E00, 0x9FFF},
    {"hangulsyllables", 0xAC00, 0xD7AF},
    {"cjkcompatibilityideographs", 0xF900, 0xFAFF},
    {"halfwidthandfullwidthforms", 0xFF00, 0xFFEF},
};

/// The categories of a name such as "Lu" or "L", as bits; 0 when it is none.
uint32_t category_mask(std::string_view name) {
  uint32_t mask = 0;
  for (size_t i = 0; i < std::size(kCategoryNames); ++i) {
    const bool whole_group = name.size() == 1 && kCategoryNames[i].front() == name.front();
    if (whole_group || kCategoryNames[i] == name) mask |= 1U << i;
  }
  return mask;
}

uint32_t alias_mask(std::string_view name) {
  for (const CategoryAlias& alias : kCategoryAliases) {
    if (alias.name != name) continue;
    uint32_t mask = 0;
    std::string_view left = alias.categories;
    while (!left.empty()) {
      const size_t space = std::min(left.find(' '), left.size());
      mask |= category_mask(left.substr(0, space));
      left.remove_prefix(std::min(space + 1, left.size()));
    }
    return mask;
  }
  return 0;
}

/// The ranges of a script by its name or code, in any case; empty when it has no table.
Ranges script_ranges(std::string_view name) {
  const std::string wanted = to_lower(name);
  Ranges out;
  for (size_t i = 0; i < std::size(kScriptNames); ++i) {
    if (to_lower(kScriptNames[i].name) != wanted && to_lower(kScriptNames[i].code) != wanted)
      continue;
    for (const ScriptRange& range : kScriptRanges) {
      if (range.script == i + 1) out.emplace_back(range.start, range.end);
    }
  }
  return out;
}

Ranges block_ranges(std::string_view name) {
  std::string wanted = to_lower(name);
  std::erase_if(wanted, [](char c) { return c == ' ' || c == '_' || c == '-'; });
  for (const Block& block : kBlocks) {
    if (block.name == wanted) return {{block.first, block.last}};
  }
  return {};
}

/// Ranges of names that are not unions of categories; empty for other names.
Ranges find_ranges(std::string_view name) {
  for (const NamedRanges& posix : kPosix) {
    if (posix.name == name) return posix.ranges();
  }
  if (name == "IsWhite_Space" || name == "IsWhiteSpace")
    return {{'\t', '\r'},     {' ', ' '},       {0x85, 0x85},     {0xA0, 0xA0},
            {0x1680, 0x1680}, {0x2000, 0x200A}, {0x2028, 0x2029}, {0x202F, 0x202F},
            {0x205F, 0x205F}, {0x3000, 0x3000}};
  if (name.starts_with("Is")) return script_ranges(name.substr(2));
  if (name.starts_with("In")) return block_ranges(name.substr(2));
  const size_t equals = name.find('=');
  if (equals == std::string_view::npos) return {};
  const std::string key = to_lower(name.substr(0, equals));
  const std::string_view value = name.substr(equals + 1);
  if (key == "sc" || key == "script") return script_ranges(value);
  if (key == "blk" || key == "block") return block_ranges(value);
  return {};
}

/// "Lu", "IsLu", "gc=Lu" and "general_category=Lu".
std::string_view category_part(std::string_view name) {
  const size_t equals = name.find('=');
  if (equals != std::string_view::npos) {
    const std::string key = to_lower(name.substr(0, equals));
    return key == "gc" || key == "general_category" ? name.substr(equals + 1) : std::string_view();
  }
  return name.starts_with("Is") ? name.substr(2) : name;
}

}  // namespace

bool add_regex_property(std::string_view name, bool complement, CharSet& set) {
  if (const Ranges ranges = find_ranges(name); !ranges.empty()) {
    set.add_ranges(ranges, complement);
    return true;
  }
  const std::string_view category = category_part(name);
  uint32_t mask = category_mask(category);
  if (mask == 0) mask = alias_mask(category);
  if (mask == 0) mask = alias_mask(name);
  if (mask == 0) return false;
  set.add_categories(mask, complement);
  return true;
}

}  // namespace quarry
