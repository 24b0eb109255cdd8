// An entry is the number of live documents that it has seen and, once it is counted, that of the term's.
#include "query/live_counts.h"

#include <memory>

namespace quarry {

LiveCounts::LiveCounts(std::string_view field, std::string_view term) {
  name_.reserve(field.size() + term.size() + 8);
  name_.append("live ").append(field).append(1, '\0').append(term);
}

int64_t LiveCounts::get(FilterCache& cache, const Leaf& leaf, bool dear,
                        const std::function<uint64_t()>& count) const {
  const FilterCache::Counted known = cache.find_totals(*leaf.handle, name_);
  const bool current = known.totals != nullptr && (*known.totals)[0] == leaf.live_count;
  if (current && known.totals->size() == 2) return static_cast<int64_t>((*known.totals)[1]);
  const auto keep = [&](SegmentTotals totals) {
    cache.put_totals(*leaf.handle, name_, std::make_shared<const SegmentTotals>(std::move(totals)));
  };
  if (dear && !current) {
    if (known.asked_before) keep({leaf.live_count});
    return -1;
  }
  const uint64_t found = count();
  if (known.asked_before) keep({leaf.live_count, found});
  return static_cast<int64_t>(found);
}

}  // namespace quarry
