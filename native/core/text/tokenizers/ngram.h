// N-grams of letters: the ngram and edge_ngram tokenizers and token filters. Sizes count code
// points.
#pragma once

#include <cstdint>
#include <memory>

#include "text/analysis/components.h"
#include "text/tokenizers/char_tokenizers.h"

namespace quarry {

struct GramSizes {
  uint32_t min = 1;
  uint32_t max = 2;
};

/// Grams of the runs of `chars` (null: of the whole text); every gram takes a position of its own.
class NgramTokenizer final : public Tokenizer {
 public:
  /// `edge`: only grams at the start of a run.
  NgramTokenizer(GramSizes sizes, bool edge, std::unique_ptr<const WordChars> chars)
      : sizes_(sizes), edge_(edge), chars_(std::move(chars)) {}
  void tokenize(std::string_view text, TokenBuffer& out, AnalysisBudget& budget) const override;

 private:
  const GramSizes sizes_;
  const bool edge_;
  const std::unique_ptr<const WordChars> chars_;
};

enum class GramSide : uint8_t { kAll, kFront, kBack };

/// Grams of each token, at the token's position and offsets. Tokens shorter than `min` vanish,
/// unless `preserve_original` keeps those that are no gram of themselves.
class NgramFilter final : public TokenFilter {
 public:
  NgramFilter(GramSizes sizes, GramSide side, bool preserve_original)
      : sizes_(sizes), side_(side), preserve_original_(preserve_original) {}
  void apply(TokenBuffer& out, AnalysisBudget&) const override;

 private:
  const GramSizes sizes_;
  const GramSide side_;
  const bool preserve_original_;
};

}  // namespace quarry
