// Partial update of a document: objects are merged recursively, all other values are replaced;
// unchanged parts keep their bytes.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace quarry {

struct MergedDocument {
  std::string source;
  bool changed = false;  // false: the patch changes nothing (noop)
};

/// Merges two JSON objects; the error for anything else is document_parsing_exception. `changed`
/// compares by value: 1 and 1.0 differ as in Elasticsearch's maps (integer and double), the order
/// of keys does not matter.
Result<MergedDocument> merge_documents(std::string_view existing, std::string_view patch);

}  // namespace quarry
