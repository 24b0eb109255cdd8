// Converts a field of the write buffer to sections: terms are sorted, the token stream is inverted
// by a counting sort.
#pragma once

#include <cstdint>
#include <optional>

#include "segment/doc_map.h"
#include "segment/field_buffer.h"
#include "segment/segment_writer.h"
#include "vector/vector_writer.h"

namespace quarry {

/// The sections of `field` for the live documents of `docs`; empty when no live document has the
/// field. `effort` applies to vectors. Thread-safe.
Result<std::optional<FieldSections>> invert_field(const FieldBuffer& field, const DocMap& docs,
                                                  VectorEffort effort);

/// Adds what the type of the field stores with the terms of a finished dictionary.
Status add_term_section(FieldSections& field);

}  // namespace quarry
