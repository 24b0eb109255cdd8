// What the analysis of one document or of one query may cost. A chain of components multiplies: a
// few hundred bytes of filters make gigabytes of a letter. So what stands between two components is
// counted against the length of the text, and what all of them do against the length of all texts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/status.h"

namespace quarry {

/// Characters are bytes of UTF-8. Grams of 1 to 20 letters (20 tokens and 210 characters for each
/// letter), the runs of up to four words and their beginnings of search_as_you_type, and every
/// tokenizer without filters stay within for texts of hundreds of KiB; a token takes 48 bytes.
class AnalysisBudget {
 public:
  /// Begins with the next text: room for what becomes of it.
  void start_text(size_t bytes);
  /// The same within limits of the caller's.
  void start_text(size_t bytes, size_t max_characters, size_t max_steps);

  /// May a component hand on so many tokens and characters? Asked while they are made; false ends
  /// the component, whose output nobody reads then.
  bool allows(size_t tokens, size_t characters) {
    characters_ = std::max(characters_, characters);
    if (tokens > max_tokens_) excess_ = Excess::kTokens;
    if (characters > max_characters_) excess_ = Excess::kCharacters;
    return !exceeded();
  }
  size_t max_tokens() const { return max_tokens_; }

  /// Counts work that is not in proportion to what comes out: moves of a matcher, lookups. A step
  /// takes some 5 ns. False ends the component.
  bool spend(size_t steps) {
    steps_ += steps;
    if (steps_ > max_steps_) excess_ = Excess::kSteps;
    return !exceeded();
  }

  /// What a component has left behind, and a pass over it.
  bool finish_component(size_t tokens, size_t characters);
  /// The tokens go into the index or the query.
  bool finish_text(size_t tokens);

  bool exceeded() const { return excess_ != Excess::kNone; }
  /// The refusal of the text by `component`: "filter [x] of type [shingle]".
  Status refusal(std::string_view component) const;

  size_t steps() const { return steps_; }

 private:
  enum class Excess : uint8_t { kNone, kTokens, kCharacters, kSteps };

  size_t text_bytes_ = 0;
  size_t all_bytes_ = 0;
  size_t max_tokens_ = 0;
  size_t max_characters_ = 0;
  size_t max_steps_ = 0;
  size_t characters_ = 0;  // the most that was asked for during this text
  size_t steps_ = 0;
  Excess excess_ = Excess::kNone;
};

}  // namespace quarry
