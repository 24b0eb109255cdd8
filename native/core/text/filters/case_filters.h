// Token filters that map characters: lowercase (also with the rules of some languages), uppercase,
// asciifolding.
#pragma once

#include "text/analysis/components.h"

namespace quarry {

class LowercaseFilter final : public TokenFilter {
 public:
  void apply(TokenBuffer& out, AnalysisBudget&) const override;
  bool normalizes() const override { return true; }
};

/// Turkish: I becomes a dotless i, U+0130 a plain i.
class TurkishLowercaseFilter final : public TokenFilter {
 public:
  void apply(TokenBuffer& out, AnalysisBudget&) const override;
  bool normalizes() const override { return true; }
};

/// Greek: removes accents and replaces a final sigma with a plain one, so that forms of a word are
/// equal.
class GreekLowercaseFilter final : public TokenFilter {
 public:
  void apply(TokenBuffer& out, AnalysisBudget&) const override;
  bool normalizes() const override { return true; }
};

/// Irish: separates a prefixed n or t from a capital vowel by a hyphen ("nAthair" gives
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
