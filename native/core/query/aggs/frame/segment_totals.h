// Totals of an aggregation over all documents of a segment, independent of the query, cached with
// the filters (query/cache/filter_cache.h). Totals of all documents are valid as long as the
// segment. Totals of the live documents are derived from them once for each state of deletions.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "query/aggs/frame/agg_plan.h"
#include "query/aggs/frame/aggregator.h"
#include "query/cache/filter_cache.h"

namespace quarry {

/// The deleted documents of the segment whose live documents are `docs`.
class DeletedDocs {
 public:
  explicit DeletedDocs(const LeafDocs& docs);
  DeletedDocs(const DeletedDocs&) = delete;
  DeletedDocs& operator=(const DeletedDocs&) = delete;
  const LeafDocs& docs() const { return docs_; }

 private:
  Bitset bits_;
  LeafDocs docs_;
};

/// How totals are computed.
struct TotalsMaker {
  /// Counts documents of a segment: all of them, or its live ones.
  std::function<SegmentTotals(const LeafDocs&)> count;
  /// Removes the deleted documents from `totals` of a whole segment; `live` are its live documents.
  std::function<void(SegmentTotals& totals, const LeafDocs& deleted, const LeafDocs& live)>
      take_off;
};

/// The totals of `docs`, cached under a name that identifies the field and what is counted, and
/// how. They are computed at the second request. Null: not yet requested, or `docs` are not all
/// live documents of a segment of sufficient size.
SegmentTotalsPtr find_totals(AggContext& context, const LeafDocs& docs, const std::string& name,
                             const TotalsMaker& maker);

/// Counts the documents of a segment by number; numbers that no document has may be missing at the
/// end.
using CountDocs = std::function<std::vector<uint32_t>(const LeafDocs&)>;

/// find_totals() of counts by number: the number in the upper half of each entry, documents in the
/// lower half, ascending and without zeros.
SegmentTotalsPtr find_counts(AggContext& context, const LeafDocs& docs, const std::string& name,
                             const CountDocs& count);

/// The counts of the deleted documents of the segment whose live documents are `docs`, in the same
/// form; computed at the second request and cached until more documents are deleted.
SegmentTotalsPtr find_deleted_counts(AggContext& context, const LeafDocs& docs,
                                     const std::string& name, const CountDocs& count);

/// Concatenates the parts of a name so that their boundaries are unambiguous.
std::string totals_name(std::string_view what, std::string_view field);
std::string totals_name(std::string_view what, std::string_view field, const RoundingSpec& spec);
std::string totals_name(std::string_view what, std::string_view field, double interval,
                        double offset);

}  // namespace quarry
