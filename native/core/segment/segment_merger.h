// Merges adjacent segments into one without repeating the analysis: terms by k-way merge, documents
// renumbered without gaps, deleted ones left out, columns and stored blocks copied. The documents
// of an index with a sort get the order of its keys.
#pragma once

#include <memory>
#include <span>

#include "base/bitset.h"
#include "base/long_work.h"
#include "base/status.h"
#include "mapping/schema/index_sort.h"
#include "segment/section_file.h"
#include "segment/segment.h"
#include "vector/vector_writer.h"

namespace quarry {

struct MergeInput {
  const Segment* segment = nullptr;
  const Bitset* live = nullptr;  // null: all documents are live
};

/// Merges inputs, which are in the order of their sequence numbers and have at least one live
/// document together. `work` (may be null) is polled: once called off, the merge returns
/// ErrorType::kRejected. `effort`: which structures are built for vectors. Large sections are
/// written to the files of `make` as they are produced, and the pages of mapped inputs are released
/// after reading. After an error some of the files may exist. `sort`: the order of the documents of
/// the result; without keys they stay in the order of the inputs.
Status merge_to_files(std::span<const MergeInput> inputs, VectorEffort effort, LongWork* work,
                      const FileMaker& make, std::span<const IndexSortKey> sort = {});

/// The same with a result in memory.
Result<SegmentImage> merge_segments(std::span<const MergeInput> inputs, LongWork* work,
                                    VectorEffort effort = VectorEffort::kRows,
                                    std::span<const IndexSortKey> sort = {});

/// The segment with its documents in the order of `sort`: itself if they are in that order.
Result<std::shared_ptr<const Segment>> sort_segment(std::shared_ptr<const Segment> segment,
                                                    std::span<const IndexSortKey> sort);

}  // namespace quarry
