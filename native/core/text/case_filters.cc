// lowercase, uppercase and asciifolding.
#include "text/case_filters.h"

#include <string>
#include <utility>
#include <vector>

#include "text/standard_tokenizer.h"
#include "text/unicode.h"
#include "text/utf8.h"

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

}  // namespace

void LowercaseFilter::apply(TokenBuffer& out) const {
  for (Token& token : out.tokens) token.text = lower_into(token.text, out.arena);
}

void UppercaseFilter::apply(TokenBuffer& out) const {
  for (Token& token : out.tokens) token.text = out.arena.copy(to_upper(token.text));
}

void AsciiFoldingFilter::apply(TokenBuffer& out) const {
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
