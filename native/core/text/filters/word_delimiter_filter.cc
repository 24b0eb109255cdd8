// WordParts finds the parts of one token; the two filters arrange parts and joined parts.
#include "text/filters/word_delimiter_filter.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/analysis/unicode.h"
#include "text/analysis/utf8.h"
#include "text/filters/source_offsets.h"

namespace quarry {
namespace {

using Type = WordPartType;

/// The type by general category. A supplementary character is two surrogates in Lucene, which count
/// as letters and digits.
uint8_t type_by_category(uint32_t cp) {
  if (cp > 0xFFFF) return Type::kAlphanum;
  switch (category(cp)) {
    case Category::kLetter: {
      const GeneralCategory letter = general_category(cp);
      return letter == GeneralCategory::kLu   ? Type::kUpper
             : letter == GeneralCategory::kLl ? Type::kLower
                                              : Type::kAlpha;
    }
    case Category::kMark:
      return Type::kAlpha;
    case Category::kDigit:
    case Category::kNumber:
      return Type::kDigit;
    default:
      return Type::kDelimiter;
  }
}

/// A part of a token: bytes, half-open, and the type of its first character.
struct Subword {
  uint32_t start = 0;
  uint32_t end = 0;
  uint8_t type = 0;

  bool alpha() const { return (type & Type::kAlpha) != 0; }
  bool digit() const { return (type & Type::kDigit) != 0; }
};

/// The parts of one token, in order.
class WordParts {
 public:
  WordParts(std::string_view text, const WordDelimiterOptions& options) : options_(options) {
    for (size_t at = 0; at < text.size();) {
      const CodePoint cp = decode_utf8(text, at);
      const Mark mark = cp.value == '\''                     ? Mark::kApostrophe
                        : cp.value == 's' || cp.value == 'S' ? Mark::kS
                                                             : Mark::kNone;
      chars_.push_back({static_cast<uint32_t>(at), options.types.of(cp.value), mark});
      at += cp.bytes;
    }
    bytes_ = static_cast<uint32_t>(text.size());
    end_ = chars_.size();
    while (first_ < end_ && delimiter(first_)) ++first_;
    while (end_ > first_ && delimiter(end_ - 1)) --end_;
    split();
  }

  const std::vector<Subword>& parts() const { return parts_; }
  /// Whether the whole text is one part.
  bool whole() const {
    return parts_.size() == 1 && parts_[0].start == 0 && parts_[0].end == bytes_;
  }
  /// Whether there is one part, with only delimiters and a possessive around it.
  bool single() const { return single_; }

 private:
  enum class Mark : uint8_t { kNone, kApostrophe, kS };
  /// Small, because a token may have millions of them.
  struct Char {
    uint32_t at;
    uint8_t type;
    Mark mark;
  };

  bool delimiter(size_t at) const { return (chars_[at].type & Type::kDelimiter) != 0; }
  bool alpha(size_t at) const { return (chars_[at].type & Type::kAlpha) != 0; }
  uint32_t byte_at(size_t at) const { return at < chars_.size() ? chars_[at].at : bytes_; }

  /// Whether an English possessive ('s) ends before character `at`.
  bool possessive_before(size_t at) const {
    return options_.stem_english_possessive && at > 2 && at <= end_ &&
           chars_[at - 2].mark == Mark::kApostrophe && chars_[at - 1].mark == Mark::kS &&
           alpha(at - 3) && (at == end_ || delimiter(at));
  }

  bool breaks(uint8_t before, uint8_t after) const {
    if ((before & after) != 0) return false;
    const bool letters = (before & Type::kAlpha) != 0 && (after & Type::kAlpha) != 0;
    if (letters && (!options_.split_on_case_change || (before & Type::kUpper) != 0)) return false;
    const bool number = ((before & Type::kAlpha) != 0 && (after & Type::kDigit) != 0) ||
                        ((before & Type::kDigit) != 0 && (after & Type::kAlpha) != 0);
    return !number || options_.split_on_numerics;
  }

  void split() {
    const bool final_possessive = possessive_before(end_);
    for (size_t at = first_; at < end_;) {
      if (delimiter(at)) {
        ++at;
        continue;
      }
      size_t stop = at + 1;
      while (stop < end_ && !breaks(chars_[stop - 1].type, chars_[stop].type)) ++stop;
      const uint8_t first = chars_[at].type;
      const bool letter = first == Type::kLower || first == Type::kUpper;
      parts_.push_back({byte_at(at), byte_at(stop), letter ? Type::kAlpha : first});
      if (parts_.size() == 1)
        single_ = at == first_ && stop == (final_possessive ? end_ - 2 : end_);
      const bool skip = stop + 1 < end_ && possessive_before(stop + 2);
      at = skip ? stop + 2 : stop;
    }
  }

  const WordDelimiterOptions& options_;
  std::vector<Char> chars_;
  uint32_t bytes_ = 0;
  size_t first_ = 0;  // the first character that is no delimiter
  size_t end_ = 0;    // behind the last one
  std::vector<Subword> parts_;
  bool single_ = false;
};

/// Parts that are joined to one token.
struct Joined {
  std::string text;
  uint32_t start = 0;
  uint32_t end = 0;
  uint32_t position = 0;  // of the first part, within the token
  uint8_t type = 0;
  size_t count = 0;

  void add(std::string_view token, const Subword& part, uint32_t at) {
    if (count == 0) {
      start = part.start;
      type = part.type;
      position = at;
    }
    text += token.substr(part.start, part.end - part.start);
    end = part.end;
    ++count;
  }
  void clear() {
    text.clear();
    count = 0;
  }
};

/// What both filters share: reading tokens, and collecting the results at absolute positions.
class WordDelimiterFilter : public TokenFilter {
 public:
  explicit WordDelimiterFilter(WordDelimiterOptions options) : options_(std::move(options)) {}

 protected:
  bool joins(const Subword& part) const {
    return (options_.catenate_words && part.alpha()) || (options_.catenate_numbers && part.digit());
  }
  bool generates(uint8_t type) const {
    return (options_.generate_word_parts && (type & Type::kAlpha) != 0) ||
           (options_.generate_number_parts && (type & Type::kDigit) != 0);
  }
  bool is_protected(std::string_view text) const {
    if (options_.protected_words.empty()) return false;
    return options_.protected_words.contains(options_.protect_ignores_case ? to_lower(text)
                                                                           : std::string(text));
  }

  const WordDelimiterOptions options_;
};

/// Appends tokens by position increments, as Lucene's filters emit them.
class TokenSink {
 public:
  TokenSink(TokenBuffer& out, AnalysisBudget& budget) : out_(out), budget_(budget) {}

  /// Positions do not decrease.
  void emit(Token token, int64_t increment) {
    position_ = std::max<int64_t>({position_ + increment, position_, 0});
    token.position = static_cast<uint32_t>(position_);
    characters_ += token.text.size();
    if (budget_.allows(tokens_.size() + 1, characters_)) tokens_.push_back(token);
  }
  /// Replaces the tokens of the buffer. Positions after the last input token are kept.
  void finish() {
    const int64_t last = out_.tokens.empty() ? -1 : out_.tokens.back().position;
    const int64_t behind = out_.end_position - last;
    out_.tokens = std::move(tokens_);
    out_.end_position = static_cast<uint32_t>(std::max<int64_t>(position_ + behind, 0));
  }

 private:
  TokenBuffer& out_;
  AnalysisBudget& budget_;
  std::vector<Token> tokens_;
  int64_t position_ = -1;
  size_t characters_ = 0;
};

/// A part, a joined part or the original, with positions within the token.
struct Piece {
  std::string_view text;
  uint32_t start;
  uint32_t end;
  uint32_t from;
  uint32_t to;
};

class GraphFilter final : public WordDelimiterFilter {
 public:
  using WordDelimiterFilter::WordDelimiterFilter;

  void apply(TokenBuffer& out, AnalysisBudget& budget) const override {
    TokenSink sink(out, budget);
    uint32_t increment = 0;
    int64_t before = -1;
    uint32_t last_start = 0;
    for (const Token& token : out.tokens) {
      if (budget.exceeded()) return;
      const auto own = static_cast<uint32_t>(int64_t{token.position} - before);
      before = token.position;
      if (options_.ignore_keywords && token.keyword) {
        sink.emit(token, own);
        continue;
      }
      increment += own;
      if (!budget.spend(token.text.size() / 4)) return;
      const WordParts parts(token.text, options_);
      if (parts.whole() || is_protected(token.text)) {
        sink.emit(token, increment);
        increment = 0;
      } else if (!parts.parts().empty()) {
        const std::vector<Piece> all = pieces(token, parts, out.arena);
        emit_pieces(token, all, increment, out.source, last_start, sink);
        if (!all.empty()) increment = 0;
      } else if (options_.preserve_original) {
        sink.emit(token, own);
        increment = 0;
      }
    }
    sink.finish();
  }

 private:
  std::vector<Piece> pieces(const Token& token, const WordParts& parts, Arena& arena) const {
    std::vector<Piece> out;
    uint32_t position = 0;
    size_t last_count = 0;
    if (options_.preserve_original)
      out.push_back({token.text, 0, static_cast<uint32_t>(token.text.size()), 0, 1});
    const auto write = [&](const Joined& joined) {
      out.push_back({arena.copy(joined.text), joined.start, joined.end, joined.position, position});
    };
    const auto advance_past = [&](const Joined& joined) {
      // Without parts of its own a joined part takes one position.
      if (position == joined.position) ++position;
    };
    const auto flush = [&](Joined& joined) {
      if (joined.count == 0) return;
      advance_past(joined);
      last_count = joined.count;
      if (joined.count != 1 || !generates(joined.type)) write(joined);
      joined.clear();
    };
    if (parts.single()) {
      const Subword& part = parts.parts().front();
      out.push_back(
          {token.text.substr(part.start, part.end - part.start), part.start, part.end, 0, 1});
      position = 1;
    } else {
      Joined run;
      Joined all;
      for (const Subword& part : parts.parts()) {
        if (run.count != 0 && (run.type & part.type) == 0) flush(run);
        if (joins(part)) run.add(token.text, part, position);
        if (options_.catenate_all) all.add(token.text, part, position);
        if (!generates(part.type)) continue;
        out.push_back({token.text.substr(part.start, part.end - part.start), part.start, part.end,
                       position, position + 1});
        ++position;
      }
      flush(run);
      if (all.count > last_count) {
        advance_past(all);
        write(all);
      }
    }
    if (options_.preserve_original) out.front().to = std::max(position, 1U);
    std::stable_sort(out.begin() + (options_.preserve_original ? 1 : 0), out.end(),
                     [](const Piece& a, const Piece& b) {
                       return a.start != b.start ? a.start < b.start : a.end > b.end;
                     });
    return out;
  }

  void emit_pieces(const Token& token, const std::vector<Piece>& all, uint32_t increment,
                   std::string_view source, uint32_t& last_start, TokenSink& sink) const {
    const SourceOffsets offsets(token, source);
    const bool adjust = options_.adjust_offsets && offsets.aligned();
    uint32_t position = 0;
    for (const Piece& piece : all) {
      Token part = token;
      part.text = piece.text;
      if (adjust) {
        part.start = offsets.at(piece.start);
        part.end = offsets.at(piece.end);
      }
      part.start = std::max(part.start, last_start);
      part.end = std::max(part.end, last_start);
      last_start = part.start;
      part.position_length = piece.to - piece.from;
      sink.emit(part, int64_t{increment} + piece.from - position);
      increment = 0;
      position = piece.from;
    }
  }
};

class FlatFilter final : public WordDelimiterFilter {
 public:
  using WordDelimiterFilter::WordDelimiterFilter;

  void apply(TokenBuffer& out, AnalysisBudget& budget) const override {
    TokenSink sink(out, budget);
    State state;
    int64_t before = -1;
    for (const Token& token : out.tokens) {
      if (budget.exceeded()) return;
      const auto own = static_cast<uint32_t>(int64_t{token.position} - before);
      before = token.position;
      if (options_.ignore_keywords && token.keyword) {
        sink.emit(token, own);
        continue;
      }
      state.increment += own;
      if (!budget.spend(token.text.size() / 4)) return;
      const WordParts parts(token.text, options_);
      if (parts.whole() || is_protected(token.text)) {
        sink.emit(token, state.take());
      } else if (!parts.parts().empty() || options_.preserve_original) {
        split(token, parts, out, state, sink);
      } else if (own == 1 && !state.first) {
        --state.increment;
      }
    }
    sink.finish();
  }

 private:
  struct State {
    uint32_t increment = 0;  // not yet given to a token
    bool first = true;       // no token has been emitted
    bool run_has_token = false;
    bool after_original = false;  // a token follows the original

    uint32_t take() {
      first = false;
      return std::exchange(increment, 0);
    }
  };
  struct Item {
    Token token;
    uint32_t increment;
  };

  /// The increment of a part, or of joined parts (`joined`), which overlap their parts.
  static uint32_t next_increment(State& state, bool joined) {
    const uint32_t increment = state.increment;
    if (state.run_has_token) {
      state.increment = 0;
      return joined ? 0 : std::max(1U, increment);
    }
    state.run_has_token = true;
    if (!state.after_original) {
      state.after_original = true;
      return 0;
    }
    state.increment = 0;
    return std::max(1U, increment);
  }

  void split(const Token& token, const WordParts& parts, TokenBuffer& out, State& state,
             TokenSink& sink) const {
    state.run_has_token = false;
    state.after_original = !options_.preserve_original;
    if (options_.preserve_original) sink.emit(token, state.take());
    const SourceOffsets offsets(token, out.source);
    const auto make = [&](std::string_view text, uint32_t start, uint32_t end, bool single) {
      Token part = token;
      part.text = text;
      part.position_length = 1;
      part.keyword = false;
      if (offsets.aligned()) {
        part.start = offsets.at(start);
        part.end = offsets.at(end);
      } else if (single && token.start + start <= token.end) {
        part.start = token.start + start;
      }
      return part;
    };
    if (parts.single()) {
      const Subword& part = parts.parts().front();
      sink.emit(
          make(token.text.substr(part.start, part.end - part.start), part.start, part.end, true),
          next_increment(state, false));
      state.first = false;
      return;
    }
    std::vector<Item> items;
    size_t last_count = 0;
    const auto write = [&](Joined& joined) {
      const uint32_t increment = next_increment(state, true);
      items.push_back(
          {make(out.arena.copy(joined.text), joined.start, joined.end, false), increment});
      state.increment = 0;
    };
    const auto flush = [&](Joined& joined) {
      if (joined.count == 0) return;
      last_count = joined.count;
      if (joined.count != 1 || !generates(joined.type)) write(joined);
      joined.clear();
    };
    Joined run;
    Joined all;
    for (const Subword& part : parts.parts()) {
      if (run.count != 0 && (run.type & part.type) == 0) {
        flush(run);
        state.run_has_token = false;
      }
      if (joins(part)) run.add(token.text, part, 0);
      if (options_.catenate_all) all.add(token.text, part, 0);
      if (!generates(part.type)) continue;
      const std::string_view text = token.text.substr(part.start, part.end - part.start);
      const uint32_t increment = next_increment(state, false);
      items.push_back({make(text, part.start, part.end, false), increment});
    }
    flush(run);
    if (all.count > last_count) write(all);
    std::stable_sort(items.begin(), items.end(), [](const Item& a, const Item& b) {
      return a.token.start != b.token.start ? a.token.start < b.token.start
                                            : a.increment > b.increment;
    });
    for (Item& item : items) {
      if (state.first && item.increment == 0) item.increment = 1;
      state.first = false;
      sink.emit(item.token, item.increment);
    }
  }
};

}  // namespace

WordPartTypes::WordPartTypes() {
  for (uint32_t cp = 0; cp < latin_.size(); ++cp) {
    // The feminine and masculine ordinals are lower-case letters by property, and numbers that are
    // not decimal digits are none.
    const bool ordinal = cp == 0xAA || cp == 0xBA;
    latin_[cp] = ordinal                             ? Type::kLower
                 : category(cp) == Category::kNumber ? Type::kDelimiter
                                                     : type_by_category(cp);
  }
}

WordPartTypes::WordPartTypes(std::map<uint32_t, uint8_t> set) : set_(std::move(set)) {
  for (uint32_t cp = 0; cp < latin_.size(); ++cp) {
    const auto at = set_.find(cp);
    latin_[cp] = at == set_.end() ? type_by_category(cp) : at->second;
  }
}

uint8_t WordPartTypes::of(uint32_t cp) const {
  if (cp < latin_.size()) return latin_[cp];
  const auto at = set_.find(cp);
  return at == set_.end() ? type_by_category(cp) : at->second;
}

TokenFilterPtr make_word_delimiter_filter(WordDelimiterOptions options, bool graph) {
  if (graph) return std::make_shared<GraphFilter>(std::move(options));
  return std::make_shared<FlatFilter>(std::move(options));
}

}  // namespace quarry
