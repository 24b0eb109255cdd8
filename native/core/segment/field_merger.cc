#include "segment/field_merger.h"

#include <algorithm>
#include <array>
#include <queue>
#include <string>
#include <vector>

#include "columns/column.h"
#include "segment/field_inverter.h"
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
void each_value(const MergePart& part, Visitor visit) {
  const Column& column = *part.field->column;
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

/// Iterates over the dictionaries of the parts together, term by term in ascending order.
class TermMerge {
 public:
  explicit TermMerge(const std::vector<MergePart>& parts) : parts_(parts) {
    for (uint32_t part = 0; part < parts.size(); part++) push(part, 0);
  }
  struct Entry {
    std::string_view term;
    uint32_t part;
    uint32_t ordinal;
  };
  /// Stores the entries of the next term, ascending by part, in `out`; false at the end.
  bool next(std::vector<Entry>& out) {
    out.clear();
    while (!heap_.empty() && (out.empty() || heap_.top().term == out.front().term)) {
      const Entry entry = heap_.top();
      heap_.pop();
      push(entry.part, entry.ordinal + 1);
      out.push_back(entry);
    }
    return !out.empty();
  }

 private:
  struct Later {
    bool operator()(const Entry& a, const Entry& b) const {
      const int order = a.term.compare(b.term);
      return order != 0 ? order > 0 : a.part > b.part;
    }
  };
  void push(uint32_t part, uint32_t ordinal) {
    const TermDictionary& terms = parts_[part].field->inverted->terms();
    if (ordinal < terms.size()) heap_.push({terms.term(ordinal), part, ordinal});
  }

  const std::vector<MergePart>& parts_;
  std::priority_queue<Entry, std::vector<Entry>, Later> heap_;
};

Status corrupt_postings(const SegmentField& field) {
  return {ErrorType::kCorrupt, "field [" + field.name + "]: postings out of order or incomplete"};
}

/// Merges terms, postings and the column of their ordinals.
class InvertedMerge {
 public:
  InvertedMerge(const std::vector<MergePart>& parts, uint32_t max_doc, const MergeAbort& abort)
      : parts_(parts), max_doc_(max_doc), abort_(abort), ordinals_(parts.size()) {}

  Status run(FieldSections& out) {
    InvertedOptions options{.freqs = true, .positions = true};
    for (const MergePart& part : parts_) {
      options.freqs = options.freqs && part.field->inverted->has_freqs();
      options.positions = options.positions && part.field->inverted->has_positions();
      has_column_ = has_column_ || part.field->column != nullptr;
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
      if (parts_[i].field->column == nullptr) continue;
      each_value(parts_[i], [&](uint32_t, int64_t value) {
        if (value >= 0 && static_cast<size_t>(value) < ordinals_[i].size()) {
          ordinals_[i][static_cast<size_t>(value)] = 0;
        }
      });
    }
  }

  Status merge_terms(InvertedFieldWriter& writer) {
    TermMerge terms(parts_);
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
      // When the terms of a part are out of order, the part may occur twice.
      if (doc < next_doc_) return corrupt_postings(*part.field);
      next_doc_ = doc + uint64_t{1};
      start(writer, entry.term);
      writer.add(doc, freq, positions_);
    }
    return {};
  }

  std::vector<uint8_t> merge_ordinals() const {
    ColumnWriter writer(true);
    for (size_t i = 0; i < parts_.size(); i++) {
      if (parts_[i].field->column == nullptr) continue;
      each_value(parts_[i], [&](uint32_t doc, int64_t value) {
        if (value >= 0 && static_cast<size_t>(value) < ordinals_[i].size()) {
          writer.add(doc, ordinals_[i][static_cast<size_t>(value)]);
        }
      });
    }
    return writer.empty() ? std::vector<uint8_t>() : writer.finish(max_doc_);
  }

  const std::vector<MergePart>& parts_;
  uint32_t max_doc_;
  const MergeAbort& abort_;
  bool has_column_ = false;
  bool freqs_kept_ = false;
  bool positions_kept_ = false;
  bool started_ = false;   // the current term is in the writer
  uint64_t next_doc_ = 0;  // the lowest next document of the current term
  uint32_t next_ordinal_ = 0;
  std::vector<std::vector<uint32_t>> ordinals_;  // per part: old ordinal to new, or kUnused
  std::vector<uint32_t> positions_;
  PostingsCursor cursor_;
};

std::vector<uint8_t> merge_numbers(const std::vector<MergePart>& parts, uint32_t max_doc) {
  ColumnWriter writer(false);
  for (const MergePart& part : parts) {
    if (part.field->column == nullptr) continue;
    each_value(part, [&](uint32_t doc, int64_t value) { writer.add(doc, value); });
  }
  return writer.empty() ? std::vector<uint8_t>() : writer.finish(max_doc);
}

}  // namespace

Result<std::optional<FieldSections>> merge_field(std::string_view name,
                                                 std::span<const MergeSource> sources,
                                                 uint32_t max_doc, VectorEffort effort,
                                                 const ByteSink& rows, const MergeAbort& abort) {
  FieldSections out;
  out.name = std::string(name);
  std::vector<MergePart> parts;
  Bitset presence(max_doc);
  for (const MergeSource& source : sources) {
    const SegmentField* field = source.segment->field(name);
    if (field == nullptr) continue;
    if (!parts.empty() && field->type != out.type) {
      return Status(ErrorType::kCorrupt,
                    "field [" + out.name + "] has different types in the segments of a merge");
    }
    out.type = field->type;
    Bitset present(source.segment->max_doc());
    source.segment->collect_present(*field, present);
    uint32_t live = 0;
    for (uint32_t old = present.next(0); old < present.size(); old = present.next(old + 1)) {
      if (source.docs[old] == kDeletedDoc) continue;
      presence.set(source.docs[old]);
      live++;
    }
    if (live > 0) parts.push_back({field, &source.docs, source.segment->mapped()});
  }
  if (parts.empty()) return std::optional<FieldSections>();
  const bool vectors = std::any_of(parts.begin(), parts.end(), [](const MergePart& part) {
    return part.field->vectors != nullptr;
  });
  if (vectors) {
    QUARRY_RETURN_IF_ERROR(merge_vectors(parts, max_doc, effort, rows, abort, out));
    return std::optional<FieldSections>(std::move(out));
  }

  const bool inverted = std::all_of(parts.begin(), parts.end(), [](const MergePart& part) {
    return part.field->inverted != nullptr;
  });
  if (inverted) {
    out.norms = merge_norms(parts, max_doc);
    QUARRY_RETURN_IF_ERROR(InvertedMerge(parts, max_doc, abort).run(out));
    QUARRY_RETURN_IF_ERROR(add_term_section(out));
  } else {
    out.column = merge_numbers(parts, max_doc);
  }
  if (out.column.empty() && presence.count() < max_doc) out.presence = std::move(presence);
  return std::optional<FieldSections>(std::move(out));
}

}  // namespace quarry
