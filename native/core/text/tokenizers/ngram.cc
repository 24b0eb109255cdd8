// The tokenizer and the filter both use the byte offsets of the code points of a run.
#include "text/tokenizers/ngram.h"

#include <algorithm>
#include <vector>

#include "text/analysis/utf8.h"

namespace quarry {
namespace {

/// The offsets of the code points of `text`, followed by its size.
void boundaries(std::string_view text, std::vector<uint32_t>& out) {
  out.clear();
  for (size_t at = 0; at < text.size();) {
    out.push_back(static_cast<uint32_t>(at));
    at += decode_utf8(text, at).bytes;
  }
  out.push_back(static_cast<uint32_t>(text.size()));
}

}  // namespace

void NgramTokenizer::tokenize(std::string_view text, TokenBuffer& out,
                              AnalysisBudget& budget) const {
  std::vector<uint32_t> starts;
  size_t characters = 0;
  const auto emit_run = [&](uint32_t first, uint32_t last) {
    boundaries(text.substr(first, last - first), starts);
    const size_t length = starts.size() - 1;
    for (size_t start = 0; start < length && (start == 0 || !edge_); ++start) {
      const size_t longest = std::min<size_t>(sizes_.max, length - start);
      for (size_t n = sizes_.min; n <= longest; ++n) {
        const uint32_t from = first + starts[start];
        const uint32_t to = first + starts[start + n];
        const auto position = static_cast<uint32_t>(out.tokens.size());
        characters += to - from;
        if (!budget.allows(out.tokens.size() + 1, characters)) return;
        out.tokens.push_back(Token{text.substr(from, to - from), position, 1, from, to, kTypeWord});
      }
    }
  };
  size_t run = 0;
  for (size_t at = 0; at <= text.size() && !budget.exceeded();) {
    const bool end = at == text.size();
    const CodePoint cp = end ? CodePoint{0, 1} : decode_utf8(text, at);
    const bool inside = !end && (chars_ == nullptr || chars_->contains(cp.value));
    if (!inside) {
      if (at > run) emit_run(static_cast<uint32_t>(run), static_cast<uint32_t>(at));
      run = at + cp.bytes;
    }
    at += cp.bytes;
  }
  finish_positions(out);
}

void NgramFilter::apply(TokenBuffer& out, AnalysisBudget& budget) const {
  std::vector<Token> grams;
  size_t characters = 0;
  std::vector<uint32_t> starts;
  for (const Token& token : out.tokens) {
    if (budget.exceeded()) return;
    boundaries(token.text, starts);
    const size_t length = starts.size() - 1;
    const auto emit = [&](size_t start, size_t n) {
      Token gram = token;
      gram.text = token.text.substr(starts[start], starts[start + n] - starts[start]);
      characters += gram.text.size();
      if (budget.allows(grams.size() + 1, characters)) grams.push_back(gram);
    };
    if (side_ == GramSide::kAll) {
      for (size_t start = 0; start < length && !budget.exceeded(); ++start) {
        for (size_t n = sizes_.min; n <= std::min<size_t>(sizes_.max, length - start); ++n) {
          emit(start, n);
        }
      }
    } else {
      for (size_t n = sizes_.min; n <= std::min<size_t>(sizes_.max, length); ++n) {
        emit(side_ == GramSide::kFront ? 0 : length - n, n);
      }
    }
    if (preserve_original_ && (length < sizes_.min || length > sizes_.max)) grams.push_back(token);
  }
  out.tokens = std::move(grams);
}

}  // namespace quarry
