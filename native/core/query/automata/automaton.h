// Automata over the terms of a dictionary. States are created on demand, so a walk takes time
// linear in the text it reads. Wildcards and edit distance simulate a position automaton with bit
// sets; regexps are in regexp_automaton.h.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/status.h"
#include "base/stop_check.h"
#include "postings/term_dictionary.h"

namespace quarry {

/// Reads code points. State numbers are dense; kDead never leads to a match. Not thread-safe.
class TermAutomaton {
 public:
  using State = uint32_t;
  static constexpr State kDead = 0;

  virtual ~TermAutomaton() = default;
  virtual State start() = 0;
  virtual State step(State state, char32_t symbol) = 0;
  virtual bool accepts(State state) = 0;
  /// The least symbol above `above` that may lead from `state` to a match, kNoSymbol if there is
  /// none; all symbols between them do not. `above` + 1 means unknown.
  static constexpr char32_t kNoSymbol = 0xffffffff;
  virtual char32_t next_viable(State /*state*/, char32_t above) { return above + 1; }
  /// The least symbol that may lead from `state` to a match, kNoSymbol if there is none; 0 means
  /// unknown.
  virtual char32_t first_viable(State /*state*/) { return 0; }
  /// The number of states created; reset() discards them and invalidates all state numbers.
  virtual size_t states() const = 0;
  virtual void reset() = 0;
  /// An error once the automaton had to give up (too many states).
  virtual Status status() const { return {}; }
};

/// `*` matches any text, `?` any one character; a backslash escapes. `fold`: ASCII letters match in
/// either case.
std::unique_ptr<TermAutomaton> make_wildcard_automaton(std::string_view pattern, bool fold);
/// Matches exactly `text`, with ASCII letters in either case; `prefix`: anything may follow.
std::unique_ptr<TermAutomaton> make_folded_automaton(std::string_view text, bool prefix);
/// Matches terms within `edits` (0..2) edits of `text`; swapping adjacent characters is one edit if
/// `transpositions`. The first `prefix_length` characters must be equal.
std::unique_ptr<TermAutomaton> make_fuzzy_automaton(std::string_view text, uint32_t edits,
                                                    uint32_t prefix_length, bool transpositions);

/// Ordinals, ascending, of the terms in [range.begin, range.end) whose text after the first `skip`
/// bytes is accepted. Adjacent terms share the work on their common prefix, and prefixes that
/// cannot match are skipped. If `stop` (may be null) expires, the result is incomplete. `walked`
/// (may be null) is increased by the number of visited terms.
Result<std::vector<uint32_t>> match_terms(TermAutomaton& automaton, const TermDictionary& terms,
                                          TermDictionary::Range range, size_t skip,
                                          StopCheck* stop = nullptr, uint64_t* walked = nullptr);
/// The same for the terms of `among` (ascending) only.
Result<std::vector<uint32_t>> match_terms_among(TermAutomaton& automaton,
                                                const TermDictionary& terms,
                                                std::vector<uint32_t> among, size_t skip,
                                                StopCheck* stop = nullptr);
/// The same for terms whose text is not the term itself: visits all terms, since their order is not
/// that of their texts.
Result<std::vector<uint32_t>> match_printed_terms(TermAutomaton& automaton,
                                                  const TermDictionary& terms,
                                                  std::string (*print)(std::string_view term),
                                                  StopCheck& stop);

bool matches_text(TermAutomaton& automaton, std::string_view text);

/// Code points of UTF-8; an invalid byte becomes a distinct code point above U+10FFFF.
std::u32string decode_utf8(std::string_view text);
/// The code point at `at`, which is advanced past it; `at` < text.size().
char32_t next_code_point(std::string_view text, size_t& at) noexcept;

/// States that are bit sets over the positions of a pattern, numbered in order of appearance.
class BitStateTable {
 public:
  explicit BitStateTable(size_t words) : words_(words) { clear(); }
  size_t words() const { return words_; }
  const uint64_t* bits(uint32_t state) const { return bits_.data() + state * words_; }
  /// The empty set is TermAutomaton::kDead.
  uint32_t intern(const std::vector<uint64_t>& bits);
  size_t size() const { return size_; }
  void clear();

 private:
  size_t words_;
  size_t size_ = 0;
  std::vector<uint64_t> bits_;
  std::unordered_map<uint64_t, std::vector<uint32_t>> by_hash_;
};

}  // namespace quarry
