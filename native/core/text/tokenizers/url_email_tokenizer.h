// The uax_url_email tokenizer: the standard tokenizer, but URLs and e-mail addresses are one token.
#pragma once

#include <cstdint>
#include <string_view>

#include "text/analysis/components.h"

namespace quarry {

class UrlEmailTokenizer final : public Tokenizer {
 public:
  /// Longer tokens are cut every `max_token_length` UTF-16 units.
  explicit UrlEmailTokenizer(uint32_t max_token_length) : max_length_(max_token_length) {}
  void tokenize(std::string_view text, TokenBuffer& out, AnalysisBudget& budget) const override;

 private:
  const uint32_t max_length_;
};

}  // namespace quarry
