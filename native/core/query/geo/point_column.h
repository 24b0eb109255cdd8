// The columns of a field of points by segment.
#pragma once

#include <string>

#include "query/plan/compiler.h"
#include "query/scorers/leaf.h"

namespace quarry {

/// Null if the segment lacks the field, or if the search has to stop before the column is there
/// (Segment::points()).
inline const Column* find_points(const Leaf& leaf, const std::string& field) {
  const SegmentField* const found = leaf.segment->field(field);
  if (found == nullptr || field_traits(found->type).column != ColumnKind::kPoint) return nullptr;
  return leaf.segment->points(*found,
                              [stop = leaf.stop] { return stop != nullptr && stop->expired(); });
}

}  // namespace quarry
