// One range for an exact prefix; an automaton walk over the dictionary for a fuzzy one.
#include "query/suggest/completion_ranges.h"

#include <algorithm>
#include <memory>
#include <string>

#include "query/automata/automaton.h"

namespace quarry {
namespace {

constexpr size_t kMaxFuzzyUnits = 256;
constexpr uint32_t kKeysPerPoll = 64;
constexpr size_t kMaxStates = 100000;

/// Splits `text` into characters, or into bytes.
std::u32string units_of(std::string_view text, bool characters) {
  if (characters) return decode_utf8(text);
  std::u32string units;
  for (const char byte : text) units += static_cast<char32_t>(static_cast<uint8_t>(byte));
  return units;
}

void append_unit(std::string& out, char32_t unit) {
  if (unit < 0x80) {
    out += static_cast<char>(unit);
  } else {  // a byte: below 0x100
    out += static_cast<char>(0xc0 | unit >> 6);
    out += static_cast<char>(0x80 | (unit & 0x3f));
  }
}

/// A string whose characters are the units of `key`.
std::string text_of_units(std::string_view key, bool characters) {
  if (characters) return std::string(key);
  std::string text;
  for (const char32_t unit : units_of(key, false)) append_unit(text, unit);
  return text;
}

/// Finds the keys of a dictionary that start with something near the prefix.
class FuzzyWalk {
 public:
  FuzzyWalk(const CompleteRequest& request, std::string_view key, const TermDictionary& terms,
            StopCheck& stop)
      : terms_(terms),
        stop_(stop),
        characters_(request.unicode_aware),
        units_(units_of(key, request.unicode_aware)),
        automaton_(make_fuzzy_automaton(text_of_units(key, request.unicode_aware), request.edits,
                                        request.prefix_length, request.transpositions)) {}

  std::vector<CompletionRange> run() {
    uint32_t ordinal = 0;
    uint32_t walked = 0;
    while (ordinal < terms_.size()) {
      if (++walked % kKeysPerPoll == 0 && stop_.expired()) break;
      ordinal = step(ordinal);
    }
    return std::move(ranges_);
  }

 private:
  /// Reads one key and returns the next ordinal whose key may start differently.
  uint32_t step(uint32_t ordinal) {
    if (automaton_->states() > kMaxStates) automaton_->reset();
    const std::string_view term = terms_.term(ordinal);
    const std::string_view key = term.substr(0, term.find('\0'));
    TermAutomaton::State state = automaton_->start();
    size_t at = 0;
    size_t read = 0;    // number of units read
    size_t common = 0;  // number of units before the first difference
    while (!automaton_->accepts(state)) {
      if (at == key.size() || state == TermAutomaton::kDead)
        return behind(term.substr(0, at), ordinal);
      const char32_t unit =
          characters_ ? next_code_point(key, at) : static_cast<uint8_t>(key[at++]);
      if (common == read && read < units_.size() && units_[read] == unit) common++;
      read++;
      state = automaton_->step(state, unit);
    }
    const uint32_t end = behind(term.substr(0, at), ordinal);
    ranges_.push_back({ordinal, end, static_cast<float>(common)});
    return end;
  }

  uint32_t behind(std::string_view beginning, uint32_t ordinal) const {
    return std::max(terms_.prefix_range(beginning).end, ordinal + 1);
  }

  const TermDictionary& terms_;
  StopCheck& stop_;
  bool characters_;
  std::u32string units_;
  std::unique_ptr<TermAutomaton> automaton_;
  std::vector<CompletionRange> ranges_;
};

}  // namespace

std::vector<CompletionRange> completion_ranges(const CompleteRequest& request, std::string_view key,
                                               const TermDictionary& terms, StopCheck& stop) {
  if (key.empty()) return {};
  const size_t units = units_of(key, request.unicode_aware).size();
  const bool fuzzy = request.fuzzy && request.edits > 0 && units > request.prefix_length &&
                     units >= request.min_length && units <= kMaxFuzzyUnits;
  if (fuzzy) return FuzzyWalk(request, key, terms, stop).run();
  const TermDictionary::Range range = terms.prefix_range(key);
  if (range.begin == range.end) return {};
  // A fuzzy text that is too short is looked up exactly, but scored as a fuzzy one.
  return {{range.begin, range.end, request.fuzzy ? static_cast<float>(units) : 0.0F}};
}

}  // namespace quarry
