// Adds the vectors of a document's semantic_text fields to what was parsed of it.
#pragma once

#include <string_view>

#include "base/status.h"
#include "mapping/document/document.h"
#include "mapping/schema/mapping.h"
#include "mapping/vectors/vector_source.h"

namespace quarry {

/// Appends one value per vector: the whole text's to the companion, the passages' in their order to
/// its passages. `document` was parsed with `mapping` and asks for no fields. A remote field without
/// dims takes those of its first vector: then `document.dynamic_mapping` says so, and the document
/// is to be parsed and embedded again. `id` is only for the wording of errors; after one, `document`
/// must not be stored.
Status embed_document(const Mapping& mapping, std::string_view id, VectorSource& source,
                      ParsedDocument& document);

}  // namespace quarry
