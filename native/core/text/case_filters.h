// Token filters that change letters one by one: lowercase, uppercase, asciifolding.
#pragma once

#include "text/components.h"

namespace quarry {

class LowercaseFilter final : public TokenFilter {
 public:
  void apply(TokenBuffer& out) const override;
  bool normalizes() const override { return true; }
};

class UppercaseFilter final : public TokenFilter {
 public:
  void apply(TokenBuffer& out) const override;
  bool normalizes() const override { return true; }
};

class AsciiFoldingFilter final : public TokenFilter {
 public:
  /// With `preserve_original` a folded token is followed by its original at the same position.
  explicit AsciiFoldingFilter(bool preserve_original) : preserve_original_(preserve_original) {}
  void apply(TokenBuffer& out) const override;
  bool normalizes() const override { return true; }

 private:
  const bool preserve_original_;
};

}  // namespace quarry
