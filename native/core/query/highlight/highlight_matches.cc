// Looks up terms and patterns among the tokens of a text, and finds phrases by their positions.
#include "query/highlight/highlight_matches.h"

#include <algorithm>

#include "query/phrase/phrase_weight.h"

namespace quarry {
namespace {

/// Tokens that can be at one part of a phrase, by position.
struct PartTokens {
  uint32_t offset = 0;
  std::vector<uint32_t> tokens;
};

/// The start of a phrase that has this token at this part.
int64_t phrase_start(const FieldTokens& all, const PartTokens& part, size_t at) {
  return int64_t{all.tokens[part.tokens[at]].position} - int64_t{part.offset};
}

/// A walk over the parts that keeps the current token of each.
class PhraseWalk {
 public:
  PhraseWalk(const FieldTokens& all, const std::vector<PartTokens>& parts, StopCheck& stop)
      : all_(all), parts_(parts), stop_(stop), at_(parts.size(), 0) {}

  /// Moves to the next place where the parts are within `slop`; false at the end, or if it has to
  /// stop.
  bool next(uint32_t slop) {
    while (!ended_ && !stopped()) {
      const int64_t width = largest_start() - start(least_part());
      if (width > int64_t{slop}) {
        step(least_part());
        continue;
      }
      narrow(width);
      if (is_distinct()) return true;
    }
    return false;
  }
  std::vector<uint32_t> tokens() const {
    std::vector<uint32_t> out;
    for (size_t i = 0; i < parts_.size(); i++) out.push_back(parts_[i].tokens[found_[i]]);
    return out;
  }

 private:
  bool stopped() { return stop_.step(static_cast<uint32_t>(parts_.size())); }
  int64_t start(size_t part) const { return phrase_start(all_, parts_[part], at_[part]); }
  size_t least_part() const {
    size_t least = 0;
    for (size_t i = 1; i < parts_.size(); i++) least = start(i) < start(least) ? i : least;
    return least;
  }
  int64_t largest_start() const {
    int64_t largest = start(0);
    for (size_t i = 1; i < parts_.size(); i++) largest = std::max(largest, start(i));
    return largest;
  }
  /// Advances while the parts get closer, and one step beyond.
  void narrow(int64_t width) {
    do {
      found_ = at_;
      step(least_part());
      if (ended_ || stopped()) return;
      const int64_t next = largest_start() - start(least_part());
      if (next >= width) return;
      width = next;
    } while (!ended_);
  }
  void step(size_t part) { ended_ = ++at_[part] == parts_[part].tokens.size(); }
  /// Whether no token is used for two parts.
  bool is_distinct() const {
    std::vector<uint32_t> used = tokens();
    std::sort(used.begin(), used.end());
    return std::adjacent_find(used.begin(), used.end()) == used.end();
  }

  const FieldTokens& all_;
  const std::vector<PartTokens>& parts_;
  StopCheck& stop_;
  std::vector<size_t> at_;
  std::vector<size_t> found_;
  bool ended_ = false;
};

}  // namespace

void MatchFinder::add_token(uint32_t token, std::string_view label, uint32_t freq) {
  out_.push_back({tokens_.tokens[token].span, std::string(label), any_field_ ? freq : 1});
}

void MatchFinder::term(const Field& field, std::string_view term) {
  if (!takes(field)) return;
  const auto found = tokens_.by_term.find(term);
  if (found == tokens_.by_term.end()) return;
  const auto freq = static_cast<uint32_t>(found->second.size());
  for (const uint32_t token : found->second) add_token(token, term, freq);
}

void MatchFinder::terms(const Field& field, std::string_view pattern,
                        const std::function<bool(std::string_view)>& accepts) {
  if (!takes(field)) return;
  for (const auto& [term, tokens] : tokens_.by_term) {
    if (stop_.step(static_cast<uint32_t>(term.size()))) return;
    if (!accepts(term)) continue;
    const auto freq = static_cast<uint32_t>(tokens.size());
    for (const uint32_t token : tokens) add_token(token, pattern, freq);
  }
}

void MatchFinder::add_phrase(const std::vector<uint32_t>& tokens, const std::string& label) {
  if (any_field_) {
    for (const uint32_t token : tokens) {
      const std::string& term = tokens_.tokens[token].term;
      add_token(token, term, static_cast<uint32_t>(tokens_.by_term.at(term).size()));
    }
    return;
  }
  TextSpan span = tokens_.tokens[tokens[0]].span;
  for (const uint32_t token : tokens) {
    span.start = std::min(span.start, tokens_.tokens[token].span.start);
    span.end = std::max(span.end, tokens_.tokens[token].span.end);
  }
  out_.push_back({span, label, 1});
}

void MatchFinder::phrase(const Field& field, const std::vector<PhrasePart>& parts, uint32_t slop) {
  if (!takes(field)) return;
  std::vector<PartTokens> found;
  std::string label;
  for (const PhrasePart& part : parts) {
    PartTokens& here = found.emplace_back();
    here.offset = part.offset;
    for (const std::string& term : part.terms) {
      label += (label.empty() ? "" : " ") + term;
      const auto tokens = tokens_.by_term.find(term);
      if (tokens == tokens_.by_term.end()) continue;
      here.tokens.insert(here.tokens.end(), tokens->second.begin(), tokens->second.end());
    }
    if (here.tokens.empty()) return;
    std::sort(here.tokens.begin(), here.tokens.end());
  }
  PhraseWalk walk(tokens_, found, stop_);
  while (walk.next(slop)) {
    if (phrase_limit_ > 0 && ++phrases_ > phrase_limit_) return;
    add_phrase(walk.tokens(), label);
  }
}

}  // namespace quarry
