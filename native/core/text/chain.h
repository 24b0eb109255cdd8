// The analyzer made of components: char filters, tokenizer, token filters, run one after the other.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/analyzer.h"
#include "text/components.h"

namespace quarry {

struct Chain {
  std::vector<CharFilterPtr> char_filters;
  TokenizerPtr tokenizer;
  std::vector<TokenFilterPtr> filters;
  uint32_t position_increment_gap = Analyzer::kDefaultPositionIncrementGap;
};

class ChainAnalyzer final : public Analyzer {
 public:
  /// A standard tokenizer followed by lowercase is replaced by one that does both in one pass.
  explicit ChainAnalyzer(Chain chain);

  void analyze(std::string_view text, TokenBuffer& out) const override;
  std::string normalize(std::string_view term) const override;
  uint32_t position_increment_gap() const override { return chain_.position_increment_gap; }

 private:
  void analyze_filtered(std::string_view text, TokenBuffer& out) const;

  Chain chain_;
  std::vector<TokenFilterPtr> normalizers_;
};

}  // namespace quarry
