// Merges one field of several segments: dictionaries by k-way merge, postings and columns
// renumbered.
#pragma once

#include <optional>
#include <span>

#include "base/long_work.h"
#include "base/status.h"
#include "segment/doc_map.h"
#include "segment/segment.h"
#include "segment/segment_writer.h"
#include "vector/vector_writer.h"

namespace quarry {

/// One input of a merge and where its documents go.
struct MergeSource {
  const Segment* segment = nullptr;
  DocMap docs;
};

/// Asks now and then whether the merge is called off. Null never is.
class MergeAbort {
 public:
  explicit MergeAbort(LongWork* work) : work_(work) {}
  LongWork* work() const { return work_; }
  Status check() const {
    return called_off(work_) ? Status(ErrorType::kRejected, "the merge was aborted") : Status();
  }

 private:
  LongWork* work_;
};

/// The sections of field `name` in the merged segment of `max_doc` documents; nothing when no live
/// document has it. `effort` is for vectors, whose rows go to `rows` unless that is null.
Result<std::optional<FieldSections>> merge_field(std::string_view name,
                                                 std::span<const MergeSource> sources,
                                                 uint32_t max_doc, VectorEffort effort,
                                                 const ByteSink& rows, const MergeAbort& abort);

}  // namespace quarry
