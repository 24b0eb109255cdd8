// Decodes the lexicon and finds its words by their hash.
#include "text/stemmers/kstem_lexicon.h"

#include "base/hash.h"

namespace quarry {
namespace {

#include "text/stemmers/kstem_lexicon.inc"

constexpr bool is_small(char c) { return c >= 'a' && c <= 'z'; }

/// Cuts the small letters off the front of `rest`.
std::string_view take_letters(std::string_view& rest) {
  size_t end = 0;
  while (end < rest.size() && is_small(rest[end])) ++end;
  const std::string_view letters = rest.substr(0, end);
  rest.remove_prefix(end);
  return letters;
}

bool take(char mark, std::string_view& rest) {
  if (!rest.starts_with(mark)) return false;
  rest.remove_prefix(1);
  return true;
}

}  // namespace

const KStemLexicon& KStemLexicon::shared() {
  static const KStemLexicon lexicon;
  return lexicon;
}

KStemLexicon::KStemLexicon() {
  std::string text;
  for (std::string_view rest = kLexicon; !rest.empty();) {
    text.resize(static_cast<size_t>(rest.front() - 'A'));
    rest.remove_prefix(1);
    text += take_letters(rest);
    Word& word = words_.emplace_back();
    word.at = static_cast<uint32_t>(letters_.size());
    word.letters = static_cast<uint8_t>(text.size());
    word.is_exception = take('!', rest);
    letters_ += text;
    if (!take('=', rest)) continue;
    const std::string_view root = take_letters(rest);
    word.root_letters = static_cast<uint8_t>(root.size());
    letters_ += root;
  }
  size_t slots = 1;
  while (slots < 2 * words_.size()) slots *= 2;
  slots_.resize(slots);
  for (size_t i = 0; i < words_.size(); ++i) {
    slots_[slot_of(text_of(words_[i]))] = static_cast<uint16_t>(i + 1);
  }
}

std::string_view KStemLexicon::text_of(const Word& word) const {
  return std::string_view(letters_).substr(word.at, word.letters);
}

size_t KStemLexicon::slot_of(std::string_view word) const {
  for (size_t at = hash64(word);; ++at) {
    const size_t slot = at & (slots_.size() - 1);
    if (slots_[slot] == 0 || text_of(words_[slots_[slot] - 1U]) == word) return slot;
  }
}

std::optional<KStemLexicon::Entry> KStemLexicon::find(std::string_view word) const {
  const uint16_t found = slots_[slot_of(word)];
  if (found == 0) return std::nullopt;
  const Word& entry = words_[found - 1U];
  const std::string_view text = text_of(entry);
  if (entry.root_letters == 0) return Entry{text, entry.is_exception};
  return Entry{std::string_view(letters_).substr(entry.at + entry.letters, entry.root_letters),
               false};
}

}  // namespace quarry
