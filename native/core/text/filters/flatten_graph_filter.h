// The flatten_graph filter: turns a token graph into a sequence of positions at which tokens of all
// paths are stacked, which is what an index can hold. Paths of different lengths overlap.
#pragma once

#include "text/analysis/components.h"

namespace quarry {

class FlattenGraphFilter final : public TokenFilter {
 public:
  void apply(TokenBuffer& out, AnalysisBudget& budget) const override;
};

}  // namespace quarry
