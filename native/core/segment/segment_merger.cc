#include "segment/segment_merger.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "segment/doc_order.h"
#include "segment/field_merger.h"
#include "segment/segment_writer.h"
#include "segment/source_merger.h"
#include "store/id_table.h"

namespace quarry {
namespace {

constexpr uint32_t kAbortDocs = 1024;  // documents between two polls

void add_id(const Segment& segment, uint32_t doc, IdTableWriter& out, SegmentSummary& summary) {
  const IdTable& ids = segment.ids();
  const DocVersion version = ids.version(doc);
  summary.min_seq_no = std::min(summary.min_seq_no, version.seq_no);
  summary.max_seq_no = std::max(summary.max_seq_no, version.seq_no);
  IdBuffer buffer;
  out.add(ids.id(doc, buffer), version);
}

Status merge_ids(const MergePlan& plan, const MergeAbort& abort, IdTableWriter& out,
                 SegmentSummary& summary) {
  for (uint32_t doc = 0; doc < plan.order.size(); doc++) {
    if (doc % kAbortDocs == 0) QUARRY_RETURN_IF_ERROR(abort.check());
    const auto& [source, old] = plan.order[doc];
    add_id(*plan.sources[source].segment, old, out, summary);
  }
  if (!plan.order.empty()) return {};
  for (const MergeSource& source : plan.sources) {
    for (uint32_t doc = 0; doc < source.segment->max_doc(); doc++) {
      if (doc % kAbortDocs == 0) QUARRY_RETURN_IF_ERROR(abort.check());
      if (source.docs[doc] != kDeletedDoc) add_id(*source.segment, doc, out, summary);
    }
  }
  return {};
}

Status merge_fields(const MergePlan& plan, VectorEffort effort, const MergeAbort& abort,
                    SegmentWriter& out) {
  std::set<std::string_view> names;
  for (const MergeSource& source : plan.sources) {
    for (const SegmentField& field : source.segment->fields()) names.insert(field.name);
  }
  for (const std::string_view name : names) {
    QUARRY_RETURN_IF_ERROR(abort.check());
    QUARRY_RETURN_IF_ERROR(out.status());
    QUARRY_ASSIGN_OR_RETURN(auto field, merge_field(name, plan, effort, out.row_sink(), abort));
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

/// The new numbers of the documents of each input.
std::vector<DocMap> number_in_order(std::span<const MergeInput> inputs,
                                    std::span<const SourceDoc> order) {
  std::vector<std::vector<uint32_t>> numbers;
  for (const MergeInput& input : inputs)
    numbers.emplace_back(input.segment->max_doc(), kDeletedDoc);
  std::vector<uint32_t> live(inputs.size(), 0);
  for (uint32_t doc = 0; doc < order.size(); doc++) {
    numbers[order[doc].source][order[doc].doc] = doc;
    live[order[doc].source]++;
  }
  std::vector<DocMap> maps;
  for (size_t i = 0; i < inputs.size(); i++) maps.emplace_back(std::move(numbers[i]), live[i]);
  return maps;
}

/// `order`: empty for that of the inputs.
Result<MergePlan> plan_merge(std::span<const MergeInput> inputs, std::vector<SourceDoc> order) {
  MergePlan plan;
  std::vector<DocMap> maps;
  if (!order.empty()) maps = number_in_order(inputs, order);
  plan.order = std::move(order);
  plan.sources.reserve(inputs.size());
  uint64_t max_doc = 0;
  for (size_t i = 0; i < inputs.size(); i++) {
    const MergeInput& input = inputs[i];
    const auto base = static_cast<uint32_t>(max_doc);
    DocMap docs = !maps.empty()           ? std::move(maps[i])
                  : input.live == nullptr ? DocMap(input.segment->max_doc(), base)
                                          : DocMap(*input.live, base);
    max_doc += docs.live_count();
    if (max_doc >= INT32_MAX)
      return Status(ErrorType::kIllegalArgument, "too many documents for one segment");
    plan.sources.push_back({input.segment, std::move(docs)});
  }
  if (max_doc == 0) return Status(ErrorType::kInternal, "a merge needs at least one live document");
  plan.max_doc = static_cast<uint32_t>(max_doc);
  return plan;
}

Result<MergedRest> merge_into(const MergePlan& plan, VectorEffort effort, LongWork* work,
                              SegmentWriter& writer) {
  const MergeAbort abort(work);
  MergedRest rest{{plan.max_doc, UINT64_MAX, 0}, {}, {}};
  IdTableWriter ids;
  QUARRY_RETURN_IF_ERROR(merge_fields(plan, effort, abort, writer));
  // Packing takes time and, like building codes and graphs, is done only by merges that no flush
  // waits for.
  const bool packed = effort == VectorEffort::kFull;
  QUARRY_ASSIGN_OR_RETURN(rest.stored, merge_stored(plan, packed, writer, abort));
  QUARRY_RETURN_IF_ERROR(merge_ids(plan, abort, ids, rest.summary));
  rest.ids = ids.finish();
  return rest;
}

Result<SegmentImage> merge_planned(const MergePlan& plan, LongWork* work, VectorEffort effort) {
  SegmentWriter writer;
  QUARRY_ASSIGN_OR_RETURN(MergedRest rest, merge_into(plan, effort, work, writer));
  return writer.finish(rest.summary, std::move(rest.stored), std::move(rest.ids));
}

}  // namespace

Status merge_to_files(std::span<const MergeInput> inputs, VectorEffort effort, LongWork* work,
                      const FileMaker& make, std::span<const IndexSortKey> sort) {
  SegmentWriter writer(make);
  QUARRY_ASSIGN_OR_RETURN(const MergePlan plan, plan_merge(inputs, sorted_documents(inputs, sort)));
  QUARRY_ASSIGN_OR_RETURN(MergedRest rest, merge_into(plan, effort, work, writer));
  return writer.finish_files(rest.summary, std::move(rest.stored), std::move(rest.ids));
}

Result<SegmentImage> merge_segments(std::span<const MergeInput> inputs, LongWork* work,
                                    VectorEffort effort, std::span<const IndexSortKey> sort) {
  QUARRY_ASSIGN_OR_RETURN(const MergePlan plan, plan_merge(inputs, sorted_documents(inputs, sort)));
  return merge_planned(plan, work, effort);
}

Result<std::shared_ptr<const Segment>> sort_segment(std::shared_ptr<const Segment> segment,
                                                    std::span<const IndexSortKey> sort) {
  const MergeInput input{segment.get(), nullptr};
  std::vector<SourceDoc> order = sorted_documents({&input, 1}, sort);
  if (order.empty()) return segment;
  QUARRY_ASSIGN_OR_RETURN(const MergePlan plan, plan_merge({&input, 1}, std::move(order)));
  QUARRY_ASSIGN_OR_RETURN(SegmentImage image, merge_planned(plan, nullptr, VectorEffort::kRows));
  return Segment::open(std::move(image));
}

}  // namespace quarry
