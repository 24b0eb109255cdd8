// The order of documents in the segments of an index (`index.sort.*`).
#pragma once

#include <string>

#include "base/status.h"

namespace quarry {

class Mapping;

/// One key of the order. A document with several values has the smallest or largest one as its key.
struct IndexSortKey {
  std::string field;
  bool descending = false;
  bool largest = false;        // `mode`: max
  bool missing_first = false;  // documents without a value
};

/// Whether an index with the mapping can be sorted as its settings say; called where an index is
/// created. The error is illegal_argument_exception in Elasticsearch's wording.
Status check_index_sort(const Mapping& mapping);

}  // namespace quarry
