// The vectors that semantic_text fields are embedded to, as replies show them where they are asked
// for by name: they are in no source.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "mapping/schema/mapping.h"
#include "query/plan/plan.h"
#include "segment/segment.h"

namespace quarry {

/// The companions that `_source` includes name in full and its excludes do not match. Pointers are
/// the mapping's.
std::vector<const Field*> asked_companions(const Mapping& mapping, const FetchSpec& fetch);

/// Of unit length; empty when the document has none.
std::span<const float> companion_vector(const Segment& segment, const Field& companion,
                                        uint32_t doc);
/// The same as JSON numbers.
std::vector<std::string> companion_texts(const Segment& segment, const Field& companion,
                                         uint32_t doc);

/// Puts the vector, unless it is empty, into a source, an object: where the objects of the mapping
/// say, or under its full name where something else is there (a multi-field's text, a list).
Status add_companion(const Mapping& mapping, const Field& companion, std::span<const float> vector,
                     std::string& source);

}  // namespace quarry
