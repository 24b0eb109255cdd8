// Limits the cost of analyzing one document or one query. The output of a chain of components grows
// as a product: a few hundred bytes of filters can turn one character into gigabytes. The output of
// each component is therefore limited in proportion to the length of the text, and the work of all
// components in proportion to the length of all texts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/status.h"

namespace quarry {

/// Characters are bytes of UTF-8. Grams of 1 to 20 characters (20 tokens and 210 characters for
/// each character), the shingles of up to four words and the prefixes of search_as_you_type, and
/// every tokenizer without filters stay within the limits for texts of hundreds of KiB; a token
/// takes 48 bytes.
class AnalysisBudget {
 public:
  /// Starts the next text and sets the limits for its output.
  void start_text(size_t bytes);
  /// The same with limits of the caller.
  void start_text(size_t bytes, size_t max_characters, size_t max_steps);

  /// Whether a component may emit this many tokens and characters. It is called while they are
  /// produced; after false the component stops, and its output is not used.
  bool allows(size_t tokens, size_t characters) {
    characters_ = std::max(characters_, characters);
    if (tokens > max_tokens_) excess_ = Excess::kTokens;
    if (characters > max_characters_) excess_ = Excess::kCharacters;
    return !exceeded();
  }
  size_t max_tokens() const { return max_tokens_; }

  /// Counts work that is not proportional to the output, such as steps of a matcher or lookups. A
  /// step takes about 5 ns. After false the component stops.
  bool spend(size_t steps) {
    steps_ += steps;
    if (steps_ > max_steps_) excess_ = Excess::kSteps;
    return !exceeded();
  }

  /// Counts the output of a component and one pass over it.
  bool finish_component(size_t tokens, size_t characters);
  /// Counts the tokens that go into the index or the query.
  bool finish_text(size_t tokens);

  bool exceeded() const { return excess_ != Excess::kNone; }
  /// The error that `component` ("filter [x] of type [shingle]") exceeded the limits for the text.
  Status refusal(std::string_view component) const;

  size_t steps() const { return steps_; }

 private:
  enum class Excess : uint8_t { kNone, kTokens, kCharacters, kSteps };

  size_t text_bytes_ = 0;
  size_t all_bytes_ = 0;
  size_t max_tokens_ = 0;
  size_t max_characters_ = 0;
  size_t max_steps_ = 0;
  size_t characters_ = 0;  // the most that was requested during this text
  size_t steps_ = 0;
  Excess excess_ = Excess::kNone;
};

}  // namespace quarry
