// Characters are collected while tokens are adjacent; each such run then becomes pairs.
#include "text/filters/cjk_bigram_filter.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/analysis/utf8.h"
#include "text/filters/source_offsets.h"

namespace quarry {
namespace {

struct Character {
  std::string_view text;
  uint32_t start;
  uint32_t end;
};

void add_characters(const Token& token, std::string_view source, std::vector<Character>& run) {
  const SourceOffsets offsets(token, source);
  for (size_t at = 0; at < token.text.size();) {
    const uint32_t bytes = decode_utf8(token.text, at).bytes;
    const bool aligned = offsets.aligned();
    run.push_back({token.text.substr(at, bytes), aligned ? offsets.at(at) : token.start,
                   aligned ? offsets.at(at + bytes) : token.end});
    at += bytes;
  }
}

class Writer {
 public:
  Writer(TokenBuffer& out, AnalysisBudget& budget) : out_(out), budget_(budget) {}

  /// A token that is not paired, with its increment.
  void pass(Token token, uint32_t increment) {
    position_ += increment;
    push(token);
  }

  void write_run(const std::vector<Character>& run, bool unigrams) {
    if (run.size() == 1) single(run.front());
    for (size_t i = 0; i < run.size() && run.size() > 1; ++i) {
      const bool last = i + 1 == run.size();
      if (unigrams) single(run[i]);
      if (last) break;
      if (!unigrams) ++position_;
      Token pair;
      const std::string text = std::string(run[i].text) + std::string(run[i + 1].text);
      pair.text = out_.arena.copy(text);
      pair.start = run[i].start;
      pair.end = run[i + 1].end;
      pair.type = kTypeCjkPair;
      pair.position_length = unigrams ? 2 : 1;
      push(pair);
    }
  }

  void finish() {
    const int64_t last = out_.tokens.empty() ? -1 : out_.tokens.back().position;
    const int64_t behind = out_.end_position - last;
    out_.tokens = std::move(tokens_);
    out_.end_position = static_cast<uint32_t>(position_ + behind);
  }

 private:
  void single(const Character& character) {
    ++position_;
    Token token;
    token.text = character.text;
    token.start = character.start;
    token.end = character.end;
    token.type = kTypeCjkSingle;
    push(token);
  }
  void push(Token token) {
    token.position = static_cast<uint32_t>(position_);
    if (budget_.allows(tokens_.size() + 1, out_.arena.used())) tokens_.push_back(token);
  }

  TokenBuffer& out_;
  AnalysisBudget& budget_;
  std::vector<Token> tokens_;
  int64_t position_ = -1;
};

}  // namespace

bool CjkBigramFilter::pairs(const Token& token) const {
  const std::string_view type = token.type;
  return (options_.han && type == "<IDEOGRAPHIC>") || (options_.hiragana && type == "<HIRAGANA>") ||
         (options_.katakana && type == "<KATAKANA>") || (options_.hangul && type == "<HANGUL>");
}

void CjkBigramFilter::apply(TokenBuffer& out, AnalysisBudget& budget) const {
  Writer writer(out, budget);
  std::vector<Character> run;
  uint32_t run_end = 0;
  int64_t before = -1;
  const auto flush = [&] {
    writer.write_run(run, options_.unigrams);
    run.clear();
  };
  for (const Token& token : out.tokens) {
    if (budget.exceeded()) return;
    const auto increment = static_cast<uint32_t>(int64_t{token.position} - before);
    before = token.position;
    if (!pairs(token)) {
      flush();
      writer.pass(token, increment);
      continue;
    }
    if (token.start != run_end) flush();
    add_characters(token, out.source, run);
    run_end = token.end;
  }
  flush();
  writer.finish();
}

}  // namespace quarry
