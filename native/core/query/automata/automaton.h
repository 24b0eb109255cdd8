// Automata over the terms of a dictionary: states are made as the terms ask for them, so a walk
// costs time linear in the text it reads. Wildcards and edit distance simulate a position automaton
// with bit sets; regexp is in regexp_automaton.h.
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

/// Steps over code points. State numbers are dense; kDead never leads to a match. Not thread-safe.
class TermAutomaton {
 public:
  using State = uint32_t;
  static constexpr State kDead = 0;

  virtual ~TermAutomaton() = default;
  virtual State start() = 0;
  virtual State step(State state, char32_t symbol) = 0;
  virtual bool accepts(State state) = 0;
  /// No symbol between `above` and the result leads from `state` to a match; the least that may is
  /// the result, kNoSymbol when none does. `above` + 1 says nothing.
  static constexpr char32_t kNoSymbol = 0xffffffff;
  virtual char32_t next_viable(State /*state*/, char32_t above) { return above + 1; }
  /// The least symbol that may lead from `state` to a match, kNoSymbol when none does; 0 says
  /// nothing.
  virtual char32_t first_viable(State /*state*/) { return 0; }
  /// How many states were made; reset() forgets them (and all numbers handed out).
  virtual size_t states() const = 0;
  virtual void reset() = 0;
  /// Not Ok once the automaton had to give up (too many states).
  virtual Status status() const { return {}; }
};

/// `*` any text, `?` any one character, backslash escapes. `fold`: ASCII letters match in either
/// case.
std::unique_ptr<TermAutomaton> make_wildcard_automaton(std::string_view pattern, bool fold);
/// Exactly `text`, with ASCII letters in either case; `prefix`: anything may follow.
std::unique_ptr<TermAutomaton> make_folded_automaton(std::string_view text, bool prefix);
/// Terms within `edits` (0..2) edits of `text`; a swap of neighbours counts one when
/// `transpositions`. The first `prefix_length` characters must be equal.
std::unique_ptr<TermAutomaton> make_fuzzy_automaton(std::string_view text, uint32_t edits,
                                                    uint32_t prefix_length, bool transpositions);

/// Ordinals, ascending, of the terms of `terms` in [range.begin, range.end) whose text behind the
/// first `skip` bytes is accepted. Shares the work on common beginnings of neighbours and jumps
/// over beginnings that lead nowhere. When `stop` (may be null) expires: those found until then.
/// `walked` (may be null) grows by the terms that were looked at.
Result<std::vector<uint32_t>> match_terms(TermAutomaton& automaton, const TermDictionary& terms,
                                          TermDictionary::Range range, size_t skip,
                                          StopCheck* stop = nullptr,
                                          uint64_t* walked = nullptr);
/// The same for the terms `among`, ascending, alone.
Result<std::vector<uint32_t>> match_terms_among(TermAutomaton& automaton,
                                                const TermDictionary& terms,
                                                std::vector<uint32_t> among, size_t skip,
                                                StopCheck* stop = nullptr);

bool matches_text(TermAutomaton& automaton, std::string_view text);

/// Code points of valid UTF-8; a byte that is none becomes a code point above U+10FFFF of its own.
std::u32string decode_utf8(std::string_view text);
/// The code point at `at`, which moves behind it; `at` < text.size().
char32_t next_code_point(std::string_view text, size_t& at) noexcept;

/// States that are bit sets over the positions of a pattern, numbered in order of appearance.
class BitStateTable {
 public:
  explicit BitStateTable(size_t words) : words_(words) { clear(); }
  size_t words() const { return words_; }
  const uint64_t* bits(uint32_t state) const { return bits_.data() + state * words_; }
  /// All zero is TermAutomaton::kDead.
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
