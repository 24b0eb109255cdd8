// The multiplexer filter: passes each token through several chains of filters and emits the results
// of all at its position.
#pragma once

#include <utility>
#include <vector>

#include "text/analysis/components.h"

namespace quarry {

/// Results that repeat another one at the same position are removed. The filters of a branch see
/// one token at a time.
class MultiplexerFilter final : public TokenFilter {
 public:
  using Branch = std::vector<TokenFilterPtr>;  // empty: the token as it is

  explicit MultiplexerFilter(std::vector<Branch> branches) : branches_(std::move(branches)) {}
  void apply(TokenBuffer& out, AnalysisBudget& budget) const override;

 private:
  const std::vector<Branch> branches_;
};

}  // namespace quarry
