#include "query/nested/nested_space.h"

#include <algorithm>
#include <utility>

#include "query/scorers/constant_weight.h"

namespace quarry {
namespace {

class BlockWeight final : public ConstantWeight {
 public:
  explicit BlockWeight(NestedHitsSpec spec) : ConstantWeight(0), spec_(std::move(spec)) {}
  std::string describe() const override {
    return "nested(" + spec_.path + ") in " + std::to_string(spec_.doc);
  }

 protected:
  DocIdSetPtr build(const Leaf& leaf) override {
    std::vector<uint32_t> docs;
    const NestedDocs* nested = leaf.segment->nested();
    const Bitset* at = nested == nullptr ? nullptr : nested->at(spec_.path);
    const bool here = spec_.doc >= leaf.base && spec_.doc - leaf.base < leaf.max_doc;
    if (here && at != nullptr) {
      const uint32_t end = spec_.doc - leaf.base;
      for (uint32_t doc = at->next(first_inside(*nested, end)); doc < end;
           doc = at->next(doc + 1)) {
        docs.push_back(doc);
      }
    }
    return std::make_shared<DocIdSet>(std::move(docs), leaf.max_doc);
  }
  uint64_t estimate(const Leaf& leaf) override { return set(leaf)->count(); }

 private:
  NestedHitsSpec spec_;
};

}  // namespace

NestedSpace::NestedSpace(const SearchContext& context, const Plan& plan)
    : spec_(*plan.nested_hits), context_(context) {
  const Mapping& mapping = *context.mapping;
  context_.level = mapping.nested_level(spec_.path);
  const Field* field = context_.level == 0 ? mapping.find(spec_.path) : nullptr;
  if (field != nullptr && field->level != 0) {
    context_.level = field->level;
    spec_.path = mapping.nested_objects()[field->level - 1].path;
  }
  view_.generation = context.view->generation;
  for (const SegmentView& segment : context.view->segments) {
    const NestedDocs* nested = segment.segment->nested();
    const bool here =
        spec_.doc >= segment.base && spec_.doc - segment.base < segment.segment->max_doc();
    const Bitset* at = nested == nullptr || !here ? nullptr : nested->at(spec_.path);
    if (at == nullptr) continue;
    // A nested document of a live one is live.
    std::shared_ptr<const Bitset> live(segment.segment, at);
    view_.segments.push_back({segment.segment, std::move(live), at->count(), segment.base});
  }
  context_.view = &view_;
  context_.filters = nullptr;
  context_.inside = &spec_;
}

WeightPtr make_block_weight(const NestedHitsSpec& spec) {
  return std::make_unique<BlockWeight>(spec);
}

uint32_t first_inside(const NestedDocs& nested, uint32_t doc) {
  const uint32_t begin = nested.block_begin(doc);
  if (nested.roots().test(doc)) return begin;
  const Bitset* at = nested.at(nested.path_of(doc));
  return at == nullptr ? begin : std::max(begin, at->after_previous(doc));
}

}  // namespace quarry
