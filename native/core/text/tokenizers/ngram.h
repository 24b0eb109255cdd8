// N-grams of characters: the ngram and edge_ngram tokenizers and token filters. Sizes are in code
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

/// Grams of the runs of `chars` (null: of the whole text). Every gram has its own position.
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

/// Grams of each token, at the token's position and offsets. Tokens shorter than `min` are removed,
/// unless `preserve_original` keeps those that are not one of their own grams.
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
