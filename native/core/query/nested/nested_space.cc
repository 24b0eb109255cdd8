#include "query/nested/nested_space.h"

#include <algorithm>
#include <span>
#include <utility>

namespace quarry {
namespace {

/// Whether the segment has the document of this number.
bool has_doc(uint32_t base, uint32_t max_doc, uint32_t doc) {
  return doc >= base && doc - base < max_doc;
}

/// Documents [begin, end) of a bit set.
class BlockScorer final : public Scorer {
 public:
  BlockScorer(const Bitset& docs, DocRun block) : docs_(docs), block_(block) {}

  uint32_t next() override { return find(before(block_.begin) ? block_.begin : doc() + 1); }
  uint32_t advance(uint32_t target) override { return find(std::max(target, block_.begin)); }
  float score() override { return 0; }
  float bound() const override { return 0; }
  uint64_t cost() const override { return block_.end - block_.begin; }

 private:
  uint32_t find(uint32_t from) {
    const uint32_t found = from < block_.end ? docs_.next(from) : kNoMoreDocs;
    return move(found < block_.end ? found : kNoMoreDocs);
  }

  const Bitset& docs_;
  DocRun block_;
};

class BlockWeight final : public Weight {
 public:
  explicit BlockWeight(const uint32_t& around) : around_(around) {}

  uint64_t cost(const Leaf& leaf) override {
    const DocRun block = block_in(leaf);
    return block.end - block.begin;
  }
  ScorerPtr scorer(const Leaf& leaf, uint64_t /*lead_cost*/) override {
    const DocRun block = block_in(leaf);
    if (block.begin == block.end) return nullptr;
    return std::make_unique<BlockScorer>(*leaf.live, block);
  }
  Explanation explain(const Leaf& leaf, uint32_t doc) override {
    const DocRun block = block_in(leaf);
    const bool inside = doc >= block.begin && doc < block.end && leaf.live->test(doc);
    return inside ? Explanation::matched(0, describe()) : Explanation::no_match(describe());
  }
  std::string describe() const override { return "nested in " + std::to_string(around_); }

 private:
  DocRun block_in(const Leaf& leaf) const {
    if (!has_doc(leaf.base, leaf.max_doc, around_)) return {};
    const uint32_t end = around_ - leaf.base;
    return {first_inside(*leaf.segment->nested(), end), end};
  }

  const uint32_t& around_;
};

}  // namespace

NestedSpace::NestedSpace(const SearchContext& context, const std::string& path,
                         const std::vector<uint32_t>& docs)
    : context_(context) {
  const Mapping& mapping = *context.mapping;
  std::string at = path;
  context_.level = mapping.nested_level(path);
  const Field* field = context_.level == 0 ? mapping.find(path) : nullptr;
  if (field != nullptr && field->level != 0) {
    context_.level = field->level;
    at = mapping.nested_objects()[field->level - 1].path;
  }
  if (context.inside == nullptr) {
    around_ = docs;
    std::sort(around_.begin(), around_.end());
    context_.inside = &around_;
  }
  view_.generation = context.view->generation;
  for (const SegmentView& segment : context.view->segments) {
    const NestedDocs* nested = segment.segment->nested();
    const auto first =
        std::lower_bound(context_.inside->begin(), context_.inside->end(), segment.base);
    const bool here = first != context_.inside->end() &&
                      has_doc(segment.base, segment.segment->max_doc(), *first);
    const Bitset* there = nested == nullptr || !here ? nullptr : nested->at(at);
    if (there == nullptr) continue;
    // A nested document of a live one is live.
    std::shared_ptr<const Bitset> live(segment.segment, there);
    view_.segments.push_back({segment.segment, std::move(live), there->count(), segment.base});
  }
  context_.view = &view_;
  context_.filters = nullptr;
}

WeightPtr make_block_weight(const uint32_t& around) {
  return std::make_unique<BlockWeight>(around);
}

uint32_t first_inside(const NestedDocs& nested, uint32_t doc) {
  const uint32_t begin = nested.block_begin(doc);
  if (nested.roots().test(doc)) return begin;
  const Bitset* at = nested.at(nested.path_of(doc));
  return at == nullptr ? begin : std::max(begin, at->after_previous(doc));
}

Bitset docs_inside(const Bitset& docs, const Bitset& bounds) {
  Bitset inside(docs.size());
  const std::span<uint64_t> words = inside.words();
  uint64_t carry = 0;  // 1: the document behind the word is inside, or one of `docs`
  for (size_t at = words.size(); at-- > 0;) {
    // Each step doubles the distance over which bits spread to places before them (Kogge-Stone).
    uint64_t open = ~bounds.words()[at];
    uint64_t spread = docs.words()[at] | (open & carry << 63);
    for (uint32_t step = 1; step < 64 && spread != 0 && open != 0; step *= 2) {
      spread |= open & spread >> step;
      open &= open >> step;
    }
    words[at] = spread & ~bounds.words()[at];
    carry = spread & 1;
  }
  return inside;
}

}  // namespace quarry
