// The text of one field of one document: its values, and the tokens that an analyzer finds in them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "mapping/schema/field.h"

namespace quarry {

/// Half-open, in characters (code points) of the joined text.
struct TextSpan {
  uint32_t start = 0;
  uint32_t end = 0;
};

/// The values of a field, concatenated with one character between them.
class FieldText {
 public:
  explicit FieldText(std::vector<std::string> values);

  bool empty() const { return text_.empty(); }
  const std::u32string& text() const { return text_; }
  const std::vector<std::string>& values() const { return values_; }
  /// The span of each value in text().
  const std::vector<TextSpan>& spans() const { return spans_; }

 private:
  std::vector<std::string> values_;
  std::u32string text_;
  std::vector<TextSpan> spans_;
};

struct TextToken {
  std::string term;
  uint32_t position = 0;
  TextSpan span;
};

/// Tokens in the order of their positions. by_term has indexes into `tokens`; its keys are views of
/// them.
struct FieldTokens {
  std::vector<TextToken> tokens;
  std::unordered_map<std::string_view, std::vector<uint32_t>> by_term;

  FieldTokens() = default;
  FieldTokens(FieldTokens&&) = default;
  FieldTokens& operator=(FieldTokens&&) = default;
};

/// The tokens that `field` would index for the text, except those that end after `limit` (0: none).
Result<FieldTokens> find_tokens(const FieldText& text, const Field& field, uint32_t limit);

}  // namespace quarry
