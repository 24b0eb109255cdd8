// The synonym filter. `synonym` produces flat output: a synonym of several words overlaps the
// positions that follow, a replacement shifts them. `synonym_graph` gives every word sequence its
// own positions, and the following tokens come after all of them. Token graphs are supported in
// queries but not in the index.
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
    size_t count = 0;  // matched tokens

    /// The maximum number of tokens in the result, and the characters of the synonyms.
    size_t tokens() const { return outputs == nullptr ? 1 : count + outputs->words; }
    size_t characters() const { return outputs == nullptr ? 0 : outputs->characters; }
  };
  /// The longest rule that matches the tokens from `first` on.
  Match find(const std::vector<Token>& tokens, size_t first, AnalysisBudget& budget) const;

  const SynonymMap map_;
  const bool graph_;
};

}  // namespace quarry
