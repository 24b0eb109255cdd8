// The components of the analyzer "memory".
#include "text/analysis/memory_analyzer.h"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

#include "text/analysis/letter_fold.h"
#include "text/analysis/term_set.h"
#include "text/analysis/utf8.h"
#include "text/embedder/lexical_stop_words.h"
#include "text/embedder/lexical_words.h"
#include "text/stemmers/stem_filter.h"

namespace quarry {
namespace {

/// The words of a text as the built-in embedder reads them.
class LexicalTokenizer final : public Tokenizer {
 public:
  explicit LexicalTokenizer(HanWords han) : han_(han) {}
  void tokenize(std::string_view text, TokenBuffer& out, AnalysisBudget& budget) const override {
    LexicalScanner scanner(text, han_);
    // One token more than the budget allows shows that it is exceeded.
    const size_t most = budget.max_tokens();
    for (LexicalWord word; out.tokens.size() <= most && scanner.next(word);) {
      const std::string_view raw = text.substr(word.start, word.text.size());
      Token& token = out.tokens.emplace_back();
      token.text = raw == word.text ? raw : out.arena.copy(word.text);
      token.position = static_cast<uint32_t>(out.tokens.size() - 1);
      token.start = static_cast<uint32_t>(word.start);
      token.end = static_cast<uint32_t>(word.end);
    }
    finish_positions(out);
  }

 private:
  HanWords han_;
};

bool is_folded(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x80 && !(c >= 'A' && c <= 'Z');
  });
}

std::string folded(std::string_view text) {
  std::string out;
  FoldBuffer buffer{};
  for (size_t at = 0; at < text.size();) {
    const CodePoint cp = decode_utf8(text, at);
    at += cp.bytes;
    if (cp.value >= 0x80) {
      out += fold_letter(cp.value, buffer);
    } else {
      const auto c = static_cast<char>(cp.value);
      out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
  }
  return out;
}

/// The tokenizer folds already; this filter is needed to normalize single terms.
class FoldFilter final : public TokenFilter {
 public:
  void apply(TokenBuffer& out, AnalysisBudget&) const override {
    for (Token& token : out.tokens) {
      if (!is_folded(token.text)) token.text = out.arena.copy(folded(token.text));
    }
  }
  bool normalizes() const override { return true; }
};

/// Removes function words, whose positions become gaps. A text of function words alone keeps all of
/// them, because it says nothing else.
class FunctionWordFilter final : public TokenFilter {
 public:
  void apply(TokenBuffer& out, AnalysisBudget&) const override {
    const auto is_function_word = [this](const Token& token) {
      return words_.contains(token.text);
    };
    if (std::all_of(out.tokens.begin(), out.tokens.end(), is_function_word)) return;
    std::erase_if(out.tokens, is_function_word);
  }

 private:
  const TermSet words_ = TermSet(lexical_stop_words());
};

}  // namespace

Chain make_memory_chain(OptionReader&, uint32_t version) {
  Chain chain;
  chain.tokenizer = std::make_shared<LexicalTokenizer>(version < 4 ? HanWords::kPairs
                                                                   : HanWords::kPairsAndSingles);
  chain.filters.push_back(std::make_shared<FoldFilter>());
  chain.filters.push_back(std::make_shared<FunctionWordFilter>());
  chain.filters.push_back(std::make_shared<StemFilter>(std::string(kPorter)));
  return chain;
}

}  // namespace quarry
