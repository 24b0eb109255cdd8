// The progress of a search: its work counters, and when it has to stop.
#pragma once

#include <cstdint>
#include <utility>

#include "base/status.h"
#include "base/stop_check.h"
#include "postings/postings.h"
#include "vector/vector_search.h"

namespace quarry {

/// Work counters of a search, for the header of the reply.
struct WorkCounters {
  PostingsWork postings;
  uint64_t docs_scored = 0;
  uint64_t docs_sorted = 0;    // whose sort keys were read
  uint64_t terms_visited = 0;  // looked up or walked over in dictionaries
  VectorCounters vectors;
};

/// State of a search that all its legs share.
struct SearchProgress {
  StopCheck stop;
  WorkCounters counters;
  Status failure = {};  // of a score that cannot be computed: the search's answer
  /// The error that ends the search without a result, or ok.
  Status status() const {
    if (stop.out_of_budget()) return budget_ended();
    return stop.cancelled() ? client_gone() : failure;
  }
  void fail(Status status) {
    if (failure.ok()) failure = std::move(status);
  }
};

}  // namespace quarry
