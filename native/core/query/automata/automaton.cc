// The walk over a dictionary, and what the automata share.
#include "query/automata/automaton.h"

#include <algorithm>

#include "base/hash.h"

namespace quarry {
namespace {

constexpr uint32_t kStepsPerTerm = 4;      // excluding its characters
constexpr size_t kMostWalkStates = 20000;  // beyond it the automaton is reset between two terms
constexpr char32_t kBadByte = 0x110000;

/// The states along the current term, one per character, so that the next term continues after the
/// common prefix.
struct Trail {
  std::vector<size_t> ends;  // byte offset after the i-th character
  std::vector<TermAutomaton::State> states;

  void cut(size_t bytes) {
    while (!ends.empty() && ends.back() > bytes) {
      ends.pop_back();
      states.pop_back();
    }
  }
};

size_t common_bytes(std::string_view a, std::string_view b) {
  const size_t limit = std::min(a.size(), b.size());
  size_t i = 0;
  while (i < limit && a[i] == b[i]) i++;
  return i;
}

/// Smallest string greater than all strings that start with `prefix`; empty if there is none.
std::string prefix_successor(std::string_view prefix) {
  std::string next(prefix);
  while (!next.empty() && static_cast<uint8_t>(next.back()) == 0xff) next.pop_back();
  if (!next.empty()) next.back() = static_cast<char>(static_cast<uint8_t>(next.back()) + 1);
  return next;
}

/// First ordinal >= `from` whose term is >= `text`; usually a few terms ahead.
uint32_t gallop(const TermDictionary& terms, uint32_t from, std::string_view text) {
  constexpr uint32_t kFar = 16;
  uint32_t first = from;  // terms before it are less than `text`
  uint32_t last = from;
  for (uint32_t step = 1; step <= kFar && last < terms.size(); step *= 4) {
    last = std::min(first + step, terms.size());
    if (terms.term(last - 1) >= text) {
      while (first + 1 < last) {
        const uint32_t middle = first + (last - first) / 2;
        const bool before = terms.term(middle - 1) < text;
        first = before ? middle : first;
        last = before ? last : middle;
      }
      return first;
    }
    first = last;
  }
  return first == terms.size() ? first : std::max(first, terms.lower_bound(text));
}

/// First ordinal after `ordinal` whose term does not share the first `bytes` bytes of its term.
uint32_t behind_prefix(const TermDictionary& terms, uint32_t ordinal, size_t bytes) {
  const std::string_view prefix = terms.term(ordinal).substr(0, bytes);
  const uint32_t next_ordinal = ordinal + 1;
  if (next_ordinal >= terms.size() || !terms.term(next_ordinal).starts_with(prefix))
    return next_ordinal;
  const std::string next = prefix_successor(prefix);
  return next.empty() ? terms.size() : gallop(terms, next_ordinal, next);
}

void append_symbol(std::string& out, char32_t symbol) {
  const auto put = [&out](uint32_t byte) { out += static_cast<char>(byte); };
  if (symbol < 0x80) return put(symbol);
  if (symbol < 0x800) {
    put(0xc0 | symbol >> 6);
  } else if (symbol < 0x10000) {
    put(0xe0 | symbol >> 12);
    put(0x80 | (symbol >> 6 & 0x3f));
  } else {
    put(0xf0 | symbol >> 18);
    put(0x80 | (symbol >> 12 & 0x3f));
    put(0x80 | (symbol >> 6 & 0x3f));
  }
  put(0x80 | (symbol & 0x3f));
}

/// Extends `text`, which leads to `state`, to the least string that may match, as far as every
/// match has to continue with it. This avoids trying the symbols one by one.
void append_forced(TermAutomaton& automaton, TermAutomaton::State state, std::string& text) {
  constexpr uint32_t kMost = 64;
  for (uint32_t i = 0; i < kMost && state != TermAutomaton::kDead; i++) {
    if (automaton.accepts(state)) return;
    const char32_t symbol = automaton.first_viable(state);
    if (symbol == 0 || symbol >= kBadByte) return;
    append_symbol(text, symbol);
    state = automaton.step(state, symbol);
  }
}

/// First ordinal after `ordinal` that may match, after the last character of the trail led to a
/// dead state. The automaton has not read the first `skip` bytes of the term. If no symbol can
/// replace that character, the character before it has to change.
uint32_t behind_dead_end(TermAutomaton& automaton, TermAutomaton::State start, const Trail& trail,
                         const TermDictionary& terms, uint32_t ordinal, size_t skip) {
  const std::string_view term = terms.term(ordinal);
  for (size_t i = trail.ends.size(); i-- > 0;) {
    const size_t end = skip + trail.ends[i];
    const size_t begin = skip + (i == 0 ? 0 : trail.ends[i - 1]);
    const TermAutomaton::State before = i == 0 ? start : trail.states[i - 1];
    size_t at = begin;
    const char32_t symbol = next_code_point(term, at);
    // Code points sort like their bytes; bytes that are not UTF-8 have an order of their own.
    if (symbol >= kBadByte) return behind_prefix(terms, ordinal, end);
    const char32_t viable = automaton.next_viable(before, symbol);
    if (viable == TermAutomaton::kNoSymbol) continue;
    // Bytes that are not UTF-8 sort among the others.
    if (viable == symbol + 1 || viable >= kBadByte) return behind_prefix(terms, ordinal, end);
    std::string next(term.substr(0, begin));
    append_symbol(next, viable);
    append_forced(automaton, automaton.step(before, viable), next);
    return gallop(terms, ordinal + 1, next);
  }
  return behind_prefix(terms, ordinal, skip);
}

}  // namespace

char32_t next_code_point(std::string_view text, size_t& at) noexcept {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t first = byte(at);
  const size_t length = first < 0x80   ? 1
                        : first < 0xc2 ? 0
                        : first < 0xe0 ? 2
                        : first < 0xf0 ? 3
                        : first < 0xf5 ? 4
                                       : 0;
  if (length == 0 || at + length > text.size()) {
    at++;
    return kBadByte + first;
  }
  char32_t symbol = length == 1 ? first : first & (0x7fU >> length);
  for (size_t i = 1; i < length; i++) {
    if ((byte(at + i) & 0xc0) != 0x80) {
      at++;
      return kBadByte + first;
    }
    symbol = (symbol << 6) | (byte(at + i) & 0x3fU);
  }
  at += length;
  return symbol;
}

std::u32string decode_utf8(std::string_view text) {
  std::u32string out;
  for (size_t at = 0; at < text.size();) out += next_code_point(text, at);
  return out;
}

uint32_t BitStateTable::intern(const std::vector<uint64_t>& bits) {
  const std::string_view bytes(reinterpret_cast<const char*>(bits.data()),
                               bits.size() * sizeof(uint64_t));
  std::vector<uint32_t>& same_hash = by_hash_[hash64(bytes)];
  for (const uint32_t state : same_hash) {
    if (std::equal(bits.begin(), bits.end(), this->bits(state))) return state;
  }
  const auto state = static_cast<uint32_t>(size_++);
  bits_.insert(bits_.end(), bits.begin(), bits.end());
  same_hash.push_back(state);
  return state;
}

void BitStateTable::clear() {
  size_ = 0;
  bits_.clear();
  by_hash_.clear();
  intern(std::vector<uint64_t>(words_, 0));  // becomes TermAutomaton::kDead
}

Result<std::vector<uint32_t>> match_terms(TermAutomaton& automaton, const TermDictionary& terms,
                                          TermDictionary::Range range, size_t skip, StopCheck* stop,
                                          uint64_t* walked) {
  std::vector<uint32_t> found;
  Trail trail;
  std::string_view last;  // points into the dictionary
  TermAutomaton::State start = automaton.start();
  uint32_t ordinal = range.begin;
  uint64_t looked_at = 0;
  while (ordinal < range.end && start != TermAutomaton::kDead) {
    looked_at++;
    if (stop != nullptr && stop->step(kStepsPerTerm)) break;
    const std::string_view whole = terms.term(ordinal);
    const std::string_view term = whole.substr(std::min(skip, whole.size()));
    if (automaton.states() > kMostWalkStates) {
      automaton.reset();
      start = automaton.start();
      trail.cut(0);
    }
    trail.cut(common_bytes(last, term));
    last = term;
    size_t at = trail.ends.empty() ? 0 : trail.ends.back();
    TermAutomaton::State state = trail.states.empty() ? start : trail.states.back();
    while (at < term.size() && state != TermAutomaton::kDead) {
      state = automaton.step(state, next_code_point(term, at));
      trail.ends.push_back(at);
      trail.states.push_back(state);
    }
    if (stop != nullptr) stop->step(static_cast<uint32_t>(trail.ends.size()));
    QUARRY_RETURN_IF_ERROR(automaton.status());
    if (state == TermAutomaton::kDead) {
      ordinal = behind_dead_end(automaton, start, trail, terms, ordinal, skip);
      continue;
    }
    if (automaton.accepts(state)) found.push_back(ordinal);
    ordinal++;
  }
  if (walked != nullptr) *walked += looked_at;
  return found;
}

Result<std::vector<uint32_t>> match_terms_among(TermAutomaton& automaton,
                                                const TermDictionary& terms,
                                                std::vector<uint32_t> among, size_t skip,
                                                StopCheck* stop) {
  size_t kept = 0;
  for (const uint32_t ordinal : among) {
    if (stop != nullptr && stop->step(kStepsPerTerm)) break;
    if (automaton.states() > kMostWalkStates) automaton.reset();
    const std::string_view term = terms.term(ordinal);
    const bool matched = matches_text(automaton, term.substr(std::min(skip, term.size())));
    if (stop != nullptr) stop->step(static_cast<uint32_t>(term.size()));
    QUARRY_RETURN_IF_ERROR(automaton.status());
    if (matched) among[kept++] = ordinal;
  }
  among.resize(kept);
  return among;
}

Result<std::vector<uint32_t>> match_printed_terms(TermAutomaton& automaton,
                                                  const TermDictionary& terms,
                                                  std::string (*print)(std::string_view term),
                                                  StopCheck& stop) {
  std::vector<uint32_t> found;
  for (uint32_t ordinal = 0; ordinal < terms.size(); ordinal++) {
    if (stop.step(kStepsPerTerm)) break;
    if (automaton.states() > kMostWalkStates) automaton.reset();
    const std::string text = print(terms.term(ordinal));
    stop.step(static_cast<uint32_t>(text.size()));
    const bool matched = matches_text(automaton, text);
    QUARRY_RETURN_IF_ERROR(automaton.status());
    if (matched) found.push_back(ordinal);
  }
  return found;
}

bool matches_text(TermAutomaton& automaton, std::string_view text) {
  TermAutomaton::State state = automaton.start();
  for (size_t at = 0; at < text.size() && state != TermAutomaton::kDead;) {
    state = automaton.step(state, next_code_point(text, at));
  }
  return automaton.accepts(state);
}

}  // namespace quarry
