// Token filters that remove, shorten or mark whole tokens.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "text/analysis/components.h"
#include "text/analysis/term_set.h"
#include "text/regex/regex.h"

namespace quarry {

/// Keeps tokens of `min` to `max` UTF-16 units.
class LengthFilter final : public TokenFilter {
 public:
  LengthFilter(uint32_t min, uint32_t max) : min_(min), max_(max) {}
  void apply(TokenBuffer& out, AnalysisBudget&) const override;

 private:
  const uint32_t min_;
  const uint32_t max_;
};

/// Cuts tokens to `length` UTF-16 units.
class TruncateFilter final : public TokenFilter {
 public:
  explicit TruncateFilter(uint32_t length) : length_(length) {}
  void apply(TokenBuffer& out, AnalysisBudget&) const override;

 private:
  const uint32_t length_;
};

/// Removes white space around tokens.
class TrimFilter final : public TokenFilter {
 public:
  void apply(TokenBuffer& out, AnalysisBudget&) const override;
  bool normalizes() const override { return true; }
};

/// Reverses the code points of each token.
class ReverseFilter final : public TokenFilter {
 public:
  void apply(TokenBuffer& out, AnalysisBudget&) const override;
};

/// Removes repeated tokens: in the whole text (positions are closed up), or only at the same
/// position.
class UniqueFilter final : public TokenFilter {
 public:
  explicit UniqueFilter(bool only_on_same_position) : same_position_(only_on_same_position) {}
  void apply(TokenBuffer& out, AnalysisBudget&) const override;

 private:
  const bool same_position_;
};

/// Keeps the first `count` tokens.
class LimitFilter final : public TokenFilter {
 public:
  explicit LimitFilter(uint32_t count) : count_(count) {}
  void apply(TokenBuffer& out, AnalysisBudget&) const override;

 private:
  const uint32_t count_;
};

/// Removes an article and its apostrophe from the front ("l'avion" gives "avion").
class ElisionFilter final : public TokenFilter {
 public:
  /// With `ignore_case` the articles must be lower-case.
  ElisionFilter(TermSet articles, bool ignore_case)
      : articles_(std::move(articles)), ignore_case_(ignore_case) {}
  void apply(TokenBuffer& out, AnalysisBudget&) const override;
  bool normalizes() const override { return true; }

 private:
  const TermSet articles_;
  const bool ignore_case_;
};

/// The French articles (lower-case), the default of the elision filter.
std::vector<std::string> french_articles();

/// Removes the first apostrophe and everything after it (Turkish suffixes).
class ApostropheFilter final : public TokenFilter {
 public:
  void apply(TokenBuffer& out, AnalysisBudget&) const override;
};

/// Protects tokens from stemming that are in a set or match a pattern as a whole.
class KeywordMarkerFilter final : public TokenFilter {
 public:
  KeywordMarkerFilter(TermSet words, bool ignore_case, std::optional<Regex> pattern)
      : words_(std::move(words)), ignore_case_(ignore_case), pattern_(std::move(pattern)) {}
  void apply(TokenBuffer& out, AnalysisBudget&) const override;

 private:
  const TermSet words_;
  const bool ignore_case_;
  const std::optional<Regex> pattern_;
};

/// Repeats each token: the first one is protected from stemming.
class KeywordRepeatFilter final : public TokenFilter {
 public:
  void apply(TokenBuffer& out, AnalysisBudget& budget) const override;
};

/// Replaces words with given stems, which are then protected from stemming.
class StemmerOverrideFilter final : public TokenFilter {
 public:
  using Stems = std::unordered_map<std::string, std::string>;
  explicit StemmerOverrideFilter(Stems stems) : stems_(std::move(stems)) {}
  void apply(TokenBuffer& out, AnalysisBudget& budget) const override;

 private:
  const Stems stems_;
};

/// Removes the 's of possessives and the dots of acronyms, which the classic tokenizer marks.
class ClassicFilter final : public TokenFilter {
 public:
  void apply(TokenBuffer& out, AnalysisBudget& budget) const override;
};

/// Keeps only the tokens of a set.
class KeepFilter final : public TokenFilter {
 public:
  KeepFilter(TermSet words, bool ignore_case)
      : words_(std::move(words)), ignore_case_(ignore_case) {}
  void apply(TokenBuffer& out, AnalysisBudget&) const override;

 private:
  const TermSet words_;
  const bool ignore_case_;
};

/// Joins all distinct tokens, sorted, into one; no token when that is longer than `max_size` UTF-16
/// units.
class FingerprintFilter final : public TokenFilter {
 public:
  FingerprintFilter(std::string separator, uint32_t max_size)
      : separator_(std::move(separator)), max_size_(max_size) {}
  void apply(TokenBuffer& out, AnalysisBudget&) const override;

 private:
  const std::string separator_;
  const uint32_t max_size_;
};

}  // namespace quarry
