// Token filters that change letters one by one: lowercase (with the rules of some
// languages), uppercase, asciifolding.
#pragma once

#include "text/analysis/components.h"

namespace quarry {

class LowercaseFilter final : public TokenFilter {
 public:
  void apply(TokenBuffer& out, AnalysisBudget&) const override;
  bool normalizes() const override { return true; }
};

/// Turkish: I gives a dotless i, U+0130 a plain one.
class TurkishLowercaseFilter final : public TokenFilter {
 public:
  void apply(TokenBuffer& out, AnalysisBudget&) const override;
  bool normalizes() const override { return true; }
};

/// Greek: accents go and the final sigma becomes a plain one, so that forms of a word agree.
class GreekLowercaseFilter final : public TokenFilter {
 public:
  void apply(TokenBuffer& out, AnalysisBudget&) const override;
  bool normalizes() const override { return true; }
};

/// Irish: a prefixed n or t before a capital vowel is set off by a hyphen ("nAthair" gives
/// "n-athair").
class IrishLowercaseFilter final : public TokenFilter {
 public:
  void apply(TokenBuffer& out, AnalysisBudget&) const override;
  bool normalizes() const override { return true; }
};

class UppercaseFilter final : public TokenFilter {
 public:
  void apply(TokenBuffer& out, AnalysisBudget&) const override;
  bool normalizes() const override { return true; }
};

class AsciiFoldingFilter final : public TokenFilter {
 public:
  /// With `preserve_original` a folded token is followed by its original at the same position.
  explicit AsciiFoldingFilter(bool preserve_original) : preserve_original_(preserve_original) {}
  void apply(TokenBuffer& out, AnalysisBudget&) const override;
  bool normalizes() const override { return true; }

 private:
  const bool preserve_original_;
};

}  // namespace quarry
