// Merges the vectors of one field of several segments: rows copied, the largest graph taken over.
#pragma once

#include <span>

#include "base/status.h"
#include "segment/field_merger.h"

namespace quarry {

/// An input that has the field.
struct MergePart {
  const SegmentField* field;
  const DocMap* docs;
  bool mapped;  // the segment is
};

/// Fills the vectors of `out`, but for the rows where `rows` takes them. Parts without vectors (from before fields had any) add nothing.
Status merge_vectors(std::span<const MergePart> parts, uint32_t max_doc, VectorEffort effort,
                     const ByteSink& rows, const MergeAbort& abort, FieldSections& out);

}  // namespace quarry
