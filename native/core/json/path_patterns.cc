// Compiles patterns to positions, and computes transitions of sets of positions.
#include "json/path_patterns.h"

#include <algorithm>

namespace quarry {

namespace {
constexpr uint16_t kNoSymbol = UINT16_MAX;
constexpr size_t kWordBits = 64;
}  // namespace

Result<PathPatterns> PathPatterns::compile(std::span<const std::string_view> patterns,
                                           Syntax syntax, std::string_view name) {
  size_t letters = 0;
  for (const std::string_view pattern : patterns) letters += pattern.size() + 1;
  if (letters > kMostLetters) {
    return Status(ErrorType::kIllegalArgument,
                  "[" + std::string(name) + "] has " + std::to_string(patterns.size()) +
                      " patterns of " + std::to_string(letters) +
                      " characters in all, more than the " + std::to_string(kMostLetters) +
                      " that are allowed: name fewer fields, or what they have in common");
  }
  PathPatterns out(syntax);
  for (const std::string_view pattern : patterns) {
    out.starts_.push_back(out.symbols_.size());
    if (syntax == Syntax::kSource) {
      out.add_source(pattern);
    } else {
      out.add_path(pattern);
    }
  }
  out.lay_out();
  return out;
}

size_t PathPatterns::add_position() {
  symbols_.push_back(kNoSymbol);
  const size_t position = symbols_.size() - 1;
  if (position % kWordBits == 0) {
    for (std::vector<uint64_t>& mask : masks_) mask.push_back(0);
  }
  return position;
}

void PathPatterns::add_symbol(size_t symbol) {
  symbols_[add_position()] = static_cast<uint16_t>(symbol);
}

void PathPatterns::set(Mask mask, size_t position) {
  masks_[mask][position / kWordBits] |= uint64_t{1} << position % kWordBits;
}

/// The last position waits for a dot, after which everything matches.
void PathPatterns::add_source(std::string_view pattern) {
  for (size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '*') {
      add_symbol(static_cast<unsigned char>(pattern[i]));
    } else if (i == 0 || pattern[i - 1] != '*') {
      const size_t position = add_position();
      for (const Mask mask : {kLoop, kLoopBehind, kSkip}) set(mask, position);
    }
  }
  add_symbol('.');
  set(kEnd, symbols_.size() - 1);
  const size_t below = add_position();
  for (const Mask mask : {kLoop, kLoopBehind, kEnd}) set(mask, below);
}

void PathPatterns::add_path(std::string_view pattern) {
  std::string key;
  bool after_rest = false;  // `**` directly after `**` has no effect
  for (size_t at = 0;; ++at) {
    const bool last = at >= pattern.size();
    if (!last && pattern[at] != '.') {
      if (pattern.substr(at, 2) == "\\.") ++at;
      key += pattern[at];
      continue;
    }
    if (key != "**") {
      if (after_rest) set(kSkipBehind, symbols_.size() - 1);
      for (size_t i = 0; i < key.size(); ++i) {
        if (key[i] != '*') {
          add_symbol(static_cast<unsigned char>(key[i]));
        } else if (i == 0 || key[i - 1] != '*') {
          const size_t position = add_position();
          set(kLoop, position);
          set(kSkip, position);
        }
      }
      if (!last) {
        add_symbol(kSeparator);
      } else {
        set(kEnd, add_position());
      }
    } else {
      const size_t position = after_rest ? symbols_.size() - 1 : add_position();
      set(kLoop, position);
      set(kLoopBehind, position);
      if (last) set(kRest, position);
    }
    if (last) return;
    after_rest = key == "**";
    key.clear();
  }
}

/// Converts symbols by position to positions by symbol.
void PathPatterns::lay_out() {
  words_ = static_cast<uint32_t>(masks_[0].size());
  size_t classes = 1;
  for (const uint16_t symbol : symbols_) {
    if (symbol != kNoSymbol && class_of_[symbol] == 0) {
      class_of_[symbol] = static_cast<uint16_t>(classes++);
    }
  }
  // For `_source` the end of a key is the dot before the next one.
  if (syntax_ == Syntax::kSource) class_of_[kSeparator] = class_of_['.'];
  literals_.assign(classes * words_, 0);
  for (size_t i = 0; i < symbols_.size(); ++i) {
    if (symbols_[i] == kNoSymbol) continue;
    literals_[class_of_[symbols_[i]] * words_ + i / kWordBits] |= uint64_t{1} << i % kWordBits;
  }
  symbols_ = {};
}

/// Adds the positions reachable without a symbol, adds the word to the state, and returns the bits
/// carried to the next word.
uint64_t PathPatterns::put(uint32_t index, uint64_t bits, bool behind, State& to) const {
  uint64_t carry = 0;
  const auto pass = [&](Mask mask) {
    const uint64_t passed = bits & masks_[mask][index];
    bits |= passed << 1;
    carry |= passed >> (kWordBits - 1);
  };
  if (behind) pass(kSkipBehind);
  pass(kSkip);
  if (bits != 0) to.push_back({index, bits});
  return carry;
}

void PathPatterns::move(const State& from, size_t symbol_class, bool behind, State& to) const {
  to.clear();
  const uint64_t* literals = literals_.data() + symbol_class * words_;
  const std::vector<uint64_t>& loops = masks_[behind ? kLoopBehind : kLoop];
  uint64_t carry = 0;  // bits carried from the word before `next`
  uint32_t next = 0;
  // The last position of a pattern has no transition, so nothing is carried past the last word.
  for (const Word& word : from) {
    for (; carry != 0 && next < word.index; ++next) carry = put(next, carry, behind, to);
    const uint64_t moved = word.bits & literals[word.index];
    const uint64_t bits = moved << 1 | (word.bits & loops[word.index]) | carry;
    carry = put(word.index, bits, behind, to) | moved >> (kWordBits - 1);
    next = word.index + 1;
  }
  for (; carry != 0; ++next) carry = put(next, carry, behind, to);
}

PathPatterns::State PathPatterns::start() const {
  std::vector<uint64_t> bits(words_);
  for (const size_t start : starts_) bits[start / kWordBits] |= uint64_t{1} << start % kWordBits;
  State state;
  uint64_t carry = 0;
  for (uint32_t i = 0; i < words_; ++i) carry = put(i, bits[i] | carry, true, state);
  return state;
}

bool PathPatterns::has_any(const State& state, Mask mask) const {
  return std::any_of(state.begin(), state.end(),
                     [&](const Word& word) { return (word.bits & masks_[mask][word.index]) != 0; });
}

}  // namespace quarry
