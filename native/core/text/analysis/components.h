// The components of an analyzer, in the order in which they process text: char filters, one
// tokenizer, token filters.
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

/// Maps offsets of filtered text to offsets of the text before the filter. Shifts are added in
/// ascending order of filtered offset.
class OffsetMap {
 public:
  /// From filtered offset `at` on, original offset = filtered offset + `delta`.
  void add(uint32_t at, int64_t delta) { push(at, false, delta, delta); }
  /// From filtered offset `at` until the next shift, every offset maps to `at` + `delta`.
  void add_fixed(uint32_t at, int64_t delta) { push(at, true, delta, delta); }
  /// Like add(), for a place where text was only removed: a token that ends at `at` ends before the
  /// removed text.
  void add_removal(uint32_t at, int64_t delta) {
    push(at, false, delta, shifts_.empty() ? 0 : shifts_.back().delta);
  }
  uint32_t original_start(uint32_t at) const;
  uint32_t original_end(uint32_t at) const;
  size_t size() const { return shifts_.size(); }

 private:
  struct Shift {
    uint32_t at;
    bool fixed;  // offsets after `at` map to the same offset as `at`
    int64_t delta;
    int64_t end_delta;  // for an end at exactly `at`
  };
  void push(uint32_t at, bool fixed, int64_t delta, int64_t end_delta);
  /// The shift that applies at filtered offset `at`, or null.
  const Shift* find(uint32_t at) const;

  std::vector<Shift> shifts_;
};

/// All components are immutable and thread-safe.
class CharFilter {
 public:
  virtual ~CharFilter() = default;
  /// `out` and `map` are empty on entry. Like all components, a char filter stops early when
  /// `budget` is exceeded.
  virtual void apply(std::string_view text, std::string& out, OffsetMap& map,
                     AnalysisBudget& budget) const = 0;
};

class Tokenizer {
 public:
  virtual ~Tokenizer() = default;
  /// Appends to `out`, which is empty on entry, and sets end_position. Texts are smaller than 4
  /// GiB.
  virtual void tokenize(std::string_view text, TokenBuffer& out, AnalysisBudget& budget) const = 0;
};

class TokenFilter {
 public:
  virtual ~TokenFilter() = default;
  /// Changes the tokens in place; removed tokens leave gaps in the positions.
  virtual void apply(TokenBuffer& out, AnalysisBudget& budget) const = 0;
  /// Whether the filter also applies to single terms (Analyzer::normalize), because it maps one
  /// token to one token.
  virtual bool normalizes() const { return false; }
};

using CharFilterPtr = std::shared_ptr<const CharFilter>;
using TokenizerPtr = std::shared_ptr<const Tokenizer>;
using TokenFilterPtr = std::shared_ptr<const TokenFilter>;

/// Token types, as static strings.
constexpr const char* kTypeAlphanum = "<ALPHANUM>";
constexpr const char* kTypeNum = "<NUM>";
constexpr const char* kTypeWord = "word";
constexpr const char* kTypeShingle = "shingle";
constexpr const char* kTypeSynonym = "SYNONYM";
constexpr const char* kTypeCjkPair = "<DOUBLE>";
constexpr const char* kTypeCjkSingle = "<SINGLE>";
constexpr const char* kTypeGram = "gram";
constexpr const char* kTypeApostrophe = "<APOSTROPHE>";
constexpr const char* kTypeAcronym = "<ACRONYM>";

/// Sets end_position after the last token of a tokenizer that leaves no position gaps.
inline void finish_positions(TokenBuffer& out) {
  out.end_position = out.tokens.empty() ? 0 : out.tokens.back().position + 1;
}

}  // namespace quarry
