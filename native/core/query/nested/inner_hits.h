// The hits that documents show inside them (`inner_hits` of `nested` clauses): for each document of
// a page and each definition, a search inside the document, by a query that is compiled once.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "query/fetch/page_fetch.h"
#include "query/nested/nested_space.h"
#include "query/plan/leg_search.h"

namespace quarry {

/// Finds and loads the hits of one definition; not thread-safe.
class InnerHitsSearch {
 public:
  /// `docs`: of the page. What is given must outlive it; `highlighting_us`: the time limit of
  /// highlighting, 0: none.
  static Result<std::unique_ptr<InnerHitsSearch>> make(const SearchContext& context,
                                                       const InnerHitsSpec& spec,
                                                       const std::vector<uint32_t>& docs,
                                                       SearchProgress& progress,
                                                       uint64_t highlighting_us);

  /// The hits inside the document of this number; what is found when `progress` stops is not all.
  Status find(uint32_t doc, InnerHits& out);
  const PageFetch& fetch() const { return *fetch_; }

 private:
  InnerHitsSearch(const SearchContext& context, const InnerHitsSpec& spec,
                  const std::vector<uint32_t>& docs, SearchProgress& progress);

  const InnerHitsSpec& spec_;
  NestedSpace space_;
  CrossShardThreshold before_;  // there is none
  SearchRun run_;
  const std::vector<Leaf> leaves_;
  uint32_t doc_ = 0;  // the document around the hits
  LegSearch leg_;
  std::unique_ptr<PageFetch> fetch_;
};

}  // namespace quarry
