#include "segment/vector_merger.h"

#include <vector>

namespace quarry {
namespace {

constexpr uint32_t kAbortRows = 4096;  // rows between two looks at the abort flag

uint32_t live_rows(const MergePart& part) {
  const VectorColumn& column = *part.field->vectors;
  if (part.docs->all_live()) return column.size();
  uint32_t live = 0;
  for (uint32_t i = 0; i < column.size(); i++) {
    if ((*part.docs)[column.doc(i)] != kDeletedDoc) live++;
  }
  return live;
}

/// The part whose graph has the most nodes that stay; null when no part has one.
const MergePart* largest_graph(std::span<const MergePart> parts) {
  const MergePart* best = nullptr;
  uint32_t most = 0;
  for (const MergePart& part : parts) {
    if (part.field->vectors == nullptr || part.field->vectors->graph() == nullptr) continue;
    const uint32_t live = live_rows(part);
    if (live <= most) continue;
    most = live;
    best = &part;
  }
  return best;
}

/// Copies the live rows; `ordinals` (may be null) learns where each went.
Status copy_rows(const MergePart& part, const MergeAbort& abort, VectorWriter& writer,
                 std::vector<uint32_t>* ordinals) {
  const VectorColumn& column = *part.field->vectors;
  if (ordinals != nullptr) ordinals->assign(column.size(), kNoVector);
  for (uint32_t i = 0; i < column.size(); i++) {
    if (i % kAbortRows == 0) QUARRY_RETURN_IF_ERROR(abort.check());
    const uint32_t doc = (*part.docs)[column.doc(i)];
    if (doc == kDeletedDoc) continue;
    if (ordinals != nullptr) (*ordinals)[i] = writer.size();
    writer.add_row(doc, column.row(i), column.norm(i));
  }
  return {};
}

}  // namespace

Status merge_vectors(std::span<const MergePart> parts, uint32_t max_doc, VectorEffort effort,
                     const MergeAbort& abort, FieldSections& out) {
  const VectorOptions* options = nullptr;
  uint32_t rows = 0;
  for (const MergePart& part : parts) {
    if (part.field->vectors == nullptr) continue;
    const VectorOptions& own = part.field->vectors->options();
    if (options != nullptr && !(own == *options)) {
      return {ErrorType::kCorrupt,
              "field [" + out.name + "] has different vectors in the segments of a merge"};
    }
    options = &own;
    rows += live_rows(part);
  }
  // Vectors that are only stored are never searched by anything that codes would help.
  if (options->index == VectorIndex::kNone) effort = VectorEffort::kRows;
  const MergePart* seed_part = effort == VectorEffort::kFull ? largest_graph(parts) : nullptr;
  VectorWriter writer(*options);
  writer.reserve(rows);
  std::vector<uint32_t> ordinals;
  for (const MergePart& part : parts) {
    if (part.field->vectors == nullptr) continue;
    QUARRY_RETURN_IF_ERROR(
        copy_rows(part, abort, writer, &part == seed_part ? &ordinals : nullptr));
  }
  GraphSeed seed;
  if (seed_part != nullptr) seed = {seed_part->field->vectors->graph(), ordinals};
  out.vectors_built = effort == VectorEffort::kFull || options->index == VectorIndex::kNone;
  QUARRY_ASSIGN_OR_RETURN(out.vectors,
                          writer.finish(max_doc, effort, seed_part != nullptr ? &seed : nullptr,
                                        abort.flag()));
  return {};
}

}  // namespace quarry
