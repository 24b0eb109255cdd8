// Each rule of the grammar returns how far it matches; the longest match wins, the first rule of
// several that match as far.
#include "text/tokenizers/classic_tokenizer.h"

#include <algorithm>
#include <string_view>

#include "text/analysis/unicode.h"
#include "text/analysis/utf8.h"

namespace quarry {
namespace {

/// Chinese, Japanese and half-width letters, each of which is a token.
bool is_cjk_letter(uint32_t c) {
  return (c >= 0x3040 && c <= 0x312F) || (c >= 0x31F0 && c <= 0x31FF) ||
         (c >= 0x3300 && c <= 0x337F) || (c >= 0x3400 && c <= 0x4DBF) ||
         (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0xF900 && c <= 0xFAFF) ||
         (c >= 0xFF65 && c <= 0xFF9F);
}

/// The classes of characters in the grammar.
enum class Kind : uint8_t { kOther, kLetter, kDigit, kThai, kCjk };

Kind kind_of(uint32_t c) {
  if (c > 0xFFFF) return Kind::kOther;  // the grammar is older than these letters
  if (is_cjk_letter(c)) return Kind::kCjk;
  const Category kind = category(c);
  if (kind == Category::kLetter) return Kind::kLetter;
  if (kind == Category::kDigit) return Kind::kDigit;
  return c >= 0xE00 && c <= 0xE59 ? Kind::kThai : Kind::kOther;
}

/// A run of letters, digits and Thai characters from a place on.
struct Run {
  size_t end = 0;         // of letters, digits and Thai characters
  size_t letter_end = 0;  // of letters alone
  size_t plain_end = 0;   // of letters and digits
  bool digit = false;     // in the plain part
};

class Grammar {
 public:
  explicit Grammar(std::string_view text) : text_(text) {}

  struct Match {
    size_t end;
    const char* type;
  };

  Match longest(size_t at) {
    const uint32_t first = decode_utf8(text_, at).value;
    if (kind_of(first) == Kind::kCjk) return {at + decode_utf8(text_, at).bytes, "<CJ>"};
    const Run run = read_run(at);
    Match best{run.end, kTypeAlphanum};
    if (run.end == at) return best;
    const auto offer = [&best](size_t end, const char* type) {
      if (end > best.end) best = {end, type};
    };
    offer(repeated(run.letter_end, "'", &Run::letter_end, at), kTypeApostrophe);
    offer(acronym(at), kTypeAcronym);
    offer(company(at, run), "<COMPANY>");
    offer(email(at, run), "<EMAIL>");
    offer(repeated(run.end, ".", &Run::end, at), "<HOST>");
    offer(number(at, run, true), kTypeNum);
    offer(number(at, run, false), kTypeNum);
    offer(dotted(at), "<ACRONYM_DEP>");
    return best;
  }

 private:
  char byte(size_t at) const { return at < text_.size() ? text_[at] : '\0'; }

  Run read_run(size_t at) const {
    Run run{at, at, at};
    bool letters = true;
    bool plain = true;
    while (run.end < text_.size()) {
      const CodePoint cp = decode_utf8(text_, run.end);
      const Kind kind = kind_of(cp.value);
      if (kind == Kind::kOther || kind == Kind::kCjk) break;
      letters = letters && kind == Kind::kLetter;
      plain = plain && kind != Kind::kThai;
      run.end += cp.bytes;
      if (letters) run.letter_end = run.end;
      if (plain) run.plain_end = run.end;
      run.digit = run.digit || (plain && kind == Kind::kDigit);
    }
    return run;
  }

  /// More runs, each after one of `separators`: the furthest end, or `none` without any.
  size_t repeated(size_t end, std::string_view separators, size_t Run::* part, size_t none) const {
    size_t last = none;
    if (end == none) return none;
    while (end < text_.size() && separators.find(text_[end]) != std::string_view::npos) {
      const Run next = read_run(end + 1);
      if (next.*part == end + 1) break;
      last = next.*part;
      // Only a run of the wanted class as a whole can be followed by another one.
      end = last;
    }
    return last;
  }

  /// Letters that are followed by a dot each, at least two.
  size_t acronym(size_t at) const {
    size_t end = at;
    size_t count = 0;
    while (end < text_.size()) {
      const CodePoint cp = decode_utf8(text_, end);
      if (kind_of(cp.value) != Kind::kLetter || byte(end + cp.bytes) != '.') break;
      end += cp.bytes + 1;
      ++count;
    }
    return count >= 2 ? end : at;
  }

  /// Runs that are followed by a dot each, at least two.
  size_t dotted(size_t at) const {
    size_t end = at;
    size_t count = 0;
    while (end < text_.size()) {
      const Run run = read_run(end);
      if (run.end == end || byte(run.end) != '.') break;
      end = run.end + 1;
      ++count;
    }
    return count >= 2 ? end : at;
  }

  size_t company(size_t at, const Run& run) const {
    const char joint = byte(run.letter_end);
    if (run.letter_end == at || (joint != '&' && joint != '@')) return at;
    const Run next = read_run(run.letter_end + 1);
    return next.letter_end > run.letter_end + 1 ? next.letter_end : at;
  }

  size_t email(size_t at, const Run& run) {
    if (at < no_email_before_) return at;
    const size_t more = repeated(run.end, ".-_", &Run::end, at);
    const size_t local = std::max(run.end, more);
    // Without a domain none of the runs up to here starts an address.
    no_email_before_ = local;
    if (byte(local) != '@') return at;
    const Run domain = read_run(local + 1);
    if (domain.end == local + 1) return at;
    return repeated(domain.end, ".-", &Run::end, at);
  }

  /// Runs joined by punctuation of which every second one has a digit: the first one, or, with
  /// `second`, the second one.
  size_t number(size_t at, const Run& run, bool second) const {
    bool needs_digit = !second;
    if (needs_digit && !run.digit) return at;
    size_t last = at;
    size_t end = needs_digit ? run.plain_end : run.end;
    while (end < text_.size() &&
           std::string_view("_-/.,").find(text_[end]) != std::string_view::npos) {
      needs_digit = !needs_digit;
      const Run next = read_run(end + 1);
      if (needs_digit && !next.digit) break;
      const size_t stop = needs_digit ? next.plain_end : next.end;
      if (stop == end + 1) break;
      last = end = stop;
    }
    return last;
  }

  const std::string_view text_;
  size_t no_email_before_ = 0;
};

}  // namespace

void ClassicTokenizer::tokenize(std::string_view text, TokenBuffer& out,
                                AnalysisBudget& budget) const {
  Grammar grammar(text);
  uint32_t position = 0;
  for (size_t at = 0; at < text.size() && out.tokens.size() <= budget.max_tokens();) {
    const Grammar::Match match = grammar.longest(at);
    if (match.end == at) {
      at += decode_utf8(text, at).bytes;
      continue;
    }
    if (!budget.spend(1 + (match.end - at) / 8)) return;
    std::string_view word = text.substr(at, match.end - at);
    const char* type = match.type;
    if (std::string_view(type) == "<ACRONYM_DEP>") {
      type = "<HOST>";
      word.remove_suffix(1);
    }
    if (utf16_length(text.substr(at, match.end - at)) <= max_length_) {
      out.tokens.push_back(Token{word, position, 1, static_cast<uint32_t>(at),
                                 static_cast<uint32_t>(at + word.size()), type});
    }
    ++position;
    at = match.end;
  }
  out.end_position = position;
}

}  // namespace quarry
