// The pattern_capture filter: adds what the groups of regular expressions match in a token.
#pragma once

#include <utility>
#include <vector>

#include "text/analysis/components.h"
#include "text/regex/regex.h"

namespace quarry {

/// The groups of all matches of all patterns become tokens at the position and with the offsets of
/// the token, in order of their start. Without `preserve_original` they replace a token in which
/// any group matches.
class PatternCaptureFilter final : public TokenFilter {
 public:
  PatternCaptureFilter(std::vector<Regex> patterns, bool preserve_original)
      : patterns_(std::move(patterns)), preserve_original_(preserve_original) {}
  void apply(TokenBuffer& out, AnalysisBudget& budget) const override;

 private:
  const std::vector<Regex> patterns_;
  const bool preserve_original_;
};

}  // namespace quarry
