// The standard tokenizer: words by UAX #29, like those of Lucene's StandardTokenizer.
#pragma once

#include <cstdint>
#include <string_view>

#include "text/analysis/components.h"

namespace quarry {

constexpr uint32_t kDefaultMaxTokenLength = 255;

class StandardTokenizer final : public Tokenizer {
 public:
  /// Longer words are cut every `max_token_length` UTF-16 units. With `lowercase` the tokens are
  /// lowercased in the same pass, which saves the pass of a filter.
  explicit StandardTokenizer(uint32_t max_token_length = kDefaultMaxTokenLength,
                             bool lowercase = false)
      : max_length_(max_token_length), lowercase_(lowercase) {}

  void tokenize(std::string_view text, TokenBuffer& out, AnalysisBudget& budget) const override;
  uint32_t max_token_length() const { return max_length_; }

 private:
  const uint32_t max_length_;
  const bool lowercase_;
};

/// A word found by the full rules. `end` equals the start when no word starts there.
struct WordSpan {
  size_t end;
  const char* type;
};

/// The longest word that starts at `start` (< text.size()) and has at most `max_units` UTF-16
/// units.
WordSpan scan_word(std::string_view text, size_t start, uint32_t max_units) noexcept;

/// The next position after `start` at which a word may start, when none starts at `start`.
/// Connectors and joiners are words only together with what follows them, and there may be any
/// number of them, so those too far from it are skipped at once.
size_t next_start(std::string_view text, size_t start, uint32_t max_units) noexcept;

/// `text` in lower case, copied into the arena unless it is already lower-case.
std::string_view lower_into(std::string_view text, Arena& arena);

}  // namespace quarry
