// Counts terms in loops over the codes of a column.
#include "query/aggs/terms/leaf_terms.h"

#include <algorithm>
#include <vector>

#include "query/aggs/frame/doc_portions.h"

namespace quarry {
namespace {

// Reading a term's frequency costs as much as counting 4 documents.
constexpr uint64_t kDocsPerTerm = 4;
constexpr uint32_t kCountLanes = 4;

/// Adjacent documents often have the same term. With several counters per term their additions do
/// not wait for each other.
struct LaneCounter {
  uint32_t* counts;
  uint32_t lane = 0;
  void operator()(uint32_t /*doc*/, uint64_t code) {
    counts[kCountLanes * code + lane]++;
    lane = (lane + 1) & (kCountLanes - 1);
  }
};

}  // namespace

void LeafTerms::start(const ValueSource& source) {
  source_ = &source;
  size_ = 0;
  const Column* column = source.column();
  if (column == nullptr || column->doc_count() == 0) return;
  const Column::Zone zone = column->bounds();
  // Only a damaged column has ordinals beyond the terms.
  if (zone.min < 0 || zone.max >= source.term_count()) return;
  codes_ = column->codes();
  size_ = code_of(zone.max) + 1;
}

void LeafTerms::count(const LeafDocs& docs, TermCounts& counts) const {
  const Column& column = *source_->column();
  counts.start(size_, docs.count * (column.value_count() / column.doc_count()));
  add(docs, counts);
}

SegmentTotalsPtr LeafTerms::deleted_totals(AggContext& context, const LeafDocs& docs) const {
  const std::string name = totals_name("deleted", source_->field()->name);
  return find_deleted_totals(context, docs, name, [&](const LeafDocs& deleted) {
    TermCounts counts(context.budget);
    counts.start(size_, deleted.count);
    add(deleted, counts);
    SegmentTotals made;
    counts.each(
        [&made](uint32_t code, uint32_t count) { made.push_back(uint64_t{code} << 32 | count); });
    return made;
  });
}

bool LeafTerms::count_by_frequency(AggContext& context, const LeafDocs& docs,
                                   TermCounts& counts) const {
  const uint64_t deleted = docs.leaf.max_doc - docs.count;
  const bool quicker = deleted + kDocsPerTerm * size_ <= docs.count;
  if (!docs.all_live || !quicker || !source_->field()->indexed) return false;
  counts.start(size_, UINT64_MAX);
  if (docs.bits != nullptr) {
    if (const SegmentTotalsPtr counted = deleted_totals(context, docs)) {
      for (const uint64_t entry : *counted)
        counts.array()[entry >> 32] = static_cast<uint32_t>(entry);
    } else {
      add(DeletedDocs(docs).docs(), counts);
    }
  }
  uint32_t* of_code = counts.array();
  for (uint32_t code = 0; code < size_; code++) {
    const uint32_t all = source_->terms()->info(ordinal_of(code)).doc_freq;
    of_code[code] = all - std::min(all, of_code[code]);
  }
  return true;
}

void LeafTerms::add(const LeafDocs& docs, TermCounts& counts) const {
  const bool few = size_ <= kFewTerms && !counts.sparse();
  std::vector<uint32_t> lanes(few ? kCountLanes * size_ : 0);
  uint32_t* const array = counts.array();
  for (DocPortions portions(docs); portions.next();) {
    if (few) {
      portions.each(codes_, LaneCounter{lanes.data()});
    } else if (counts.sparse()) {
      portions.each(
          codes_, [&counts](uint32_t, uint64_t code) { counts.add(static_cast<uint32_t>(code)); });
    } else {
      portions.each(codes_, [array](uint32_t, uint64_t code) { array[code]++; });
    }
  }
  for (size_t at = 0; at < lanes.size(); at++) array[at / kCountLanes] += lanes[at];
}

}  // namespace quarry
