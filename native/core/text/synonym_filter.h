// The synonym filter (`synonym` and `synonym_graph`). The index has no token graphs, so both give
// flat output: a synonym of several words lies over the positions that follow, a replacement moves
// them.
#pragma once

#include <utility>
#include <vector>

#include "text/components.h"
#include "text/synonym_rules.h"

namespace quarry {

class SynonymFilter final : public TokenFilter {
 public:
  explicit SynonymFilter(SynonymMap map) : map_(std::move(map)) {}
  void apply(TokenBuffer& out) const override;

 private:
  struct Match {
    const SynonymOutputs* outputs = nullptr;
    size_t count = 0;  // tokens matched
  };
  /// The longest rule that matches the tokens from `first` on.
  Match find(const std::vector<Token>& tokens, size_t first) const;

  const SynonymMap map_;
};

}  // namespace quarry
