#include "segment/field_merger.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "columns/column.h"
#include "segment/field_inverter.h"
#include "segment/term_merge.h"
#include "segment/vector_merger.h"

namespace quarry {
namespace {

constexpr uint32_t kAbortTerms = 256;  // terms and documents between two polls
constexpr uint32_t kAbortFieldDocs = 4096;

/// Calls visit(new doc, old doc) for live documents.
template <typename Visitor>
void each_live(const DocMap& docs, Visitor visit) {
  for (uint32_t doc = 0; doc < docs.size(); doc++) {
    if (docs[doc] != kDeletedDoc) visit(docs[doc], doc);
  }
}

/// Calls visit(new doc, value) for every value of live documents.
template <typename Visitor>
void each_value_of(const MergePart& part, Visitor visit) {
  const Column& column = *part.column;
  std::array<int64_t, kZoneDocs> values;
  if (column.multi_valued() || !column.dense()) {
    each_live(*part.docs, [&](uint32_t doc, uint32_t old) {
      const uint32_t count = column.count(old);
      for (uint32_t i = 0; i < count; i++) visit(doc, column.value(old, i));
    });
    return;
  }
  for (uint32_t first = 0; first < column.max_doc(); first += kZoneDocs) {
    const uint32_t count = std::min(kZoneDocs, column.max_doc() - first);
    column.decode(first, count, 0, values.data());
    for (uint32_t i = 0; i < count; i++) {
      const uint32_t doc = (*part.docs)[first + i];
      if (doc != kDeletedDoc) visit(doc, values[i]);
    }
  }
}

/// The inputs that have a field.
struct FieldParts {
  std::vector<MergePart> parts;
  std::vector<const MergePart*> by_source;  // null: the source does not have the field
};

/// Calls visit(part, new doc, value) for every value of live documents, ascending by new document.
template <typename Visitor>
void each_value(const FieldParts& field, const MergePlan& plan, Visitor visit) {
  const std::vector<MergePart>& parts = field.parts;
  if (plan.order.empty()) {
    for (size_t i = 0; i < parts.size(); i++) {
      if (parts[i].column == nullptr) continue;
      each_value_of(parts[i], [&](uint32_t doc, int64_t value) { visit(i, doc, value); });
    }
    return;
  }
  for (uint32_t doc = 0; doc < plan.max_doc; doc++) {
    const auto& [source, old] = plan.order[doc];
    const MergePart* part = field.by_source[source];
    if (part == nullptr || part->column == nullptr) continue;
    const auto index = static_cast<size_t>(part - parts.data());
    part->column->each(old, [&](int64_t value) { visit(index, doc, value); });
  }
}

/// The norms of all parts; empty when a part has no norms, so that the merged field has none.
std::vector<uint8_t> merge_norms(const std::vector<MergePart>& parts, uint32_t max_doc) {
  for (const MergePart& part : parts) {
    if (part.field->norms == nullptr) return {};
  }
  std::vector<uint8_t> norms(max_doc, 0);
  for (const MergePart& part : parts) {
    each_live(*part.docs, [&](uint32_t doc, uint32_t old) { norms[doc] = part.field->norms[old]; });
  }
  return norms;
}

Status corrupt_postings(const SegmentField& field) {
  return {ErrorType::kCorrupt, "field [" + field.name + "]: postings out of order or incomplete"};
}

/// Merges terms, postings and the column of their ordinals.
class InvertedMerge {
 public:
  InvertedMerge(const FieldParts& field, const MergePlan& plan, const MergeAbort& abort)
      : field_(field),
        parts_(field.parts),
        plan_(plan),
        abort_(abort),
        ordinals_(field.parts.size()) {}

  Status run(FieldSections& out) {
    InvertedOptions options{.freqs = true, .positions = true};
    for (const MergePart& part : parts_) {
      options.freqs = options.freqs && part.field->inverted->has_freqs();
      options.positions = options.positions && part.field->inverted->has_positions();
      has_column_ = has_column_ || part.column != nullptr;
    }
    freqs_kept_ = options.freqs;
    positions_kept_ = options.positions;
    if (has_column_) find_used_ordinals();
    InvertedFieldWriter writer(options, out.norms);
    QUARRY_RETURN_IF_ERROR(merge_terms(writer));
    out.inverted = writer.finish();
    out.has_inverted = true;
    if (has_column_) out.column = merge_ordinals();
    return {};
  }

 private:
  static constexpr uint32_t kUnused = UINT32_MAX;

  /// Marks (with 0) the ordinals that live documents use, because a dictionary without postings
  /// does not contain this information.
  void find_used_ordinals() {
    for (size_t i = 0; i < parts_.size(); i++) {
      ordinals_[i].assign(parts_[i].field->inverted->terms().size(), kUnused);
      if (parts_[i].column == nullptr) continue;
      each_value_of(parts_[i], [&](uint32_t, int64_t value) {
        if (value >= 0 && static_cast<size_t>(value) < ordinals_[i].size()) {
          ordinals_[i][static_cast<size_t>(value)] = 0;
        }
      });
    }
  }

  Status merge_terms(InvertedFieldWriter& writer) {
    std::vector<const TermDictionary*> dictionaries;
    for (const MergePart& part : parts_) dictionaries.push_back(&part.field->inverted->terms());
    TermMerge terms(std::move(dictionaries));
    std::vector<TermMerge::Entry> entries;
    uint32_t since_poll = 0;
    while (terms.next(entries)) {
      if (++since_poll % kAbortTerms == 0) QUARRY_RETURN_IF_ERROR(abort_.check());
      started_ = false;
      next_doc_ = 0;
      for (const TermMerge::Entry& entry : entries) {
        if (has_column_ && ordinals_[entry.part][entry.ordinal] != kUnused)
          start(writer, entry.term);
      }
      for (const TermMerge::Entry& entry : entries)
        QUARRY_RETURN_IF_ERROR(copy_postings(writer, entry));
      if (!gathered_.empty()) QUARRY_RETURN_IF_ERROR(write_gathered(writer, entries.front().term));
      if (!started_) continue;
      for (const TermMerge::Entry& entry : entries) {
        if (has_column_) ordinals_[entry.part][entry.ordinal] = next_ordinal_;
      }
      next_ordinal_++;
    }
    return {};
  }

  void start(InvertedFieldWriter& writer, std::string_view term) {
    if (!started_) writer.start_term(term);
    started_ = true;
  }

  Status copy_postings(InvertedFieldWriter& writer, const TermMerge::Entry& entry) {
    const MergePart& part = parts_[entry.part];
    cursor_.reset(part.field->inverted->source(),
                  part.field->inverted->terms().info(entry.ordinal));
    uint32_t since_poll = 0;
    uint64_t lowest = 0;
    for (uint32_t old = cursor_.next(); old != kNoMoreDocs; old = cursor_.next()) {
      if (++since_poll % kAbortFieldDocs == 0) QUARRY_RETURN_IF_ERROR(abort_.check());
      if (old < lowest || old >= part.docs->size()) return corrupt_postings(*part.field);
      lowest = old + uint64_t{1};
      const uint32_t doc = (*part.docs)[old];
      if (doc == kDeletedDoc) continue;
      const uint32_t freq = freqs_kept_ ? cursor_.freq() : 1;
      positions_.clear();
      if (positions_kept_) {
        cursor_.positions(positions_);
        if (positions_.size() != freq) return corrupt_postings(*part.field);
      }
      if (!plan_.order.empty()) {
        gathered_.push_back({doc, freq, gathered_positions_.size()});
        gathered_positions_.insert(gathered_positions_.end(), positions_.begin(), positions_.end());
        continue;
      }
      // When the terms of a part are out of order, the part may occur twice.
      if (doc < next_doc_) return corrupt_postings(*part.field);
      next_doc_ = doc + uint64_t{1};
      start(writer, entry.term);
      writer.add(doc, freq, positions_);
    }
    return {};
  }

  /// Writes the postings of a term, which an index sort has put into another order.
  Status write_gathered(InvertedFieldWriter& writer, std::string_view term) {
    std::sort(gathered_.begin(), gathered_.end(),
              [](const Posting& a, const Posting& b) { return a.doc < b.doc; });
    start(writer, term);
    for (const Posting& posting : gathered_) {
      if (posting.doc < next_doc_) return corrupt_postings(*parts_.front().field);
      next_doc_ = posting.doc + uint64_t{1};
      positions_.clear();
      if (positions_kept_) {
        const auto first = gathered_positions_.begin() + static_cast<std::ptrdiff_t>(posting.first);
        positions_.assign(first, first + posting.freq);
      }
      writer.add(posting.doc, posting.freq, positions_);
    }
    gathered_.clear();
    gathered_positions_.clear();
    return {};
  }

  std::vector<uint8_t> merge_ordinals() const {
    ColumnWriter writer(true);
    each_value(field_, plan_, [&](size_t part, uint32_t doc, int64_t value) {
      if (value >= 0 && static_cast<size_t>(value) < ordinals_[part].size()) {
        writer.add(doc, ordinals_[part][static_cast<size_t>(value)]);
      }
    });
    return writer.empty() ? std::vector<uint8_t>() : writer.finish(plan_.max_doc);
  }

  /// A posting of the current term; its positions start at `first` in gathered_positions_.
  struct Posting {
    uint32_t doc;
    uint32_t freq;
    size_t first;
  };

  const FieldParts& field_;
  const std::vector<MergePart>& parts_;
  const MergePlan& plan_;
  const MergeAbort& abort_;
  bool has_column_ = false;
  bool freqs_kept_ = false;
  bool positions_kept_ = false;
  bool started_ = false;   // the current term is in the writer
  uint64_t next_doc_ = 0;  // the lowest next document of the current term
  uint32_t next_ordinal_ = 0;
  std::vector<std::vector<uint32_t>> ordinals_;  // per part: old ordinal to new, or kUnused
  std::vector<uint32_t> positions_;
  std::vector<Posting> gathered_;  // only for an index sort
  std::vector<uint32_t> gathered_positions_;
  PostingsCursor cursor_;
};

std::vector<uint8_t> merge_numbers(const FieldParts& field, const MergePlan& plan) {
  ColumnWriter writer(false);
  each_value(field, plan, [&](size_t, uint32_t doc, int64_t value) { writer.add(doc, value); });
  return writer.empty() ? std::vector<uint8_t>() : writer.finish(plan.max_doc);
}

}  // namespace

Result<std::optional<FieldSections>> merge_field(std::string_view name, const MergePlan& plan,
                                                 VectorEffort effort, const ByteSink& rows,
                                                 const MergeAbort& abort) {
  FieldSections out;
  out.name = std::string(name);
  FieldParts field;
  std::vector<MergePart>& parts = field.parts;
  parts.reserve(plan.sources.size());  // by_source points to them
  field.by_source.assign(plan.sources.size(), nullptr);
  Bitset presence(plan.max_doc);
  for (size_t i = 0; i < plan.sources.size(); i++) {
    const MergeSource& source = plan.sources[i];
    const SegmentField* found = source.segment->field(name);
    if (found == nullptr) continue;
    if (!parts.empty() && found->type != out.type) {
      return Status(ErrorType::kCorrupt,
                    "field [" + out.name + "] has different types in the segments of a merge");
    }
    out.type = found->type;
    Bitset present(source.segment->max_doc());
    source.segment->collect_present(*found, present);
    uint32_t live = 0;
    for (uint32_t old = present.next(0); old < present.size(); old = present.next(old + 1)) {
      if (source.docs[old] == kDeletedDoc) continue;
      presence.set(source.docs[old]);
      live++;
    }
    if (live == 0) continue;
    const Column* column = found->column;
    if (field_traits(found->type).column == ColumnKind::kPoint) {
      column = source.segment->points(*found, [&abort] { return !abort.check().ok(); });
      QUARRY_RETURN_IF_ERROR(abort.check());
    }
    parts.push_back({found, column, &source.docs, source.segment->mapped()});
    field.by_source[i] = &parts.back();
  }
  if (parts.empty()) return std::optional<FieldSections>();
  const bool vectors = std::any_of(parts.begin(), parts.end(), [](const MergePart& part) {
    return part.field->vectors != nullptr;
  });
  if (vectors) {
    QUARRY_RETURN_IF_ERROR(merge_vectors(parts, plan.max_doc, effort, rows, abort, out));
    return std::optional<FieldSections>(std::move(out));
  }

  const bool inverted = std::all_of(parts.begin(), parts.end(), [](const MergePart& part) {
    return part.field->inverted != nullptr;
  });
  if (inverted) {
    out.norms = merge_norms(parts, plan.max_doc);
    QUARRY_RETURN_IF_ERROR(InvertedMerge(field, plan, abort).run(out));
    QUARRY_RETURN_IF_ERROR(add_term_section(out));
  } else {
    out.column = merge_numbers(field, plan);
  }
  if (out.column.empty() && presence.count() < plan.max_doc) out.presence = std::move(presence);
  return std::optional<FieldSections>(std::move(out));
}

}  // namespace quarry
