// Merges the vectors of one field of several segments: rows are copied, and the largest graph is
// the seed of the new one.
#pragma once

#include <span>

#include "base/status.h"
#include "segment/field_merger.h"

namespace quarry {

/// An input that has the field.
struct MergePart {
  const SegmentField* field;
  const Column* column;  // Segment::points() for a field of points; may be null
  const DocMap* docs;
  bool mapped;  // whether the segment is mapped
};

/// Fills the vectors of `out`; the rows are passed to `rows` instead unless it is null. Parts
/// without vectors (from before the field had any) add nothing.
Status merge_vectors(std::span<const MergePart> parts, uint32_t max_doc, VectorEffort effort,
                     const ByteSink& rows, const MergeAbort& abort, FieldSections& out);

}  // namespace quarry
