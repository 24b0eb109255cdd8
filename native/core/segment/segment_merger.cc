#include "segment/segment_merger.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "segment/doc_map.h"
#include "segment/field_merger.h"
#include "segment/segment_writer.h"
#include "segment/source_merger.h"
#include "store/id_table.h"

namespace quarry {
namespace {

constexpr uint32_t kAbortDocs = 1024;  // documents between two polls

Status merge_ids(std::span<const MergeSource> sources, const MergeAbort& abort, IdTableWriter& out,
                 SegmentSummary& summary) {
  for (const MergeSource& source : sources) {
    const IdTable& ids = source.segment->ids();
    for (uint32_t doc = 0; doc < ids.size(); doc++) {
      if (doc % kAbortDocs == 0) QUARRY_RETURN_IF_ERROR(abort.check());
      if (source.docs[doc] == kDeletedDoc) continue;
      const DocVersion version = ids.version(doc);
      summary.min_seq_no = std::min(summary.min_seq_no, version.seq_no);
      summary.max_seq_no = std::max(summary.max_seq_no, version.seq_no);
      IdBuffer buffer;
      out.add(ids.id(doc, buffer), version);
    }
  }
  return {};
}

Status merge_fields(std::span<const MergeSource> sources, uint32_t max_doc, VectorEffort effort,
                    const MergeAbort& abort, SegmentWriter& out) {
  std::set<std::string_view> names;
  for (const MergeSource& source : sources) {
    for (const SegmentField& field : source.segment->fields()) names.insert(field.name);
  }
  for (const std::string_view name : names) {
    QUARRY_RETURN_IF_ERROR(abort.check());
    QUARRY_RETURN_IF_ERROR(out.status());
    QUARRY_ASSIGN_OR_RETURN(auto field,
                            merge_field(name, sources, max_doc, effort, out.row_sink(), abort));
    if (field) out.add_field(std::move(*field));
  }
  return {};
}

/// The arguments of SegmentWriter::finish(), after the fields.
struct MergedRest {
  SegmentSummary summary;
  StoredSections stored;
  std::vector<uint8_t> ids;
};

Result<MergedRest> merge_into(std::span<const MergeInput> inputs, VectorEffort effort,
                              LongWork* work, SegmentWriter& writer) {
  const MergeAbort abort(work);
  std::vector<MergeSource> sources;
  sources.reserve(inputs.size());
  uint64_t max_doc = 0;
  for (const MergeInput& input : inputs) {
    const auto base = static_cast<uint32_t>(max_doc);
    DocMap docs =
        input.live == nullptr ? DocMap(input.segment->max_doc(), base) : DocMap(*input.live, base);
    max_doc += docs.live_count();
    if (max_doc >= INT32_MAX)
      return Status(ErrorType::kIllegalArgument, "too many documents for one segment");
    sources.push_back({input.segment, std::move(docs)});
  }
  if (max_doc == 0) return Status(ErrorType::kInternal, "a merge needs at least one live document");

  MergedRest rest{{static_cast<uint32_t>(max_doc), UINT64_MAX, 0}, {}, {}};
  IdTableWriter ids;
  QUARRY_RETURN_IF_ERROR(merge_fields(sources, rest.summary.max_doc, effort, abort, writer));
  // Packing takes time and, like building codes and graphs, is done only by merges that no flush
  // waits for.
  const bool packed = effort == VectorEffort::kFull;
  QUARRY_ASSIGN_OR_RETURN(rest.stored, merge_stored(sources, packed, writer, abort));
  QUARRY_RETURN_IF_ERROR(merge_ids(sources, abort, ids, rest.summary));
  rest.ids = ids.finish();
  return rest;
}

}  // namespace

Status merge_to_files(std::span<const MergeInput> inputs, VectorEffort effort, LongWork* work,
                      const FileMaker& make) {
  SegmentWriter writer(make);
  QUARRY_ASSIGN_OR_RETURN(MergedRest rest, merge_into(inputs, effort, work, writer));
  return writer.finish_files(rest.summary, std::move(rest.stored), std::move(rest.ids));
}

Result<SegmentImage> merge_segments(std::span<const MergeInput> inputs, LongWork* work,
                                    VectorEffort effort) {
  SegmentWriter writer;
  QUARRY_ASSIGN_OR_RETURN(MergedRest rest, merge_into(inputs, effort, work, writer));
  return writer.finish(rest.summary, std::move(rest.stored), std::move(rest.ids));
}

}  // namespace quarry
