// The dictionary_decompounder filter: adds the words of a list that are parts of a token.
#pragma once

#include <cstdint>
#include <utility>

#include "text/analysis/components.h"
#include "text/analysis/term_set.h"

namespace quarry {

/// Lengths are in UTF-16 units. Parts follow the token at its position and with its offsets.
class DecompounderFilter final : public TokenFilter {
 public:
  struct Options {
    uint32_t min_word = 5;  // shorter tokens are not split
    uint32_t min_part = 2;
    uint32_t max_part = 15;
    bool longest_only = false;  // only the longest part at each place
    bool ignore_case = false;   // if true, the words must be lower-case
  };
  DecompounderFilter(TermSet words, Options options)
      : words_(std::move(words)), options_(options) {}
  void apply(TokenBuffer& out, AnalysisBudget& budget) const override;

 private:
  const TermSet words_;
  const Options options_;
};

}  // namespace quarry
