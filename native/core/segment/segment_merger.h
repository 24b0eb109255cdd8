// Merges adjacent segments into one without analysing again: terms by k-way merge, documents
// renumbered densely, deleted ones left out, columns and stored blocks copied.
#pragma once

#include <memory>
#include <span>

#include "base/bitset.h"
#include "base/long_work.h"
#include "base/status.h"
#include "segment/section_file.h"
#include "segment/segment.h"
#include "vector/vector_writer.h"

namespace quarry {

struct MergeInput {
  const Segment* segment = nullptr;
  const Bitset* live = nullptr;  // null: all documents live
};

/// Inputs in sequence-number order; at least one live document in all. `work` (may be null) is
/// polled now and then: once called off, the merge returns ErrorType::kRejected. `effort`: how much is
/// built for vectors; everything takes as long as it takes.
/// What is large goes to the files of `make` as it comes, and the pages of mapped inputs are released behind it.
/// On failure some of the files may be there.
Status merge_to_files(std::span<const MergeInput> inputs, VectorEffort effort,
                      LongWork* work, const FileMaker& make);

/// The same for segments that stay in memory.
Result<SegmentImage> merge_segments(std::span<const MergeInput> inputs, LongWork* work,
                                    VectorEffort effort = VectorEffort::kRows);

}  // namespace quarry
