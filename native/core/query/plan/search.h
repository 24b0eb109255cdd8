// Executes a plan over one view of a shard: the entry point of the query folder. The views are
// immutable, so a search takes no lock and works on one generation from start to end.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/bitset.h"
#include "base/clock.h"
#include "base/status.h"
#include "base/stop_check.h"
#include "mapping/schema/mapping.h"
#include "query/plan/hits.h"
#include "query/plan/plan.h"
#include "segment/segment.h"

namespace quarry {

class FilterCache;         // query/cache/filter_cache.h
class VectorSearcherPool;  // query/vectors/vector_searchers.h

/// One segment as part of a snapshot.
struct SegmentView {
  std::shared_ptr<const Segment> segment;
  std::shared_ptr<const Bitset> live;  // null: every document is live
  uint32_t live_count = 0;
  uint32_t base = 0;  // first document number: the number of a hit is base + docId
};

/// One shard at one generation. Segments are in sequence-number order.
struct ShardView {
  uint64_t generation = 0;
  std::vector<SegmentView> segments;
};

struct SearchContext {
  const Mapping* mapping = nullptr;
  std::string_view index_name;
  uint32_t index_number = 0;
  uint32_t shard = 0;
  uint32_t index_place = 0;  // position of the index among those whose snapshots the plan names
  const ShardView* view = nullptr;  // the shard to search
  uint32_t level = 0;               // Field::level of the documents that the view has
  // Set if these are inside others, one after the other: the documents around them, ascending.
  const std::vector<uint32_t>* inside = nullptr;
  std::span<const ShardView* const>
      all_shards;  // of the index, this one included: term statistics are summed over them
  const Clock* clock = nullptr;
  const CancelTable* cancels = nullptr;  // may be null
  CallLimits limits;
  CallBudget* budget = nullptr;             // of the whole call; null: none
  FilterCache* filters = nullptr;           // may be null
  VectorSearcherPool* searchers = nullptr;  // may be null

  /// For work that begins now and may take `timeout_us`; 0: as long as `limits` say.
  StopCheck stop_check(uint64_t timeout_us) const {
    return {clock, timeout_us, cancels, limits, budget};
  }
  /// For work that has to be done in full even if its time is up: it ends when it is cancelled or
  /// its budget ends.
  StopCheck stop_check_without_deadline() const {
    return {clock, 0, cancels, {limits.cancel_token}, budget};
  }
  bool out_of_budget() const { return budget != nullptr && budget->ended(); }
};

/// Runs every leg of the plan. Errors are errors of the request (unknown format, wrong type, too
/// many clauses …).
Result<ShardHits> execute_search(const SearchContext& context, const Plan& plan);

/// Loads documents of the view by document number (base + docId), in the given order. A document
/// beyond the view is kInternal.
Result<std::vector<FetchedDocument>> execute_fetch(const SearchContext& context, const Plan& plan,
                                                   std::span<const uint32_t> docs);

/// For real-time get: the source and metadata of one document, through the same source filter.
/// `source` is the stored text; fills FetchedDocument.source as `fetch` requests.
Status apply_fetch_source(const FetchSpec& fetch, std::string_view source, FetchedDocument& out);

}  // namespace quarry
