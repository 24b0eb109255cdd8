#include "segment/vector_merger.h"

#include <algorithm>
#include <vector>

#include "base/page_cache.h"

namespace quarry {
namespace {

constexpr uint32_t kAbortRows = 4096;              // rows between two polls
constexpr size_t kReleaseBytes = size_t{8} << 20;  // bytes of rows between two releases of pages

uint32_t live_rows(const MergePart& part) {
  const VectorColumn& column = *part.field->vectors;
  if (part.docs->all_live()) return column.size();
  uint32_t live = 0;
  for (uint32_t i = 0; i < column.size(); i++) {
    if ((*part.docs)[column.doc(i)] != kDeletedDoc) live++;
  }
  return live;
}

/// The part whose graph has the most nodes of live documents; null when no part has a graph.
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

/// A live row of a part.
struct PartRow {
  uint32_t doc;  // its new number
  uint32_t part;
  uint32_t row;
};

/// The live rows, ascending by new document; those of one document stay in their order.
Result<std::vector<PartRow>> live_rows_of(std::span<const MergePart> parts, uint32_t count,
                                          const MergeAbort& abort) {
  std::vector<PartRow> rows;
  rows.reserve(count);
  for (uint32_t part = 0; part < parts.size(); part++) {
    if (parts[part].field->vectors == nullptr) continue;
    const VectorColumn& column = *parts[part].field->vectors;
    for (uint32_t i = 0; i < column.size(); i++) {
      if (i % kAbortRows == 0) QUARRY_RETURN_IF_ERROR(abort.check());
      const uint32_t doc = (*parts[part].docs)[column.doc(i)];
      if (doc != kDeletedDoc) rows.push_back({doc, part, i});
    }
  }
  const auto before = [](const PartRow& a, const PartRow& b) { return a.doc < b.doc; };
  // They are out of order only where an index is sorted.
  if (!std::is_sorted(rows.begin(), rows.end(), before))
    std::stable_sort(rows.begin(), rows.end(), before);
  return rows;
}

/// Passes rows to `out`, and releases their pages in mapped inputs; only searches need some of
/// these again.
ByteSink releasing(std::span<const MergePart> parts, const ByteSink& out) {
  if (out == nullptr) return nullptr;
  return [parts, out, passed = kReleaseBytes](Bytes rows) mutable {
    out(rows);
    passed += rows.size();
    if (passed < kReleaseBytes) return;
    passed = 0;
    for (const MergePart& part : parts) {
      if (part.mapped && part.field->vectors != nullptr) {
        release_pages(part.field->vectors->row_section());
      }
    }
  };
}

}  // namespace

Status merge_vectors(std::span<const MergePart> parts, uint32_t max_doc, VectorEffort effort,
                     const ByteSink& rows, const MergeAbort& abort, FieldSections& out) {
  const VectorOptions* options = nullptr;
  uint32_t count = 0;
  for (const MergePart& part : parts) {
    if (part.field->vectors == nullptr) continue;
    const VectorOptions& own = part.field->vectors->options();
    if (options != nullptr && !(own == *options)) {
      return {ErrorType::kCorrupt,
              "field [" + out.name + "] has different vectors in the segments of a merge"};
    }
    options = &own;
    count += live_rows(part);
  }
  // Codes and graphs would not be used for vectors that are only stored.
  if (options->index == VectorIndex::kNone) effort = VectorEffort::kRows;
  const MergePart* seed_part = effort == VectorEffort::kFull ? largest_graph(parts) : nullptr;
  VectorWriter writer(*options);
  writer.reserve(count);
  std::vector<uint32_t> ordinals;  // of the rows of the seed in the result
  if (seed_part != nullptr) ordinals.assign(seed_part->field->vectors->size(), kNoVector);
  QUARRY_ASSIGN_OR_RETURN(const std::vector<PartRow> live, live_rows_of(parts, count, abort));
  for (const PartRow& row : live) {
    const MergePart& part = parts[row.part];
    if (&part == seed_part) ordinals[row.row] = writer.size();
    const VectorColumn& column = *part.field->vectors;
    writer.add_row(row.doc, column.row(row.row), column.norm(row.row));
  }
  GraphSeed seed;
  if (seed_part != nullptr) seed = {seed_part->field->vectors->graph(), ordinals};
  out.vectors_built = effort == VectorEffort::kFull || options->index == VectorIndex::kNone;
  QUARRY_ASSIGN_OR_RETURN(out.vectors,
                          writer.finish(max_doc, effort, seed_part != nullptr ? &seed : nullptr,
                                        abort.work(), releasing(parts, rows)));
  return {};
}

}  // namespace quarry
