// Components based on a regular expression: the pattern tokenizer, and pattern_replace as token
// filter and char filter.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"
#include "text/analysis/components.h"
#include "text/regex/regex.h"

namespace quarry {

/// Group -1: the matches separate the tokens. Group 0 and above: each non-empty match of that group
/// is a token.
class PatternTokenizer final : public Tokenizer {
 public:
  PatternTokenizer(Regex regex, int group, bool lowercase)
      : regex_(std::move(regex)), group_(group), lowercase_(lowercase) {}
  void tokenize(std::string_view text, TokenBuffer& out, AnalysisBudget& budget) const override;

 private:
  const Regex regex_;
  const int group_;
  const bool lowercase_;
};

/// A replacement with $1 and ${name} references; a backslash escapes the next character.
class Replacement {
 public:
  static Result<Replacement> parse(std::string_view text, const Regex& regex);
  /// Stops when `budget` does not allow that many characters.
  void append(std::string_view text, const Regex::Groups& groups, std::string& out,
              AnalysisBudget& budget) const;

 private:
  struct Part {
    std::string literal;
    size_t group = std::string::npos;  // npos: only the literal
  };
  std::vector<Part> parts_;
};

class PatternReplaceFilter final : public TokenFilter {
 public:
  PatternReplaceFilter(Regex regex, Replacement replacement, bool all)
      : regex_(std::move(regex)), replacement_(std::move(replacement)), all_(all) {}
  void apply(TokenBuffer& out, AnalysisBudget&) const override;
  bool normalizes() const override { return true; }

 private:
  const Regex regex_;
  const Replacement replacement_;
  const bool all_;
};

class PatternReplaceCharFilter final : public CharFilter {
 public:
  PatternReplaceCharFilter(Regex regex, Replacement replacement)
      : regex_(std::move(regex)), replacement_(std::move(replacement)) {}
  void apply(std::string_view text, std::string& out, OffsetMap& map,
             AnalysisBudget& budget) const override;

 private:
  const Regex regex_;
  const Replacement replacement_;
};

}  // namespace quarry
