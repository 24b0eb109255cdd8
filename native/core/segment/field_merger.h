// Merges one field of several segments: dictionaries by k-way merge, postings and columns with
// renumbered documents.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/long_work.h"
#include "base/status.h"
#include "segment/doc_map.h"
#include "segment/segment.h"
#include "segment/segment_writer.h"
#include "vector/vector_writer.h"

namespace quarry {

/// One input of a merge and the new numbers of its documents.
struct MergeSource {
  const Segment* segment = nullptr;
  DocMap docs;
};

/// The inputs of a merge and the order of its result.
struct MergePlan {
  std::vector<MergeSource> sources;
  std::vector<SourceDoc> order;  // of an index sort; empty: the sources one after the other
  uint32_t max_doc = 0;
};

/// Polls whether the merge is called off. A null `work` is never called off.
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

/// The sections of field `name` in the merged segment; empty when no live document has the field.
/// `effort` applies to vectors, whose rows are passed to `rows` unless it is null.
Result<std::optional<FieldSections>> merge_field(std::string_view name, const MergePlan& plan,
                                                 VectorEffort effort, const ByteSink& rows,
                                                 const MergeAbort& abort);

}  // namespace quarry
