// What an aggregation counts over all documents of a segment, whatever is asked: kept with the filters
// (query/filter_cache.h) for as long as the segment lives. Deleted documents are among them, for they come
// while the segment stays: who reads totals takes them off.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "query/aggs/agg_plan.h"
#include "query/aggs/aggregator.h"
#include "query/filter_cache.h"

namespace quarry {

/// Totals under a name that says what is counted of which field, and how. `count` counts the documents of the
/// whole segment, when totals are wanted for the second time. Null: not yet; or `docs` are not all live
/// documents of a segment of some size; or so many are deleted that nothing is gained.
SegmentTotalsPtr find_totals(AggContext& context, const LeafDocs& docs, const std::string& name,
                             const std::function<SegmentTotals(const LeafDocs&)>& count);

/// Parts of a name, each of which says where it ends.
std::string totals_name(std::string_view what, std::string_view field);
std::string totals_name(std::string_view what, std::string_view field, const RoundingSpec& spec);

/// The deleted documents of the segment whose live ones are `docs`.
class DeletedDocs {
 public:
  explicit DeletedDocs(const LeafDocs& docs);
  DeletedDocs(const DeletedDocs&) = delete;
  DeletedDocs& operator=(const DeletedDocs&) = delete;
  bool any() const { return docs_.count > 0; }
  const LeafDocs& docs() const { return docs_; }

 private:
  Bitset bits_;
  LeafDocs docs_;
};

}  // namespace quarry
