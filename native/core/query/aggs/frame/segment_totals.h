// What an aggregation counts over all documents of a segment, whatever is asked: kept with the filters
// (query/cache/filter_cache.h). Totals of all documents live as long as the segment. Deletions come while it stays: totals of
// the live ones are made of those once for each state of the segment.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "query/aggs/frame/agg_plan.h"
#include "query/aggs/frame/aggregator.h"
#include "query/cache/filter_cache.h"

namespace quarry {

/// The deleted documents of the segment whose live ones are `docs`.
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

/// How totals come about.
struct TotalsMaker {
  /// Of documents of a segment: all of them, or its live ones.
  std::function<SegmentTotals(const LeafDocs&)> count;
  /// `totals` of a whole segment without its deleted documents; the last are its live ones.
  std::function<void(SegmentTotals& totals, const LeafDocs& deleted, const LeafDocs& live)> take_off;
};

/// Totals of `docs` under a name that says what is counted of which field, and how. They are made when they are wanted
/// for the second time. Null: not yet; or `docs` are not all live documents of a segment of some size.
SegmentTotalsPtr find_totals(AggContext& context, const LeafDocs& docs, const std::string& name,
                             const TotalsMaker& maker);

/// What `count` finds about the deleted documents of the segment whose live ones are `docs`: kept until more are
/// deleted, when it is wanted for the second time.
SegmentTotalsPtr find_deleted_totals(AggContext& context, const LeafDocs& docs, const std::string& name,
                                     const std::function<SegmentTotals(const LeafDocs&)>& count);

/// Parts of a name, each of which says where it ends.
std::string totals_name(std::string_view what, std::string_view field);
std::string totals_name(std::string_view what, std::string_view field, const RoundingSpec& spec);

}  // namespace quarry
