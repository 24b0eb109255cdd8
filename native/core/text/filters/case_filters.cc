// Implements lowercase, uppercase and asciifolding.
#include "text/filters/case_filters.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "text/analysis/unicode.h"
#include "text/analysis/utf8.h"
#include "text/tokenizers/standard_tokenizer.h"

namespace quarry {
namespace {

std::string fold_text(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const CodePoint cp = decode_utf8(text, at);
    const std::string_view folded = cp.value < 0x80 ? std::string_view{} : ascii_fold(cp.value);
    out.append(folded.empty() ? text.substr(at, cp.bytes) : folded);
    at += cp.bytes;
  }
  return out;
}

constexpr uint32_t kCombiningDot = 0x307;

std::string lower_turkish(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const CodePoint cp = decode_utf8(text, at);
    at += cp.bytes;
    if (cp.value != 'I') {
      append_utf8(out, to_lower(cp.value));
    } else if (at < text.size() && decode_utf8(text, at).value == kCombiningDot) {
      at += decode_utf8(text, at).bytes;
      out += 'i';
    } else {
      append_utf8(out, 0x131);
    }
  }
  return out;
}

uint32_t plain_greek(uint32_t cp) {
  struct Plain {
    uint32_t from;
    uint32_t to;
  };
  static constexpr Plain kPlain[] = {
      {0x3C2, 0x3C3}, {0x3AC, 0x3B1}, {0x3AD, 0x3B5}, {0x3AE, 0x3B7},
      {0x3AF, 0x3B9}, {0x3CA, 0x3B9}, {0x390, 0x3B9}, {0x3CD, 0x3C5},
      {0x3CB, 0x3C5}, {0x3B0, 0x3C5}, {0x3CC, 0x3BF}, {0x3CE, 0x3C9},
  };
  for (const Plain& entry : kPlain) {
    if (entry.from == cp) return entry.to;
  }
  return cp;
}

std::string lower_greek(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const CodePoint cp = decode_utf8(text, at);
    append_utf8(out, plain_greek(to_lower(cp.value)));
    at += cp.bytes;
  }
  return out;
}

std::string lower_irish(std::string_view text) {
  const bool prefix = text.size() > 1 && (text[0] == 'n' || text[0] == 't');
  const uint32_t second = prefix ? decode_utf8(text, 1).value : 0;
  constexpr uint32_t kVowels[] = {'A', 'E', 'I', 'O', 'U', 0xC1, 0xC9, 0xCD, 0xD3, 0xDA};
  const bool vowel = std::find(std::begin(kVowels), std::end(kVowels), second) != std::end(kVowels);
  std::string out;
  if (vowel) {
    out = {text[0], '-'};
    text.remove_prefix(1);
  }
  return out + to_lower(text);
}

}  // namespace

void TurkishLowercaseFilter::apply(TokenBuffer& out, AnalysisBudget&) const {
  for (Token& token : out.tokens) token.text = out.arena.copy(lower_turkish(token.text));
}

void GreekLowercaseFilter::apply(TokenBuffer& out, AnalysisBudget&) const {
  for (Token& token : out.tokens) token.text = out.arena.copy(lower_greek(token.text));
}

void IrishLowercaseFilter::apply(TokenBuffer& out, AnalysisBudget&) const {
  for (Token& token : out.tokens) token.text = out.arena.copy(lower_irish(token.text));
}

void LowercaseFilter::apply(TokenBuffer& out, AnalysisBudget&) const {
  for (Token& token : out.tokens) token.text = lower_into(token.text, out.arena);
}

void UppercaseFilter::apply(TokenBuffer& out, AnalysisBudget&) const {
  for (Token& token : out.tokens) token.text = out.arena.copy(to_upper(token.text));
}

void AsciiFoldingFilter::apply(TokenBuffer& out, AnalysisBudget&) const {
  std::vector<Token> kept;
  bool doubled = false;
  for (size_t i = 0; i < out.tokens.size(); ++i) {
    Token token = out.tokens[i];
    const bool plain = is_ascii(token.text);
    const std::string folded = plain ? std::string() : fold_text(token.text);
    const bool changed = !plain && folded != token.text;
    const std::string_view original = token.text;
    if (changed) token.text = out.arena.copy(folded);
    if (!preserve_original_) {
      out.tokens[i] = token;
      continue;
    }
    kept.push_back(token);
    if (!changed) continue;
    token.text = original;
    kept.push_back(token);
    doubled = true;
  }
  if (doubled) out.tokens = std::move(kept);
}

}  // namespace quarry
