// The parts an analyzer is made of, in the order text meets them: char filters, one tokenizer,
// token filters.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/analysis/analysis_budget.h"
#include "text/analysis/token.h"

namespace quarry {

/// Where bytes of filtered text come from in the text before it. Shifts are added in order of
/// filtered offset.
class OffsetMap {
 public:
  /// From filtered offset `at` on, original offset = filtered offset + `delta`.
  void add(uint32_t at, int64_t delta) { push(at, false, delta, delta); }
  /// From filtered offset `at` on, all offsets lead to `at` + `delta`, until the next shift.
  void add_fixed(uint32_t at, int64_t delta) { push(at, true, delta, delta); }
  /// As add() where text was only removed: a token that ends at `at` ends before the removed text.
  void add_removal(uint32_t at, int64_t delta) {
    push(at, false, delta, shifts_.empty() ? 0 : shifts_.back().delta);
  }
  uint32_t original_start(uint32_t at) const;
  uint32_t original_end(uint32_t at) const;
  size_t size() const { return shifts_.size(); }

 private:
  struct Shift {
    uint32_t at;
    bool fixed;  // offsets behind `at` lead to where `at` leads
    int64_t delta;
    int64_t end_delta;  // for an end at exactly `at`
  };
  void push(uint32_t at, bool fixed, int64_t delta, int64_t end_delta);
  /// The shift in force at filtered offset `at`, or null.
  const Shift* find(uint32_t at) const;

  std::vector<Shift> shifts_;
};

/// All components are immutable and thread-safe.
class CharFilter {
 public:
  virtual ~CharFilter() = default;
  /// `out` and `map` arrive empty. As all components it ends early where `budget` does not allow
  /// more.
  virtual void apply(std::string_view text, std::string& out, OffsetMap& map,
                     AnalysisBudget& budget) const = 0;
};

class Tokenizer {
 public:
  virtual ~Tokenizer() = default;
  /// Appends to an empty `out` and sets end_position. Texts stay below 4 GiB.
  virtual void tokenize(std::string_view text, TokenBuffer& out,
                        AnalysisBudget& budget) const = 0;
};

class TokenFilter {
 public:
  virtual ~TokenFilter() = default;
  /// Changes the tokens in place; removed tokens leave holes in the positions.
  virtual void apply(TokenBuffer& out, AnalysisBudget& budget) const = 0;
  /// True when the filter also shapes single terms (Analyzer::normalize): it keeps one token one
  /// token.
  virtual bool normalizes() const { return false; }
};

using CharFilterPtr = std::shared_ptr<const CharFilter>;
using TokenizerPtr = std::shared_ptr<const Tokenizer>;
using TokenFilterPtr = std::shared_ptr<const TokenFilter>;

/// Types of tokens, as static strings.
constexpr const char* kTypeAlphanum = "<ALPHANUM>";
constexpr const char* kTypeNum = "<NUM>";
constexpr const char* kTypeWord = "word";
constexpr const char* kTypeShingle = "shingle";
constexpr const char* kTypeSynonym = "SYNONYM";

/// Sets Token::end_position after the last token of a tokenizer that leaves no holes.
inline void finish_positions(TokenBuffer& out) {
  out.end_position = out.tokens.empty() ? 0 : out.tokens.back().position + 1;
}

}  // namespace quarry
