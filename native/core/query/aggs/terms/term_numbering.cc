// Merges sorted dictionaries.
#include "query/aggs/terms/term_numbering.h"

#include <algorithm>
#include <string>

#include "query/cache/filter_cache.h"

namespace quarry {
namespace {

constexpr uint64_t kMaxTerms = uint64_t{4} << 20;  // over all segments

constexpr uint32_t kStepsPerNumberedTerm = 16;

struct Head {
  std::string_view text;
  uint32_t leaf = 0;
  uint32_t ordinal = 0;
};

bool comes_later(const Head& a, const Head& b) {
  const int order = a.text.compare(b.text);
  return order != 0 ? order > 0 : a.leaf > b.leaf;
}

const TermDictionary* terms_of(const Leaf& leaf, std::string_view field) {
  const SegmentField* found = leaf.segment->field(field);
  return found == nullptr || found->inverted == nullptr ? nullptr : &found->inverted->terms();
}

}  // namespace

TermNumberingPtr TermNumbering::find(FilterCache* cache, std::string_view field,
                                     const std::vector<Leaf>& leaves, StopCheck& stop) {
  if (cache == nullptr) return nullptr;
  for (const Leaf& leaf : leaves) {
    if (leaf.handle == nullptr) return nullptr;
  }
  const FilterCache::Numbered known = cache->find_numbering(*leaves[0].handle, field);
  if (known.numbering != nullptr && known.numbering->is_of(leaves)) return known.numbering;
  if (!known.requested_before) return nullptr;
  TermNumberingPtr made = make(field, leaves, stop);
  if (made != nullptr) cache->put_numbering(*leaves[0].handle, field, made);
  return made;
}

bool TermNumbering::is_of(const std::vector<Leaf>& leaves) const {
  return std::equal(segments_.begin(), segments_.end(), leaves.begin(), leaves.end(),
                    [](const std::weak_ptr<const Segment>& mine, const Leaf& leaf) {
                      return mine.lock() == *leaf.handle;
                    });
}

TermNumberingPtr TermNumbering::make(std::string_view field, const std::vector<Leaf>& leaves,
                                     StopCheck& stop) {
  auto out = std::make_shared<TermNumbering>();
  out->numbers_.resize(leaves.size());
  std::vector<Head> heads;
  std::vector<const TermDictionary*> dictionaries;
  uint64_t total = 0;
  for (uint32_t at = 0; at < leaves.size(); at++) {
    out->segments_.emplace_back(*leaves[at].handle);
    const TermDictionary* terms = terms_of(leaves[at], field);
    dictionaries.push_back(terms);
    if (terms == nullptr || terms->size() == 0) continue;
    total += terms->size();
    if (total > kMaxTerms) return nullptr;
    out->numbers_[at].resize(terms->size());
    heads.push_back({terms->term(0), at, 0});
  }
  std::make_heap(heads.begin(), heads.end(), comes_later);
  std::string_view last;
  while (!heads.empty()) {
    if (stop.step(kStepsPerNumberedTerm)) return nullptr;
    std::pop_heap(heads.begin(), heads.end(), comes_later);
    Head& head = heads.back();
    const TermDictionary& terms = *dictionaries[head.leaf];
    if (out->places_.empty() || head.text != last) {
      out->places_.push_back({head.leaf, head.ordinal});
      out->doc_freqs_.push_back(0);
      last = head.text;
    }
    out->numbers_[head.leaf][head.ordinal] = out->size() - 1;
    out->doc_freqs_.back() += terms.info(head.ordinal).doc_freq;
    if (++head.ordinal < terms.size()) {
      head.text = terms.term(head.ordinal);
      std::push_heap(heads.begin(), heads.end(), comes_later);
    } else {
      heads.pop_back();
    }
  }
  return out;
}

size_t TermNumbering::bytes() const {
  size_t bytes = sizeof(*this) + segments_.capacity() * sizeof(segments_[0]) +
                 places_.capacity() * sizeof(Place) + doc_freqs_.capacity() * sizeof(uint32_t);
  for (const std::vector<uint32_t>& of_leaf : numbers_)
    bytes += of_leaf.capacity() * sizeof(uint32_t);
  return bytes;
}

}  // namespace quarry
