// The reader. Lists are found by binary search; the shortest is read, and others are intersected
// with it as long as that is cheap.
#include "postings/term_grams.h"

#include <algorithm>

#include "postings/term_grams_format.h"

namespace quarry {
namespace {

// A full walk costs less per term than reading a single term by its ordinal from a list.
constexpr uint32_t kWorthwhile = 8;
// An entry of a list costs a small fraction of examining a term.
constexpr uint32_t kCheapEntries = 16;

Status corrupt_grams(const char* what) {
  return {ErrorType::kCorrupt, std::string("term grams: ") + what};
}

}  // namespace

Result<TermGrams> TermGrams::open(Bytes section, uint32_t terms) {
  ByteReader reader(section);
  if (reader.get<uint32_t>() != grams_format::kMagic) return corrupt_grams("wrong magic number");
  if (reader.get<uint16_t>() != grams_format::kVersion) return corrupt_grams("unknown version");
  if (reader.get<uint16_t>() != 0) return corrupt_grams("reserved bytes are not zero");
  TermGrams out;
  out.section_ = section;
  out.terms_ = reader.get<uint32_t>();
  out.count_ = reader.get<uint32_t>();
  const auto list_bytes = reader.get<uint64_t>();
  if (reader.failed() || out.terms_ != terms) {
    return corrupt_grams("another number of terms than the dictionary has");
  }
  out.keys_ = reader.get_bytes(size_t{4} * out.count_).data();
  out.bases_ = reader.get_bytes(8 * grams_format::base_count(out.count_)).data();
  out.offsets_ = reader.get_bytes(size_t{4} * out.count_).data();
  if (reader.failed() || list_bytes != reader.remaining())
    return corrupt_grams("its parts do not fill it");
  out.lists_ = reader.get_bytes(list_bytes);
  uint64_t last_start = 0;
  for (uint32_t i = 0; i < out.count_; i++) {
    const auto key = load<uint32_t>(out.keys_ + size_t{4} * i);
    if (key > grams_format::kLastGram) return corrupt_grams("a gram of more than three bytes");
    if (i > 0 && key <= load<uint32_t>(out.keys_ + size_t{4} * i - 4))
      return corrupt_grams("grams out of order");
    const uint64_t start = out.start_of(i);
    const bool follows = i == 0 ? start == 0 : start > last_start;
    if (!follows || start >= list_bytes) return corrupt_grams("lists out of order");
    last_start = start;
  }
  if (out.count_ == 0 && list_bytes != 0) return corrupt_grams("lists of no gram");
  return out;
}

uint32_t TermGrams::lower_bound(uint32_t gram) const {
  uint32_t first = 0;
  for (uint32_t left = count_; left > 0;) {
    const uint32_t half = left / 2;
    const bool right = load<uint32_t>(keys_ + size_t{4} * (first + half)) < gram;
    first = right ? first + half + 1 : first;
    left = right ? left - half - 1 : half;
  }
  return first;
}

uint64_t TermGrams::start_of(uint32_t index) const {
  if (index == count_) return lists_.size();
  // In a truncated file the bytes read as zeros; the result is never beyond the lists.
  const auto base = load<uint64_t>(bases_ + size_t{8} * (index / grams_format::kGroupGrams));
  return std::min<uint64_t>(base + load<uint32_t>(offsets_ + size_t{4} * index), lists_.size());
}

TermGrams::Lists TermGrams::lists_between(uint32_t first_gram, uint32_t last_gram) const {
  const uint32_t first = lower_bound(first_gram);
  const uint32_t last = std::max(first, lower_bound(last_gram + 1));
  const uint64_t begin = start_of(first);
  return {first, last, std::max(begin, start_of(last)) - begin};
}

/// A string of three or more bytes has one list per gram; for a shorter one, these are the lists of
/// all grams that begin with it.
void TermGrams::add_lists_of(const TermPiece& piece, std::vector<Lists>& out) const {
  std::string text = piece.text;
  if (piece.at_end) text.append(grams_format::kGramBytes - 1, '\0');
  if (text.size() < grams_format::kGramBytes) {
    const uint32_t missing = 8 * static_cast<uint32_t>(grams_format::kGramBytes - text.size());
    text.append(grams_format::kGramBytes - text.size(), '\0');
    const uint32_t gram = grams_format::gram_at(text.data());
    out.push_back(lists_between(gram, gram | ((uint32_t{1} << missing) - 1)));
    return;
  }
  for (size_t i = 0; i + grams_format::kGramBytes <= text.size(); i++) {
    const uint32_t gram = grams_format::gram_at(text.data() + i);
    out.push_back(lists_between(gram, gram));
  }
}

/// Calls take(ordinal), ascending, until it returns false.
template <typename Take>
void TermGrams::each_term(uint32_t index, Take take) const {
  const uint8_t* at = lists_.data() + start_of(index);
  const uint8_t* const end = lists_.data() + start_of(index + 1);
  uint64_t next = 0;  // the smallest possible next ordinal
  while (at < end) {
    uint64_t gap = 0;
    for (uint32_t shift = 0; at < end; shift += 7) {
      const uint8_t byte = *at++;
      gap |= uint64_t{byte & 0x7fU} << (shift & 63);
      if ((byte & 0x80) == 0) break;
    }
    if (gap == 0 || gap > terms_ - next) return;  // only in a damaged list
    next += gap;
    if (!take(static_cast<uint32_t>(next - 1))) return;
  }
}

std::vector<uint32_t> TermGrams::read(Lists lists, TermDictionary::Range range) const {
  std::vector<uint32_t> out;
  for (uint32_t i = lists.first; i < lists.last; i++) {
    each_term(i, [&](uint32_t ordinal) {
      if (ordinal >= range.begin && ordinal < range.end) out.push_back(ordinal);
      return ordinal < range.end;
    });
  }
  if (lists.last - lists.first > 1) {
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
  }
  return out;
}

void TermGrams::keep_those_in(uint32_t index, std::vector<uint32_t>& terms) const {
  size_t kept = 0;
  size_t at = 0;
  each_term(index, [&](uint32_t ordinal) {
    while (at < terms.size() && terms[at] < ordinal) at++;
    if (at < terms.size() && terms[at] == ordinal) terms[kept++] = terms[at++];
    return at < terms.size();
  });
  terms.resize(kept);
}

std::optional<std::vector<uint32_t>> TermGrams::candidates(std::span<const TermPiece> pieces,
                                                           TermDictionary::Range range) const {
  std::vector<Lists> lists;
  for (const TermPiece& piece : pieces) add_lists_of(piece, lists);
  if (lists.empty() || range.begin >= range.end) return std::nullopt;
  std::sort(lists.begin(), lists.end(),
            [](const Lists& a, const Lists& b) { return a.bytes < b.bytes; });
  if (lists.front().bytes > (range.end - range.begin) / kWorthwhile) return std::nullopt;
  std::vector<uint32_t> terms = read(lists.front(), range);
  for (size_t i = 1; i < lists.size() && !terms.empty(); i++) {
    if (lists[i].bytes > kCheapEntries * uint64_t{terms.size()}) break;
    if (lists[i].last - lists[i].first == 1) keep_those_in(lists[i].first, terms);
  }
  return terms;
}

}  // namespace quarry
