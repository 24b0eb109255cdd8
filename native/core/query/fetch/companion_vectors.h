// The embedding vectors of semantic_text fields, which a response shows if they are requested by
// name. They are not part of any source.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "mapping/schema/mapping.h"
#include "query/plan/plan.h"
#include "segment/segment.h"

namespace quarry {

/// The companion fields that the `_source` includes name in full and its excludes do not match.
/// Pointers are owned by the mapping.
std::vector<const Field*> requested_companions(const Mapping& mapping, const FetchSpec& fetch);

/// Has unit length; empty if the document has none.
std::span<const float> companion_vector(const Segment& segment, const Field& companion,
                                        uint32_t doc);
/// The vector as JSON numbers.
std::vector<std::string> companion_texts(const Segment& segment, const Field& companion,
                                         uint32_t doc);

/// Inserts the vector, unless it is empty, into a source object: at its path if that leads through
/// objects, or under its full name if another value is in the way (text of a multi-field, a list).
Status add_companion(const Mapping& mapping, const Field& companion, std::span<const float> vector,
                     std::string& source);

}  // namespace quarry
