// The common_grams filter: joins frequent words with their neighbours, so that phrases with them
// are found by rarer terms.
#pragma once

#include <utility>

#include "text/analysis/components.h"
#include "text/analysis/term_set.h"

namespace quarry {

class CommonGramsFilter final : public TokenFilter {
 public:
  struct Options {
    bool ignore_case = false;  // if true, the words must be lower-case
    bool query_mode = false;   // leave out words that a gram covers
  };
  CommonGramsFilter(TermSet words, Options options) : words_(std::move(words)), options_(options) {}
  void apply(TokenBuffer& out, AnalysisBudget& budget) const override;

 private:
  const TermSet words_;
  const Options options_;
};

}  // namespace quarry
