// The compiled form of a regular expression (character sets and instructions), and the parser that
// produces it.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"
#include "text/analysis/unicode.h"

namespace quarry {

struct RegexFlags {
  bool ignore_case = false;  // ASCII letters only, unless unicode_case
  bool unicode_case = false;
  bool multiline = false;  // ^ and $ at line ends
  bool dot_all = false;    // . matches line ends
  bool comments = false;   // white space and #... in the pattern are skipped
  bool literal = false;    // the pattern is plain text
};

/// Inclusive ranges of code points.
using RegexRanges = std::vector<std::pair<uint32_t, uint32_t>>;

/// A set of code points: ranges and Unicode properties, possibly complemented.
class CharSet {
 public:
  void add_range(uint32_t first, uint32_t last) { ranges_.push_back({first, last}); }
  /// Sorted, disjoint `ranges`, or their complement.
  void add_ranges(const RegexRanges& ranges, bool complement);
  /// `mask` has bit 1 << GeneralCategory for each included category.
  void add_categories(uint32_t mask, bool complement) {
    category_mask_ |= complement ? ~mask : mask;
  }
  /// Adds the members of another set, which is unfinished as well.
  void unite(CharSet other) { united_.push_back(std::move(other)); }
  /// Keeps only the members that `other`, which is unfinished as well, also has.
  void intersect(CharSet other) { intersected_.push_back(std::move(other)); }
  void negate() { negated_ = !negated_; }
  /// Ends building: letters match in both cases if `ignore_case`; the ASCII table is filled.
  void finish(bool ignore_case, bool unicode_case);

  bool contains(uint32_t cp) const noexcept {
    return cp < 128 ? ((ascii_[cp >> 6U] >> (cp & 63U)) & 1U) != 0 : test(cp);
  }

 private:
  bool member(uint32_t cp) const noexcept;
  bool test(uint32_t cp) const noexcept;

  // Ordered by start and disjoint after finish().
  RegexRanges ranges_;
  uint32_t category_mask_ = 0;  // bit 1 << GeneralCategory
  std::vector<CharSet> united_;
  std::vector<CharSet> intersected_;
  bool negated_ = false;
  bool ignore_case_ = false;
  bool unicode_case_ = false;
  std::array<uint64_t, 2> ascii_{};
};

enum class RegexOp : uint8_t {
  kSet,     // consume one character of sets[x]
  kSplit,   // try x, then y
  kJump,    // go to x
  kSave,    // store the position in slot x
  kAssert,  // continue if RegexAssert(x) holds here
  kLook,    // continue if looks[x] holds here
  kMatch,
};

enum class RegexAssert : uint8_t {
  kTextStart,
  kTextEnd,
  kTextEndOrLastNewline,
  kLineStart,
  kLineEnd,
  kWordBoundary,
  kNotWordBoundary,
};

struct RegexInstruction {
  RegexOp op;
  uint32_t x = 0;
  uint32_t y = 0;
};

/// A look-ahead or look-behind. The code has no groups, and that of a look-ahead matches the
/// characters of the text in reverse order.
struct RegexLook {
  std::vector<RegexInstruction> code;
  bool behind = false;
  bool negated = false;
};

struct RegexProgram {
  std::vector<RegexInstruction> code;
  std::vector<RegexLook> looks;  // those within another one come before it
  std::vector<CharSet> sets;
  size_t group_count = 0;  // excluding group 0
  std::map<std::string, size_t, std::less<>> names;
  /// The whole pattern is one set, matched once or one or more times, so the search does not need
  /// the machine.
  bool single_set = false;
  bool single_set_repeats = false;
};

/// \w of Java without UNICODE_CHARACTER_CLASS.
inline bool is_regex_word(uint32_t cp) noexcept {
  return (cp >= 'a' && cp <= 'z') || (cp >= 'A' && cp <= 'Z') || (cp >= '0' && cp <= '9') ||
         cp == '_';
}

Result<RegexProgram> compile_regex(std::string_view pattern, RegexFlags flags);

}  // namespace quarry
