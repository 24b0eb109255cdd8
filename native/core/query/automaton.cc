// The walk over a dictionary, and what the automata share.
#include "query/automaton.h"

#include <algorithm>

#include "base/hash.h"

namespace quarry {
namespace {

constexpr size_t kMaxStates = 20000;  // then the table is emptied between two terms
constexpr char32_t kBadByte = 0x110000;

/// States along the term at hand, one per character, so that the next term continues where the two
/// part.
struct Trail {
  std::vector<size_t> ends;  // byte offset behind the i-th character
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

/// Smallest string greater than everything that starts with `prefix`; empty when there is none.
std::string prefix_successor(std::string_view prefix) {
  std::string next(prefix);
  while (!next.empty() && static_cast<uint8_t>(next.back()) == 0xff) next.pop_back();
  if (!next.empty()) next.back() = static_cast<char>(static_cast<uint8_t>(next.back()) + 1);
  return next;
}

/// First ordinal behind `ordinal` whose term does not start with the first `bytes` bytes of its
/// term.
uint32_t behind_prefix(const TermDictionary& terms, uint32_t ordinal, size_t bytes) {
  const std::string_view prefix = terms.term(ordinal).substr(0, bytes);
  const uint32_t neighbour = ordinal + 1;
  if (neighbour >= terms.size() || !terms.term(neighbour).starts_with(prefix)) return neighbour;
  const std::string next = prefix_successor(prefix);
  return next.empty() ? terms.size() : std::max(neighbour, terms.lower_bound(next));
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
  intern(std::vector<uint64_t>(words_, 0));  // TermAutomaton::kDead
}

Result<std::vector<uint32_t>> match_terms(TermAutomaton& automaton, const TermDictionary& terms,
                                          TermDictionary::Range range, size_t skip,
                                          StopCheck* stop) {
  std::vector<uint32_t> found;
  Trail trail;
  std::string_view last;  // of the dictionary's own bytes
  TermAutomaton::State start = automaton.start();
  uint32_t ordinal = range.begin;
  constexpr uint32_t kTermsPerPoll = 256;
  uint32_t walked = 0;
  while (ordinal < range.end && start != TermAutomaton::kDead) {
    if (stop != nullptr && ++walked % kTermsPerPoll == 0 && stop->expired()) break;
    const std::string_view whole = terms.term(ordinal);
    const std::string_view term = whole.substr(std::min(skip, whole.size()));
    if (automaton.states() > kMaxStates) {
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
    QUARRY_RETURN_IF_ERROR(automaton.status());
    if (state == TermAutomaton::kDead) {
      ordinal = behind_prefix(terms, ordinal, skip + at);
      continue;
    }
    if (automaton.accepts(state)) found.push_back(ordinal);
    ordinal++;
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
