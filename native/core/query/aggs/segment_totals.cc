// Asks the cache, and counts for it.
#include "query/aggs/segment_totals.h"

#include <memory>
#include <utility>

namespace quarry {
namespace {

constexpr uint32_t kLeastDocs = 1024;     // fewer are counted as quickly
constexpr uint64_t kLivePerDeleted = 4;

Bitset flipped(const Bitset* live) {
  if (live == nullptr) return Bitset();
  Bitset out = *live;
  out.flip();
  return out;
}

}  // namespace

SegmentTotalsPtr find_totals(AggContext& context, const LeafDocs& docs, const std::string& name,
                             const std::function<SegmentTotals(const LeafDocs&)>& count) {
  const Leaf& leaf = docs.leaf;
  FilterCache* cache = context.compiler.context().filters;
  const uint64_t deleted = leaf.max_doc - docs.count;
  if (!docs.all_live || cache == nullptr || leaf.handle == nullptr || leaf.max_doc < kLeastDocs ||
      kLivePerDeleted * deleted > docs.count) {
    return nullptr;
  }
  const FilterCache::Counted known = cache->find_totals(*leaf.handle, name);
  if (known.totals != nullptr || !known.asked_before) return known.totals;
  const LeafDocs all{leaf, nullptr, nullptr, leaf.max_doc, leaf.max_doc, false, docs.stop};
  auto made = std::make_shared<const SegmentTotals>(count(all));
  if (docs.stop.timed_out()) return nullptr;
  cache->put_totals(*leaf.handle, name, made);
  return made;
}

std::string totals_name(std::string_view what, std::string_view field) {
  return std::string(what) + ' ' + std::to_string(field.size()) + ' ' + std::string(field);
}

std::string totals_name(std::string_view what, std::string_view field, const RoundingSpec& spec) {
  return totals_name(what, field) + ' ' + std::to_string(spec.unit) + ' ' +
         std::to_string(spec.fixed_ms) + ' ' + std::to_string(spec.offset_ms) + ' ' +
         spec.time_zone;
}

DeletedDocs::DeletedDocs(const LeafDocs& docs)
    : bits_(flipped(docs.bits)),
      docs_{docs.leaf, &bits_, nullptr, docs.leaf.max_doc - docs.count, 0, false, docs.stop} {}

}  // namespace quarry
