// The cjk_bigram filter: pairs of adjacent Chinese, Japanese and Korean characters.
#pragma once

#include "text/analysis/components.h"

namespace quarry {

/// Works on the tokens of the standard tokenizer, whose types tell the script. Adjacent tokens of
/// the chosen scripts become pairs of characters; a character without a neighbour stays alone.
class CjkBigramFilter final : public TokenFilter {
 public:
  struct Options {
    bool han = true;
    bool hiragana = true;
    bool katakana = true;
    bool hangul = true;
    bool unigrams = false;  // emit each character, too
  };
  explicit CjkBigramFilter(Options options) : options_(options) {}
  void apply(TokenBuffer& out, AnalysisBudget& budget) const override;

 private:
  bool pairs(const Token& token) const;

  const Options options_;
};

}  // namespace quarry
