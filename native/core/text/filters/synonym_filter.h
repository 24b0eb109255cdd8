// The synonym filter. `synonym` gives flat output: a synonym of several words lies over the positions
// that follow, a replacement moves them. `synonym_graph` gives every word sequence positions of its
// own: what follows stands behind all of them. The index has no token graphs, queries do.
#pragma once

#include <utility>
#include <vector>

#include "text/analysis/components.h"
#include "text/filters/synonym_rules.h"

namespace quarry {

class SynonymFilter final : public TokenFilter {
 public:
  SynonymFilter(SynonymMap map, bool graph) : map_(std::move(map)), graph_(graph) {}
  void apply(TokenBuffer& out, AnalysisBudget&) const override;

 private:
  struct Match {
    const SynonymOutputs* outputs = nullptr;
    size_t count = 0;  // tokens matched

    /// The most tokens that come of it, and the characters of its synonyms.
    size_t tokens() const { return outputs == nullptr ? 1 : count + outputs->words; }
    size_t characters() const { return outputs == nullptr ? 0 : outputs->characters; }
  };
  /// The longest rule that matches the tokens from `first` on.
  Match find(const std::vector<Token>& tokens, size_t first, AnalysisBudget& budget) const;

  const SynonymMap map_;
  const bool graph_;
};

}  // namespace quarry
