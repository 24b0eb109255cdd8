// Shingles: sequences of adjacent words joined into one token.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "text/analysis/components.h"

namespace quarry {

class ShingleFilter final : public TokenFilter {
 public:
  struct Options {
    uint32_t min = 2;
    uint32_t max = 2;
    bool unigrams = true;
    bool unigrams_if_no_shingles = false;
    std::string separator = " ";
    std::string filler = "_";  // stands for a removed token
  };
  explicit ShingleFilter(Options options) : options_(std::move(options)) {}
  void apply(TokenBuffer& out, AnalysisBudget&) const override;

 private:
  const Options options_;
};

}  // namespace quarry
