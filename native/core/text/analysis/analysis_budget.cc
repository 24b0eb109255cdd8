// The limits of analysis and the error when one is exceeded.
#include "text/analysis/analysis_budget.h"

#include <string>

#include "text/analysis/analyzer.h"

namespace quarry {
namespace {

// Allowed for a text of any length, such as a word with thousands of synonyms.
constexpr size_t kTokens = size_t{16} << 10;
constexpr size_t kCharacters = size_t{1} << 20;
constexpr size_t kSteps = size_t{256} << 10;
// Allowed in addition for each byte of the text, up to the absolute limits kMany*, which bound
// memory and time.
constexpr size_t kTokensPerByte = 32;
constexpr size_t kManyTokens = size_t{4} << 20;
constexpr size_t kCharactersPerByte = 1024;
constexpr size_t kManyCharacters = size_t{64} << 20;
constexpr size_t kStepsPerByte = 16384;  // an alternation of thousands of words
constexpr size_t kManySteps = size_t{256} << 20;
// Allowed for each byte in addition to those limits. No tokenizer makes more than one token of two
// bytes of ordinary text.
constexpr size_t kBytesPerToken = 2;
constexpr size_t kMoreCharactersPerByte = 16;
constexpr size_t kMoreStepsPerByte = 64;

constexpr size_t kCharactersPerStep = 16;
constexpr size_t kStepsPerToken = 15;

}  // namespace

void AnalysisBudget::start_text(size_t bytes) {
  text_bytes_ = bytes;
  all_bytes_ += bytes;
  max_tokens_ = kTokens + std::min(kTokensPerByte * bytes, kManyTokens + bytes / kBytesPerToken);
  max_characters_ = kCharacters + std::min(kCharactersPerByte * bytes,
                                           kManyCharacters + kMoreCharactersPerByte * bytes);
  max_steps_ =
      kSteps + std::min(kStepsPerByte * all_bytes_, kManySteps + kMoreStepsPerByte * all_bytes_);
  characters_ = 0;
  excess_ = steps_ <= max_steps_ ? Excess::kNone : Excess::kSteps;
}

void AnalysisBudget::start_text(size_t bytes, size_t max_characters, size_t max_steps) {
  start_text(bytes);
  max_characters_ = max_characters;
  max_steps_ = max_steps;
  excess_ = steps_ <= max_steps_ ? Excess::kNone : Excess::kSteps;
}

bool AnalysisBudget::finish_component(size_t tokens, size_t characters) {
  allows(tokens, characters);
  return spend(tokens + characters_ / kCharactersPerStep);
}

bool AnalysisBudget::finish_text(size_t tokens) { return spend(kStepsPerToken * tokens); }

Status AnalysisBudget::refusal(std::string_view component) const {
  std::string reason(component);
  if (excess_ == Excess::kTokens) {
    reason += " makes more than [" + std::to_string(max_tokens_) + "] tokens or edits";
  } else if (excess_ == Excess::kCharacters) {
    reason += " makes more than [" + std::to_string(max_characters_) + "] characters";
  } else {
    reason += " takes more than the [" + std::to_string(max_steps_) + "] steps";
  }
  reason += " that a text of [" + std::to_string(text_bytes_) +
            "] bytes may become or take; shorten the text, or simplify the analyzer";
  return {ErrorType::kIllegalArgument, std::move(reason)};
}

Status Analyzer::analyze(std::string_view text, TokenBuffer& out) const {
  AnalysisBudget budget;
  return analyze(text, out, budget);
}

Result<std::string> Analyzer::normalize(std::string_view term) const {
  AnalysisBudget budget;
  return normalize(term, budget);
}

}  // namespace quarry
