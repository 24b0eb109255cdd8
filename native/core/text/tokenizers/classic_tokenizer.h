// The classic tokenizer: the grammar for European languages that Lucene had before UAX #29, which
// knows acronyms, companies, e-mail addresses, host names and product numbers.
#pragma once

#include <cstdint>
#include <string_view>

#include "text/analysis/components.h"

namespace quarry {

class ClassicTokenizer final : public Tokenizer {
 public:
  /// Tokens of more than `max_token_length` UTF-16 units are left out.
  explicit ClassicTokenizer(uint32_t max_token_length) : max_length_(max_token_length) {}
  void tokenize(std::string_view text, TokenBuffer& out, AnalysisBudget& budget) const override;

 private:
  const uint32_t max_length_;
};

}  // namespace quarry
