// Tests membership in the character sets of regular expressions.
#include <algorithm>
#include <iterator>
#include <utility>

#include "text/regex/regex_program.h"

namespace quarry {
namespace {

constexpr uint32_t kLastCodePoint = 0x10FFFF;

uint32_t swap_ascii_case(uint32_t cp) noexcept {
  const bool letter = (cp >= 'a' && cp <= 'z') || (cp >= 'A' && cp <= 'Z');
  return letter ? cp ^ 0x20U : cp;
}

}  // namespace

void CharSet::add_ranges(const RegexRanges& ranges, bool complement) {
  if (!complement) {
    ranges_.insert(ranges_.end(), ranges.begin(), ranges.end());
    return;
  }
  uint32_t next = 0;
  for (const auto& [first, last] : ranges) {
    if (first > next) add_range(next, first - 1);
    next = last + 1;
  }
  if (next <= kLastCodePoint) add_range(next, kLastCodePoint);
}

void CharSet::finish(bool ignore_case, bool unicode_case) {
  std::sort(ranges_.begin(), ranges_.end());
  RegexRanges joined;
  for (const auto& [first, last] : ranges_) {
    if (!joined.empty() && first <= joined.back().second) {
      joined.back().second = std::max(joined.back().second, last);
    } else {
      joined.emplace_back(first, last);
    }
  }
  ranges_ = std::move(joined);
  for (std::vector<CharSet>* sets : {&united_, &intersected_}) {
    for (CharSet& set : *sets) set.finish(ignore_case, unicode_case);
  }
  ignore_case_ = ignore_case;
  unicode_case_ = unicode_case;
  for (uint32_t cp = 0; cp < 128; ++cp) {
    if (test(cp)) ascii_[cp >> 6U] |= uint64_t{1} << (cp & 63U);
  }
}

bool CharSet::member(uint32_t cp) const noexcept {
  const auto behind = std::upper_bound(ranges_.begin(), ranges_.end(),
                                       std::pair<uint32_t, uint32_t>{cp, UINT32_MAX});
  if (behind != ranges_.begin() && cp <= std::prev(behind)->second) return true;
  if ((category_mask_ >> static_cast<uint32_t>(general_category(cp)) & 1U) != 0) return true;
  return std::any_of(united_.begin(), united_.end(),
                     [cp](const CharSet& set) { return set.contains(cp); });
}

bool CharSet::test(uint32_t cp) const noexcept {
  bool in = member(cp);
  if (!in && ignore_case_) in = member(swap_ascii_case(cp));
  if (!in && ignore_case_ && unicode_case_) in = member(to_lower(cp)) || member(to_upper(cp));
  in = in && std::all_of(intersected_.begin(), intersected_.end(),
                         [cp](const CharSet& set) { return set.contains(cp); });
  return in != negated_;
}

}  // namespace quarry
