// What a search has done so far: its work counters, and when it has to stop.
#pragma once

#include <cstdint>
#include <utility>

#include "base/status.h"
#include "base/stop_check.h"
#include "postings/postings.h"
#include "vector/vector_search.h"

namespace quarry {

/// What a search did, for the reply's header.
struct WorkCounters {
  PostingsWork postings;
  uint64_t docs_scored = 0;
  uint64_t terms_visited = 0;  // looked up or walked over in dictionaries
  VectorCounters vectors;
};

/// What all legs of a search have done so far, and when they have to stop.
struct SearchProgress {
  StopCheck stop;
  WorkCounters counters;
  Status failure = {};  // of a score that cannot be computed: the search's answer
  /// What ends the search without any answer.
  Status status() const {
    if (stop.out_of_budget()) return budget_ended();
    return stop.cancelled() ? client_gone() : failure;
  }
  void fail(Status status) {
    if (failure.ok()) failure = std::move(status);
  }
};

}  // namespace quarry
