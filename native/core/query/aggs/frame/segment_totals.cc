// Looks totals up in the cache, and computes them for it.
#include "query/aggs/frame/segment_totals.h"

#include <memory>
#include <utility>

#include "mapping/values/numeric.h"

namespace quarry {
namespace {

constexpr uint32_t kLeastDocs = 1024;  // counting fewer is as fast as a look-up
// Below this ratio of live to deleted documents, counting the live ones is as fast.
constexpr uint64_t kLivePerDeleted = 4;

Bitset flipped(const Bitset* live) {
  if (live == nullptr) return Bitset();
  Bitset out = *live;
  out.flip();
  return out;
}

/// Null: nothing is cached for the segment.
FilterCache* cache_of(const AggContext& context, const LeafDocs& docs) {
  const Leaf& leaf = docs.leaf;
  const bool kept = docs.all_live && leaf.handle != nullptr && leaf.max_doc >= kLeastDocs;
  return kept ? context.compiler.context().filters : nullptr;
}

/// The cached totals, or the result of make() at the second request; null: not requested before, or
/// the time is up.
template <typename Make>
SegmentTotalsPtr find(FilterCache& cache, const LeafDocs& docs, const std::string& name,
                      uint32_t live, Make make) {
  const std::shared_ptr<const Segment>& segment = *docs.leaf.handle;
  const FilterCache::Counted known = cache.find_totals(segment, name, live);
  if (known.totals != nullptr || !known.requested_before) return known.totals;
  const SegmentTotalsPtr made = make();
  if (made == nullptr || docs.stop.stopped()) return nullptr;
  cache.put_totals(segment, name, made, live);
  return made;
}

SegmentTotalsPtr kept(SegmentTotals totals) {
  return std::make_shared<const SegmentTotals>(std::move(totals));
}

SegmentTotals packed(const std::vector<uint32_t>& counts) {
  SegmentTotals out;
  for (size_t number = 0; number < counts.size(); number++) {
    if (counts[number] > 0) out.push_back(uint64_t{number} << 32 | counts[number]);
  }
  return out;
}

}  // namespace

DeletedDocs::DeletedDocs(const LeafDocs& docs)
    : bits_(flipped(docs.bits)),
      docs_{docs.leaf, &bits_, {}, docs.leaf.max_doc - docs.count, 0, false, docs.stop} {}

SegmentTotalsPtr find_totals(AggContext& context, const LeafDocs& docs, const std::string& name,
                             const TotalsMaker& maker) {
  FilterCache* const cache = cache_of(context, docs);
  if (cache == nullptr) return nullptr;
  const Leaf& leaf = docs.leaf;
  const auto find_whole = [&] {
    return find(*cache, docs, name, FilterCache::kAnyLive, [&] {
      return kept(maker.count({leaf, nullptr, {}, leaf.max_doc, leaf.max_doc, false, docs.stop}));
    });
  };
  if (docs.bits == nullptr) return find_whole();
  return find(*cache, docs, name, leaf.live_count, [&] {
    const bool few_deleted = kLivePerDeleted * (leaf.max_doc - docs.count) <= docs.count;
    const SegmentTotalsPtr whole = few_deleted ? find_whole() : nullptr;
    if (whole == nullptr) return kept(maker.count(docs));
    SegmentTotals totals = *whole;
    maker.take_off(totals, DeletedDocs(docs).docs(), docs);
    return kept(std::move(totals));
  });
}

SegmentTotalsPtr find_counts(AggContext& context, const LeafDocs& docs, const std::string& name,
                             const CountDocs& count) {
  const TotalsMaker maker{
      [&](const LeafDocs& some) { return packed(count(some)); },
      [&](SegmentTotals& made, const LeafDocs& deleted, const LeafDocs& /*live*/) {
        const std::vector<uint32_t> less = count(deleted);
        for (uint64_t& entry : made)
          entry -= entry >> 32 < less.size() ? less[static_cast<size_t>(entry >> 32)] : 0;
        std::erase_if(made, [](uint64_t entry) { return static_cast<uint32_t>(entry) == 0; });
      }};
  return find_totals(context, docs, name, maker);
}

SegmentTotalsPtr find_deleted_counts(AggContext& context, const LeafDocs& docs,
                                     const std::string& name, const CountDocs& count) {
  FilterCache* const cache = cache_of(context, docs);
  if (cache == nullptr || docs.bits == nullptr) return nullptr;
  return find(*cache, docs, name, docs.leaf.live_count,
              [&] { return kept(packed(count(DeletedDocs(docs).docs()))); });
}

std::string totals_name(std::string_view what, std::string_view field) {
  return std::string(what) + ' ' + std::to_string(field.size()) + ' ' + std::string(field);
}

std::string totals_name(std::string_view what, std::string_view field, const RoundingSpec& spec) {
  return totals_name(what, field) + ' ' + std::to_string(spec.unit) + ' ' +
         std::to_string(spec.fixed_ms) + ' ' + std::to_string(spec.offset_ms) + ' ' +
         spec.time_zone;
}

std::string totals_name(std::string_view what, std::string_view field, double interval,
                        double offset) {
  return totals_name(what, field) + ' ' + std::to_string(sortable_from_double(interval)) + ' ' +
         std::to_string(sortable_from_double(offset));
}

}  // namespace quarry
