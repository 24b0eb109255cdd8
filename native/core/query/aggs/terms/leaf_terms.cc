// Counts terms in loops over the codes of a column.
#include "query/aggs/terms/leaf_terms.h"

#include <algorithm>
#include <vector>
namespace quarry {
namespace {

// Reading a term's frequency costs as much as counting 4 documents.
constexpr uint64_t kDocsPerTerm = 4;

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

SegmentTotalsPtr LeafTerms::deleted_counts(AggContext& context, const LeafDocs& docs) const {
  const std::string name = totals_name("deleted", source_->field()->name);
  return find_deleted_counts(context, docs, name, [&](const LeafDocs& deleted) {
    std::vector<uint32_t> counts(size_);
    count_places(deleted, codes_, size_, counts.data(), [](uint64_t code) { return code; });
    return counts;
  });
}

bool LeafTerms::count_by_frequency(AggContext& context, const LeafDocs& docs,
                                   TermCounts& counts) const {
  const uint64_t deleted = docs.leaf.max_doc - docs.count;
  const bool quicker = deleted + kDocsPerTerm * size_ <= docs.count;
  if (!docs.all_live || !quicker || !source_->field()->indexed) return false;
  counts.start(size_, UINT64_MAX);
  if (docs.bits != nullptr) {
    if (const SegmentTotalsPtr counted = deleted_counts(context, docs)) {
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

}  // namespace quarry
