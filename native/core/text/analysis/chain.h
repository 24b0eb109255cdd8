// The analyzer composed of char filters, a tokenizer and token filters, which run one after the
// other.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/analysis/analyzer.h"
#include "text/analysis/components.h"

namespace quarry {

/// A component and its name in error messages: "filter [x] of type [shingle]".
template <typename T>
struct ChainPart {
  ChainPart() = default;
  /// A part of a built-in analyzer, which sets the label of all its parts.
  template <typename Made>
  ChainPart(std::shared_ptr<Made> made) : component(std::move(made)) {}
  template <typename Made>
  ChainPart(std::string called, std::shared_ptr<Made> made)
      : label(std::move(called)), component(std::move(made)) {}

  std::string label;
  std::shared_ptr<const T> component;
};

struct Chain {
  std::vector<ChainPart<CharFilter>> char_filters;
  ChainPart<Tokenizer> tokenizer;
  std::vector<ChainPart<TokenFilter>> filters;
  uint32_t position_increment_gap = Analyzer::kDefaultPositionIncrementGap;
};

/// Runs one filter, which error messages call `label`, and counts its output.
Status apply_filter(const TokenFilter& filter, std::string_view label, TokenBuffer& out,
                    AnalysisBudget& budget);

class ChainAnalyzer final : public Analyzer {
 public:
  /// A standard tokenizer followed by lowercase is replaced by one tokenizer that does both in one
  /// pass.
  explicit ChainAnalyzer(Chain chain);

  using Analyzer::analyze;
  using Analyzer::normalize;
  Status analyze(std::string_view text, TokenBuffer& out, AnalysisBudget& budget) const override;
  Result<std::string> normalize(std::string_view term, AnalysisBudget& budget) const override;
  uint32_t position_increment_gap() const override { return chain_.position_increment_gap; }

 private:
  Chain chain_;
  std::vector<ChainPart<TokenFilter>> normalizers_;
};

}  // namespace quarry
