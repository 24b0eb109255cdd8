#include "segment/field_inverter.h"

#include <span>

#include "columns/column.h"
#include "postings/norms.h"
#include "postings/term_grams.h"
#include "segment/completion_weights.h"

namespace quarry {
namespace {

/// The inversion of one field, from token stream to postings.
class Inverter {
 public:
  Inverter(const FieldBuffer& field, const DocMap& docs)
      : field_(field), docs_(docs), counts_(field.terms().size()) {}

  FieldSections run() {
    FieldSections out;
    out.name = field_.name();
    out.type = field_.type();
    out.has_inverted = true;
    count();
    sorted_ = field_.terms().sorted(counts_);  // without the terms of deleted documents
    fill();
    if (field_.norms()) out.norms = std::move(norms_);
    out.inverted = write_postings(out.norms);
    if (field_.ordinals()) out.column = write_ordinals();
    return out;
  }

 private:
  /// Calls visit(new doc, index in slots()) for each live document.
  template <typename Visitor>
  void each_live(Visitor visit) const {
    for (size_t i = 0; i < field_.slots().size(); i++) {
      const uint32_t doc = docs_[field_.slots()[i]];
      if (doc != kDeletedDoc) visit(doc, i);
    }
  }

  /// Counts the tokens of each term and the length of each document.
  void count() {
    if (field_.norms()) norms_.assign(docs_.live_count(), 0);
    each_live([this](uint32_t doc, size_t index) {
      uint32_t length = 0;
      uint32_t last = UINT32_MAX;
      field_.each_token(index, [&](uint32_t term, uint32_t position) {
        counts_[term]++;
        length += position != last ? 1 : 0;  // tokens stacked on one position count once
        last = position;
      });
      if (field_.norms()) norms_[doc] = encode_norm(length);
    });
  }

  /// Sorts all tokens into buckets by term, in the order of the terms, so that the postings are
  /// written sequentially.
  void fill() {
    if (!field_.indexed()) return;
    std::vector<uint64_t> next(counts_.size());
    uint64_t total = 0;
    for (const TermTable::Sorted& term : sorted_) {
      next[term.id] = total;
      total += term.count;
    }
    token_docs_.resize(total);
    if (field_.positions()) token_positions_.resize(total);
    each_live([&](uint32_t doc, size_t index) {
      field_.each_token(index, [&](uint32_t term, uint32_t position) {
        const uint64_t at = next[term]++;
        token_docs_[at] = doc;
        if (field_.positions()) token_positions_[at] = position;
      });
    });
  }

  InvertedSections write_postings(std::span<const uint8_t> norms) const {
    constexpr size_t kAhead = 8;  // terms whose bytes are prefetched
    InvertedFieldWriter writer({.freqs = field_.freqs(), .positions = field_.positions()}, norms);
    uint64_t at = 0;
    for (size_t i = 0; i < sorted_.size(); i++) {
      const TermTable::Sorted& term = sorted_[i];
      if (i + kAhead < sorted_.size()) __builtin_prefetch(sorted_[i + kAhead].place);
      writer.start_term(term.text());
      if (!field_.indexed()) continue;
      write_term(writer, at, at + term.count);
      at += term.count;
    }
    return writer.finish();
  }

  /// Writes the tokens [at, end) of one term, grouped by document.
  void write_term(InvertedFieldWriter& writer, uint64_t at, uint64_t end) const {
    while (at < end) {
      const uint32_t doc = token_docs_[at];
      const uint64_t first = at;
      while (at < end && token_docs_[at] == doc) at++;
      const auto freq = static_cast<uint32_t>(at - first);
      std::span<const uint32_t> positions;
      if (field_.positions()) positions = std::span(token_positions_).subspan(first, freq);
      writer.add(doc, field_.freqs() ? freq : 1, positions);
    }
  }

  std::vector<uint8_t> write_ordinals() const {
    std::vector<uint32_t> ordinals(field_.terms().size());
    for (uint32_t i = 0; i < sorted_.size(); i++) ordinals[sorted_[i].id] = i;
    ColumnWriter writer(true);
    each_live([&](uint32_t doc, size_t index) {
      field_.each_token(index, [&](uint32_t term, uint32_t) { writer.add(doc, ordinals[term]); });
    });
    return writer.finish(docs_.live_count());
  }

  const FieldBuffer& field_;
  const DocMap& docs_;
  std::vector<uint32_t> counts_;  // number of tokens of each term
  std::vector<TermTable::Sorted> sorted_;
  std::vector<uint32_t> token_docs_;
  std::vector<uint32_t> token_positions_;
  std::vector<uint8_t> norms_;
};

std::vector<uint8_t> number_column(const FieldBuffer& field, const DocMap& docs) {
  ColumnWriter writer(false);
  for (size_t i = 0; i < field.slots().size(); i++) {
    const uint32_t doc = docs[field.slots()[i]];
    if (doc != kDeletedDoc) writer.add(doc, field.numbers()[i]);
  }
  return writer.empty() ? std::vector<uint8_t>() : writer.finish(docs.live_count());
}

Status write_vectors(const FieldBuffer& field, const DocMap& docs, VectorEffort effort,
                     FieldSections& out) {
  // Codes and graphs would not be used for vectors that are only stored.
  const bool stored_only = field.vector_options().index == VectorIndex::kNone;
  if (stored_only) effort = VectorEffort::kRows;
  VectorWriter writer(field.vector_options());
  writer.reserve(static_cast<uint32_t>(field.slots().size()));
  for (size_t i = 0; i < field.slots().size(); i++) {
    const uint32_t doc = docs[field.slots()[i]];
    if (doc != kDeletedDoc) writer.add(doc, field.vector(i));
  }
  out.vectors_built = effort == VectorEffort::kFull || stored_only;
  QUARRY_ASSIGN_OR_RETURN(out.vectors, writer.finish(docs.live_count(), effort, nullptr, nullptr));
  return {};
}

/// The live documents that have the field.
Bitset live_presence(const FieldBuffer& field, const DocMap& docs) {
  Bitset presence(docs.live_count());
  for (const uint32_t slot : field.slots()) {
    if (docs[slot] != kDeletedDoc) presence.set(docs[slot]);
  }
  return presence;
}

}  // namespace

Status add_term_section(FieldSections& field) {
  switch (field_traits(field.type).term_section) {
    case TermSection::kWeights: {
      QUARRY_ASSIGN_OR_RETURN(field.completions, write_completion_weights(field.inverted.terms));
      return {};
    }
    case TermSection::kGrams: {
      QUARRY_ASSIGN_OR_RETURN(field.grams, write_term_grams(field.inverted.terms));
      return {};
    }
    case TermSection::kNone:
      break;
  }
  return {};
}

Result<std::optional<FieldSections>> invert_field(const FieldBuffer& field, const DocMap& docs,
                                                  VectorEffort effort) {
  Bitset presence = live_presence(field, docs);
  const uint32_t present = presence.count();
  if (present == 0) return std::optional<FieldSections>();
  FieldSections out;
  if (field.kind() == FieldBuffer::Kind::kTokens || field.kind() == FieldBuffer::Kind::kTerms) {
    out = Inverter(field, docs).run();
    QUARRY_RETURN_IF_ERROR(add_term_section(out));
  } else {
    out.name = field.name();
    out.type = field.type();
    if (field.kind() == FieldBuffer::Kind::kNumbers) out.column = number_column(field, docs);
    if (field.kind() == FieldBuffer::Kind::kVectors) {
      QUARRY_RETURN_IF_ERROR(write_vectors(field, docs, effort, out));
      return std::optional<FieldSections>(std::move(out));
    }
  }
  if (out.column.empty() && present < docs.live_count()) out.presence = std::move(presence);
  return std::optional<FieldSections>(std::move(out));
}

}  // namespace quarry
