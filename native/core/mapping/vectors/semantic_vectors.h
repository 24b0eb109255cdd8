// Adds the vectors of the semantic_text fields of a document to its parsed values.
#pragma once

#include <string_view>

#include "base/status.h"
#include "mapping/document/document.h"
#include "mapping/schema/mapping.h"
#include "mapping/vectors/vector_source.h"

namespace quarry {

/// Appends one value per vector: the vector of the whole text to the companion field, those of the
/// passages in their order to the passages field. `document` was parsed with `mapping` and has no
/// dynamic mapping. A remote field without dims takes the dims of its first vector;
/// `document.dynamic_mapping` is then set, and the document must be parsed and embedded again. `id`
/// is used in error messages only. After an error, `document` must not be stored.
Status embed_document(const Mapping& mapping, std::string_view id, VectorSource& source,
                      ParsedDocument& document);

}  // namespace quarry
