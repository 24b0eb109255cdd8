// Merges one field of several segments: dictionaries by k-way merge, postings and columns
// renumbered.
#pragma once

#include <atomic>
#include <optional>
#include <span>

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

/// Polls the flag that ends a merge early. A null flag never does.
class MergeAbort {
 public:
  explicit MergeAbort(const std::atomic<bool>* flag) : flag_(flag) {}
  bool requested() const { return flag_ != nullptr && flag_->load(std::memory_order_relaxed); }
  const std::atomic<bool>* flag() const { return flag_; }
  Status check() const {
    return requested() ? Status(ErrorType::kRejected, "the merge was aborted") : Status();
  }

 private:
  const std::atomic<bool>* flag_;
};

/// The sections of field `name` in the merged segment of `max_doc` documents; nothing when no live
/// document has it. `effort` is for vectors, whose rows go to `rows` unless that is null.
Result<std::optional<FieldSections>> merge_field(std::string_view name,
                                                 std::span<const MergeSource> sources,
                                                 uint32_t max_doc, VectorEffort effort,
                                                 const ByteSink& rows, const MergeAbort& abort);

}  // namespace quarry
