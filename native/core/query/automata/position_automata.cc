// Wildcard, case-folded and fuzzy automata: the positions in the pattern are bit sets, which
// advance one step per character.
#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include "query/automata/automaton.h"

namespace quarry {
namespace {

char32_t fold_ascii(char32_t symbol) {
  return symbol >= U'A' && symbol <= U'Z' ? symbol + 32 : symbol;
}

bool test_bit(const uint64_t* bits, size_t at) { return ((bits[at >> 6] >> (at & 63)) & 1) != 0; }
void set_bit(std::vector<uint64_t>& bits, size_t at) { bits[at >> 6] |= uint64_t{1} << (at & 63); }

/// out |= (in & mask) << 1
void shift_and(const uint64_t* in, const uint64_t* mask, size_t words, uint64_t* out) {
  uint64_t carry = 0;
  for (size_t i = 0; i < words; i++) {
    const uint64_t word = in[i] & mask[i];
    out[i] |= (word << 1) | carry;
    carry = word >> 63;
  }
}

/// Bit i of of(symbol) is set if the pattern has `symbol` at position i.
class SymbolMasks {
 public:
  explicit SymbolMasks(size_t words) : none_(words, 0) {}
  void add(char32_t symbol, size_t at) {
    auto [found, added] = masks_.try_emplace(symbol, none_);
    set_bit(found->second, at);
  }
  const std::vector<uint64_t>& of(char32_t symbol) const {
    const auto found = masks_.find(symbol);
    return found == masks_.end() ? none_ : found->second;
  }

 private:
  std::vector<uint64_t> none_;
  std::map<char32_t, std::vector<uint64_t>> masks_;
};

/// Classes of symbols that the pattern distinguishes: each added symbol is a class, all others are
/// class 0.
class SymbolClasses {
 public:
  void add(char32_t symbol) {
    const auto at = std::lower_bound(symbols_.begin(), symbols_.end(), symbol);
    if (at != symbols_.end() && *at == symbol) return;
    symbols_.insert(at, symbol);
    if (symbol < kAscii) {
      ascii_[symbol] = ++last_;
    } else {
      others_[symbol] = ++last_;
    }
  }
  uint32_t of(char32_t symbol) const {
    if (symbol < kAscii) return ascii_[symbol];
    const auto found = others_.find(symbol);
    return found == others_.end() ? 0 : found->second;
  }
  size_t count() const { return size_t{last_} + 1; }
  /// Ascending.
  const std::vector<char32_t>& symbols() const { return symbols_; }

 private:
  static constexpr size_t kAscii = 128;
  std::array<uint32_t, kAscii> ascii_{};
  std::map<char32_t, uint32_t> others_;
  std::vector<char32_t> symbols_;
  uint32_t last_ = 0;
};

/// Base of the wildcard and fuzzy automata: a start set, a step on sets, an accepting position.
/// Steps are cached by state and symbol class.
class PositionAutomaton : public TermAutomaton {
 public:
  explicit PositionAutomaton(size_t words) : table_(words), next_(words, 0) {}
  State start() final { return table_.intern(start_bits()); }
  State step(State state, char32_t symbol) final {
    const size_t at = size_t{state} * classes_.count() + classes_.of(symbol);
    if (at < steps_.size() && steps_[at] != kUnknown) return steps_[at];
    std::fill(next_.begin(), next_.end(), 0);
    move(table_.bits(state), symbol, next_);
    const State to = table_.intern(next_);
    if (at >= steps_.size()) steps_.resize((size_t{state} + 1) * classes_.count(), kUnknown);
    steps_[at] = to;
    return to;
  }
  bool accepts(State state) final { return accepting(table_.bits(state)); }
  char32_t next_viable(State state, char32_t above) final {
    // A symbol that the pattern does not contain.
    if (step(state, kNoSymbol) != kDead) return above + 1;
    const std::vector<char32_t>& symbols = classes_.symbols();
    // Bytes that are not UTF-8 do not sort by their numbers.
    if (!symbols.empty() && symbols.back() >= kCodePoints) return above + 1;
    for (auto at = std::upper_bound(symbols.begin(), symbols.end(), above); at != symbols.end();
         ++at) {
      if (step(state, *at) != kDead) return *at;
    }
    return kNoSymbol;
  }
  char32_t first_viable(State state) final {
    if (state >= first_viable_.size()) first_viable_.resize(size_t{state} + 1, kNotComputed);
    char32_t& first = first_viable_[state];
    // If next_viable() is unknown above a symbol, it is unknown from 0 on as well.
    if (first == kNotComputed) first = step(state, 0) != kDead ? 0 : next_viable(state, 0);
    return first == 1 ? 0 : first;
  }
  size_t states() const final { return table_.size(); }
  void reset() final {
    table_.clear();
    steps_.clear();
    first_viable_.clear();
  }

 protected:
  /// Declares a symbol that move() distinguishes from others; called before the first step.
  void tell_apart(char32_t symbol) { classes_.add(symbol); }
  virtual std::vector<uint64_t> start_bits() = 0;
  virtual void move(const uint64_t* from, char32_t symbol, std::vector<uint64_t>& to) = 0;
  virtual bool accepting(const uint64_t* bits) = 0;

 private:
  static constexpr State kUnknown = UINT32_MAX;
  static constexpr char32_t kCodePoints = 0x110000;
  static constexpr char32_t kNotComputed = kNoSymbol - 1;

  BitStateTable table_;
  SymbolClasses classes_;
  std::vector<State> steps_;            // by state and class
  std::vector<char32_t> first_viable_;  // by state
  std::vector<uint64_t> next_;
};

/// Positions lie between the elements of the pattern. A `*` element can be skipped without a
/// symbol, and any symbol stays on it.
class WildcardAutomaton final : public PositionAutomaton {
 public:
  struct Element {
    enum class Kind : uint8_t { kSymbol, kAnyOne, kAnyText };
    Kind kind = Kind::kSymbol;
    char32_t symbol = 0;
  };

  WildcardAutomaton(const std::vector<Element>& pattern, bool fold)
      : PositionAutomaton(pattern.size() / 64 + 1),
        words_(pattern.size() / 64 + 1),
        size_(pattern.size()),
        fold_(fold),
        masks_(words_),
        any_one_(words_, 0),
        any_text_(words_, 0) {
    for (size_t i = 0; i < pattern.size(); i++) {
      switch (pattern[i].kind) {
        case Element::Kind::kSymbol:
          add_symbol(pattern[i].symbol, i);
          break;
        case Element::Kind::kAnyOne:
          set_bit(any_one_, i);
          break;
        case Element::Kind::kAnyText:
          set_bit(any_text_, i);
          break;
      }
    }
  }

 protected:
  std::vector<uint64_t> start_bits() override {
    std::vector<uint64_t> bits(words_, 0);
    set_bit(bits, 0);
    skip_any_text(bits);
    return bits;
  }
  void move(const uint64_t* from, char32_t symbol, std::vector<uint64_t>& to) override {
    shift_and(from, masks_.of(fold_ ? fold_ascii(symbol) : symbol).data(), words_, to.data());
    shift_and(from, any_one_.data(), words_, to.data());
    for (size_t i = 0; i < words_; i++) to[i] |= from[i] & any_text_[i];
    skip_any_text(to);
  }
  bool accepting(const uint64_t* bits) override { return test_bit(bits, size_); }

 private:
  void add_symbol(char32_t symbol, size_t at) {
    const char32_t folded = fold_ ? fold_ascii(symbol) : symbol;
    masks_.add(folded, at);
    tell_apart(folded);
    if (fold_ && folded >= U'a' && folded <= U'z') tell_apart(folded - 32);
  }
  /// Adjacent `*` are merged into one element, so one pass is enough.
  void skip_any_text(std::vector<uint64_t>& bits) const {
    std::vector<uint64_t> from = bits;
    shift_and(from.data(), any_text_.data(), words_, bits.data());
  }

  size_t words_;
  size_t size_;
  bool fold_;
  SymbolMasks masks_;
  std::vector<uint64_t> any_one_;
  std::vector<uint64_t> any_text_;
};

/// Levenshtein automaton by rows: row e has the positions reached with e edits; row edits + 1 + e
/// has those that have read the later symbol of a swapped pair and still need the earlier one.
class FuzzyAutomaton final : public PositionAutomaton {
 public:
  FuzzyAutomaton(std::u32string text, uint32_t edits, uint32_t prefix_length, bool transpositions)
      : PositionAutomaton((text.size() / 64 + 1) * (2 * edits + 2)),
        words_(text.size() / 64 + 1),
        text_(std::move(text)),
        edits_(edits),
        prefix_length_(std::min<size_t>(prefix_length, text_.size())),
        transpositions_(transpositions),
        masks_(words_),
        earlier_(words_),
        editable_(words_, 0),
        done_(words_, 0) {
    for (size_t i = 0; i < text_.size(); i++) {
      masks_.add(text_[i], i);
      tell_apart(text_[i]);
      if (i > 0) earlier_.add(text_[i], i - 1);  // position i-1 may read text[i] first
    }
    for (size_t i = prefix_length_; i <= text_.size(); i++) set_bit(editable_, i);
  }

 protected:
  std::vector<uint64_t> start_bits() override {
    std::vector<uint64_t> bits(words_ * (2 * edits_ + 2), 0);
    bits[0] = 1;
    for (uint32_t e = 1; e <= edits_; e++) delete_symbols(bits, e);
    return bits;
  }

  void move(const uint64_t* from, char32_t symbol, std::vector<uint64_t>& to) override {
    const std::vector<uint64_t>& equal = masks_.of(symbol);
    for (uint32_t e = 0; e <= edits_; e++) {
      uint64_t* out = row(to, e);
      shift_and(row(from, e), equal.data(), words_, out);
      if (e == 0) continue;
      shift_and(row(from, e - 1), editable_.data(), words_, out);  // substituted
      for (size_t i = 0; i < words_; i++) out[i] |= row(from, e - 1)[i] & editable_[i];  // inserted
      if (transpositions_) swap_symbols(from, symbol, e, to);
      delete_symbols(to, e);
    }
    drop_beyond_end(to);
  }

  bool accepting(const uint64_t* bits) override {
    for (uint32_t e = 0; e <= edits_; e++) {
      if (test_bit(row(bits, e), text_.size())) return true;
    }
    return false;
  }

 private:
  const uint64_t* row(const uint64_t* bits, uint32_t at) const { return bits + at * words_; }
  uint64_t* row(std::vector<uint64_t>& bits, uint32_t at) const {
    return bits.data() + at * words_;
  }

  /// Skips a symbol of the text that is missing in the term.
  void delete_symbols(std::vector<uint64_t>& bits, uint32_t e) const {
    shift_and(row(bits, e - 1), editable_.data(), words_, row(bits, e));
  }
  void swap_symbols(const uint64_t* from, char32_t symbol, uint32_t e, std::vector<uint64_t>& to) {
    const std::vector<uint64_t>& second = earlier_.of(symbol);
    uint64_t* waiting = row(to, edits_ + 1 + e);
    for (size_t i = 0; i < words_; i++)
      waiting[i] |= row(from, e - 1)[i] & second[i] & editable_[i];
    std::fill(done_.begin(), done_.end(), 0);
    shift_and(row(from, edits_ + 1 + e), masks_.of(symbol).data(), words_, done_.data());
    shift_and(done_.data(), done_.data(), words_, row(to, e));
  }
  void drop_beyond_end(std::vector<uint64_t>& bits) const {
    const size_t used = text_.size() + 1;
    if ((used & 63) == 0) return;
    for (uint32_t at = 0; at < 2 * edits_ + 2; at++)
      row(bits, at)[words_ - 1] &= (uint64_t{1} << (used & 63)) - 1;
  }

  size_t words_;
  std::u32string text_;
  uint32_t edits_;
  size_t prefix_length_;
  bool transpositions_;
  SymbolMasks masks_;
  SymbolMasks earlier_;
  std::vector<uint64_t> editable_;
  std::vector<uint64_t> done_;  // swapped pairs that were read completely
};

/// A single string, character by character: a state is the number of characters read, plus one.
class FoldedAutomaton final : public TermAutomaton {
 public:
  FoldedAutomaton(std::u32string text, bool prefix) : text_(std::move(text)), prefix_(prefix) {
    for (char32_t& symbol : text_) symbol = fold_ascii(symbol);
  }
  State start() override { return 1; }
  State step(State state, char32_t symbol) override {
    const size_t at = state - 1;
    if (at == text_.size()) return prefix_ ? state : kDead;
    return text_[at] == fold_ascii(symbol) ? state + 1 : kDead;
  }
  bool accepts(State state) override { return state == text_.size() + 1; }
  size_t states() const override { return 0; }
  void reset() override {}

 private:
  std::u32string text_;
  bool prefix_;
};

using Element = WildcardAutomaton::Element;

}  // namespace

std::unique_ptr<TermAutomaton> make_wildcard_automaton(std::string_view pattern, bool fold) {
  std::vector<Element> elements;
  const std::u32string symbols = decode_utf8(pattern);
  for (size_t i = 0; i < symbols.size(); i++) {
    if (symbols[i] == U'*') {
      if (!elements.empty() && elements.back().kind == Element::Kind::kAnyText) continue;
      elements.push_back({Element::Kind::kAnyText, 0});
    } else if (symbols[i] == U'?') {
      elements.push_back({Element::Kind::kAnyOne, 0});
    } else {
      if (symbols[i] == U'\\' && i + 1 < symbols.size()) i++;
      elements.push_back({Element::Kind::kSymbol, symbols[i]});
    }
  }
  return std::make_unique<WildcardAutomaton>(elements, fold);
}

std::unique_ptr<TermAutomaton> make_folded_automaton(std::string_view text, bool prefix) {
  return std::make_unique<FoldedAutomaton>(decode_utf8(text), prefix);
}

std::unique_ptr<TermAutomaton> make_fuzzy_automaton(std::string_view text, uint32_t edits,
                                                    uint32_t prefix_length, bool transpositions) {
  return std::make_unique<FuzzyAutomaton>(decode_utf8(text), std::min(edits, 2U), prefix_length,
                                          transpositions);
}

}  // namespace quarry
