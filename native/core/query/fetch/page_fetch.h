// Loads the documents of a page: what is the same for all of them is prepared once.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "query/plan/hits.h"
#include "query/plan/plan.h"
#include "query/plan/search.h"
#include "query/plan/search_progress.h"

namespace quarry {

struct FetchRun;

/// Not thread-safe.
class PageFetch {
 public:
  /// `docs`: of the page, or those around them in a search for inner hits. `context`, `plan` and
  /// `progress` must outlive it. `highlighting_us`: the time limit of highlighting, 0: none.
  static Result<std::unique_ptr<PageFetch>> make(const SearchContext& context, const Plan& plan,
                                                 const std::vector<uint32_t>& docs,
                                                 SearchProgress& progress,
                                                 uint64_t highlighting_us);
  ~PageFetch();
  PageFetch(const PageFetch&) = delete;
  PageFetch& operator=(const PageFetch&) = delete;

  /// Loads a document by its number (base + docId). kInternal for one beyond the snapshot. What is
  /// loaded when `progress` stops may not be all of it.
  Status load(uint32_t doc, FetchedDocument& out);
  /// Whether the time limit of highlighting, or the request, ended before all was highlighted.
  bool timed_out() const;
  bool cancelled() const;

 private:
  explicit PageFetch(std::unique_ptr<FetchRun> run);
  std::unique_ptr<FetchRun> run_;
};

}  // namespace quarry
