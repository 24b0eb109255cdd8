// Partial update of a document: objects merge deeply, everything else is replaced; untouched parts
// keep their bytes.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace quarry {

struct MergedDocument {
  std::string source;
  bool changed = false;  // false: the patch says what the document says already (noop)
};

/// Both are JSON objects (document_parsing_exception otherwise). Comparison for `changed` is by
/// value: 1 and 1.0 differ as Elasticsearch's maps do (integer against double), key order does not
/// matter.
Result<MergedDocument> merge_documents(std::string_view existing, std::string_view patch);

}  // namespace quarry
