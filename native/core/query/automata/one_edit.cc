// Builds the filter and the strings to look up.
#include "query/automata/one_edit.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/hash.h"
#include "query/automata/automaton.h"

namespace quarry {
namespace {

constexpr size_t kBitsPerTerm = 12;
constexpr size_t kLongest = 64;      // symbols of the query string
constexpr size_t kMostSymbols = 64;  // more symbols make more strings than a walk makes jumps
// adding this number of terms to a filter takes the time of a walk
constexpr uint32_t kTermsPerWalk = 4096;

bool all_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<uint8_t>(c) < 0x80; });
}

constexpr uint32_t kStepsPerFilterTerm = 16;

/// The term without its only symbol beyond ASCII; nothing if it has several.
std::optional<std::string> without_wide_symbol(std::string_view term) {
  std::optional<std::string> rest;
  for (size_t at = 0; at < term.size();) {
    const size_t begin = at;
    if (next_code_point(term, at) < 0x80) continue;
    if (rest) return std::nullopt;
    rest = std::string(term.substr(0, begin)).append(term.substr(at));
  }
  return rest;
}

}  // namespace

SegmentTotals TermBloom::make(const TermDictionary& terms, StopCheck& stop) {
  SegmentTotals words(kSymbolWords + size_t{terms.size()} * kBitsPerTerm / 64 + 1);
  const auto add = [&words](uint64_t hash) {
    words[place_of(hash, words.size())] |= bits_of(hash);
  };
  terms.each({0, terms.size()}, [&](uint32_t /*ordinal*/, std::string_view term) {
    if (stop.step(kStepsPerFilterTerm)) return false;
    add(hash64(term));
    bool ascii = true;
    for (const char c : term) {
      const auto symbol = static_cast<uint8_t>(c);
      if (symbol < 0x80) {
        words[symbol / 64] |= uint64_t{1} << (symbol % 64);
      } else {
        ascii = false;
      }
    }
    if (ascii) return true;
    if (const auto rest = without_wide_symbol(term)) {
      const uint64_t hash = hash64(*rest);
      add(~hash);
      add(second_hash(hash));
    }
    return true;
  });
  return words;
}

OneEdit::OneEdit(std::string_view text, uint32_t prefix_length, bool transpositions)
    : text_(text),
      fixed_(std::min<size_t>(prefix_length, text.size())),
      transpositions_(transpositions) {
  if (!usable()) return;
  add_plain(text_);
  gaps_.push_back(plain_.back().hash);
  for (size_t at = fixed_; at < text_.size(); at++) {
    add_plain(std::string(text_).erase(at, 1));
    gaps_.push_back(plain_.back().hash);
    if (!transpositions_ || at + 1 == text_.size()) continue;
    std::string swapped = text_;
    std::swap(swapped[at], swapped[at + 1]);
    add_plain(std::move(swapped));
  }
}

void OneEdit::add_plain(std::string text) {
  const uint64_t hash = hash64(text);
  plain_.push_back({std::move(text), hash});
}

bool OneEdit::usable() const { return text_.size() <= kLongest && all_ascii(text_); }

void OneEdit::make_variants(uint64_t low_symbols, uint64_t high_symbols) {
  if ((low_symbols & ~symbols_[0]) == 0 && (high_symbols & ~symbols_[1]) == 0) return;
  symbols_[0] |= low_symbols;
  symbols_[1] |= high_symbols;
  variants_.clear();
  std::string spelled;
  const auto add = [&](size_t at, size_t replaced) {
    spelled.assign(text_, 0, at).append(1, '\0').append(text_, at + replaced);
    for (uint32_t symbol = 0; symbol < 128; symbol++) {
      if ((symbols_[symbol / 64] >> (symbol % 64) & 1) == 0) continue;
      spelled[at] = static_cast<char>(symbol);
      variants_.push_back({hash64(spelled), static_cast<uint16_t>(at),
                           static_cast<uint8_t>(replaced), static_cast<char>(symbol)});
    }
  };
  for (size_t at = fixed_; at <= text_.size(); at++) {
    add(at, 0);
    if (at < text_.size()) add(at, 1);
  }
}

std::string OneEdit::spell(const Variant& variant) const {
  return std::string(text_).replace(variant.at, variant.replaced, 1, variant.symbol);
}

std::optional<std::vector<uint32_t>> OneEdit::find(const TermDictionary& terms,
                                                   const TermBloom& filter) {
  const uint64_t low = filter.symbols(0);
  const uint64_t high = filter.symbols(1);
  if (!usable() || static_cast<size_t>(std::popcount(low) + std::popcount(high)) > kMostSymbols)
    return std::nullopt;
  const auto wide = [&filter](uint64_t hash) { return filter.may_have_around(hash); };
  if (std::any_of(gaps_.begin(), gaps_.end(), wide)) return std::nullopt;
  make_variants(low, high);
  std::vector<uint32_t> found;
  const auto look_up = [&](std::string_view text) {
    if (const auto ordinal = terms.find(text)) found.push_back(*ordinal);
  };
  for (const Plain& plain : plain_) {
    if (filter.may_have(plain.hash)) look_up(plain.text);
  }
  for (const Variant& variant : variants_) {
    if (filter.may_have(variant.hash)) look_up(spell(variant));
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

std::optional<std::vector<uint32_t>> OneEdit::find(FilterCache& cache,
                                                   const std::shared_ptr<const Segment>& segment,
                                                   std::string_view field,
                                                   const TermDictionary& terms, StopCheck& stop) {
  if (!usable()) return std::nullopt;
  const std::string name = "bloom " + std::string(field);
  const FilterCache::Counted known = cache.find_totals(segment, name);
  // A single word is the number of walks over the dictionary so far.
  if (known.totals != nullptr && known.totals->size() > 1)
    return find(terms, TermBloom(known.totals));
  const uint64_t walks = known.totals == nullptr ? 0 : (*known.totals)[0];
  const bool paid = walks > terms.size() / kTermsPerWalk;
  const auto kept = std::make_shared<const SegmentTotals>(paid ? TermBloom::make(terms, stop)
                                                               : SegmentTotals{walks + 1});
  if (stop.stopped()) return std::nullopt;  // the filter may lack terms
  cache.put_totals(segment, name, kept);
  if (!paid) return std::nullopt;
  return find(terms, TermBloom(kept));
}

}  // namespace quarry
