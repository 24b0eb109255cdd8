#include "engine/check/check_segment.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/bitset.h"
#include "json/value.h"
#include "mapping/document/completion_entry.h"

namespace quarry {
namespace {

constexpr size_t kLongestValidId = 512;
/// Tolerance for the length of a vector of a cosine field: it was divided by a rounded norm.
constexpr double kUnitTolerance = 1e-3;

class SegmentCheck {
 public:
  SegmentCheck(const Segment& segment, const std::string& base, const std::string& index,
               Findings& findings)
      : segment_(segment), base_(base), index_(index), findings_(findings) {}

  void run(bool vectors_reported) {
    check_ids();
    check_sources();
    for (const SegmentField& field : segment_.fields()) check_field(field);
    if (!segment_.vector_damage().empty() && !vectors_reported) {
      findings_.add({Severity::kDamage,
                     base_ + ".vec",
                     {},
                     {},
                     segment_.vector_damage(),
                     "searches compare the rows themselves, and the file is made again"});
    }
  }

 private:
  void report(const char* ending, const std::string& section, std::string what) {
    findings_.add({Severity::kDamage,
                   base_ + ending,
                   section,
                   {},
                   std::move(what),
                   "checksums are right, so it was written wrong: answers of index [" + index_ +
                       "] may be wrong; salvage its documents and load them again"});
  }

  bool is_nested(uint32_t doc) const {
    return segment_.nested() != nullptr && !segment_.nested()->roots().test(doc);
  }
  void check_ids();
  void check_sources();
  void check_field(const SegmentField& field);
  void check_terms(const SegmentField& field);
  bool check_postings(const SegmentField& field, uint32_t ordinal, Bitset& seen);
  void check_completions(const SegmentField& field);
  void check_grams(const SegmentField& field, const TermGrams& grams);
  void check_column(const SegmentField& field);
  void check_vectors(const SegmentField& field);

  const Segment& segment_;
  const std::string& base_;
  const std::string& index_;
  Findings& findings_;
  uint64_t tokens_ = 0;
  uint64_t pairs_ = 0;
};

void SegmentCheck::check_ids() {
  const IdTable& ids = segment_.ids();
  uint64_t least = segment_.min_seq_no();
  for (uint32_t doc = 0; doc < segment_.max_doc(); doc++) {
    IdBuffer buffer;
    const std::string_view id = ids.id(doc, buffer);
    const DocVersion version = ids.version(doc);
    const std::string name = "document " + std::to_string(doc);
    if (is_nested(doc)) {
      const DocVersion root = ids.version(segment_.nested()->root_of(doc));
      const bool same = version.version == root.version && version.seq_no == root.seq_no;
      if (!id.empty() || !same) report(".ids", "id_table", name + " is nested and no part of one");
      continue;
    }
    if (id.empty() || id.size() > kLongestValidId)
      report(".ids", "id_table", name + " has no valid id");
    if (ids.find(id) != doc) report(".ids", "id_table", name + " is not found by its id");
    if (version.seq_no < least || version.seq_no > segment_.max_seq_no()) {
      report(".ids", "id_table",
             name + " has sequence number " + std::to_string(version.seq_no) +
                 ", which is out of order");
    }
    if (version.version == 0) report(".ids", "id_table", name + " has no version");
    least = version.seq_no + 1;
  }
}

void SegmentCheck::check_sources() {
  StoredSource::Cursor cursor(segment_.stored());
  for (uint32_t doc = 0; doc < segment_.max_doc(); doc++) {
    const Result<std::string_view> source = cursor.get(doc);
    const std::string name = "document " + std::to_string(doc);
    if (!source.ok()) {
      report(".data", "source_blocks", name + ": " + source.status().reason());
      continue;
    }
    if (is_nested(doc)) {
      if (!source->empty()) report(".data", "source_blocks", name + " is nested and has a source");
      continue;
    }
    const Result<JsonValue> json = JsonValue::parse(*source, kMaxJsonDepth * 4);
    if (!json.ok() || !json->is_object()) {
      report(".data", "source_blocks", name + " is no JSON object");
    }
  }
  findings_.counts.documents += segment_.max_doc();
}

void SegmentCheck::check_field(const SegmentField& field) {
  if (field.inverted != nullptr) check_terms(field);
  if (field.completions != nullptr) check_completions(field);
  if (const TermGrams* grams = segment_.grams(field)) check_grams(field, *grams);
  if (field.column != nullptr) check_column(field);
  if (field.vectors != nullptr) check_vectors(field);
}

void SegmentCheck::check_terms(const SegmentField& field) {
  const std::string section = "terms of field [" + field.name + "]";
  const TermDictionary& terms = field.inverted->terms();
  Bitset seen(segment_.max_doc());
  std::string before;
  tokens_ = 0;
  pairs_ = 0;
  for (uint32_t ordinal = 0; ordinal < terms.size(); ordinal++) {
    const std::string_view term = terms.term(ordinal);
    const std::string name = "term " + std::to_string(ordinal);
    if (ordinal > 0 && before >= term) report(".sidx", section, name + " is out of order");
    if (terms.find(term) != ordinal) report(".sidx", section, name + " is not found");
    if (!check_postings(field, ordinal, seen)) return;
    before = term;
  }
  const FieldStats& stats = field.inverted->stats();
  const bool counted = stats.sum_doc_freq == pairs_ &&
                       (!field.inverted->has_freqs() || stats.sum_total_term_freq == tokens_) &&
                       (pairs_ == 0 || stats.doc_count == seen.count());
  if (!counted) report(".sidx", section, "its statistics do not add up");
  for (uint32_t doc = 0; field.norms != nullptr && doc < segment_.max_doc(); doc++) {
    if (!seen.test(doc) || field.norms[doc] != 0) continue;
    report(".data", "norms of field [" + field.name + "]",
           "document " + std::to_string(doc) + " has terms and no length");
  }
  findings_.counts.terms += terms.size();
  findings_.counts.postings += pairs_;
}

/// False: the remaining terms of the field would give the same finding.
bool SegmentCheck::check_postings(const SegmentField& field, uint32_t ordinal, Bitset& seen) {
  const std::string section = "postings of field [" + field.name + "]";
  const std::string name = "term " + std::to_string(ordinal);
  PostingsCursor cursor = field.inverted->postings(ordinal);
  std::vector<uint32_t> positions;
  uint64_t docs = 0;
  uint64_t tokens = 0;
  uint64_t least = 0;
  while (cursor.next() != kNoMoreDocs) {
    if (cursor.doc() < least || cursor.doc() >= segment_.max_doc()) {
      report(".data", section,
             name + " names document " + std::to_string(cursor.doc()) +
                 " out of order or beyond the last");
      return false;
    }
    least = uint64_t{cursor.doc()} + 1;
    seen.set(cursor.doc());
    docs++;
    tokens += cursor.freq();
    if (!field.inverted->has_positions()) continue;
    positions.clear();
    cursor.positions(positions);
    bool ascending = positions.size() == cursor.freq();
    for (size_t i = 1; i < positions.size(); i++) ascending &= positions[i - 1] <= positions[i];
    if (!ascending) {
      report(".data", "positions of field [" + field.name + "]",
             name + " has wrong positions in document " + std::to_string(cursor.doc()));
      return false;
    }
  }
  pairs_ += docs;
  tokens_ += tokens;
  const TermInfo info = field.inverted->terms().info(ordinal);
  const bool counted =
      docs == info.doc_freq && (!field.inverted->has_freqs() || tokens == info.total_term_freq);
  if (!counted) report(".data", section, name + " has another number of documents than it says");
  return true;
}

void SegmentCheck::check_completions(const SegmentField& field) {
  const TermDictionary& terms = field.inverted->terms();
  for (uint32_t ordinal = 0; ordinal < terms.size(); ordinal++) {
    if (read_completion(terms.term(ordinal))) continue;
    report(".sidx", "terms of field [" + field.name + "]",
           "term " + std::to_string(ordinal) + " is no input of a completion");
  }
  if (same_weights(*field.completions, terms)) return;
  report(".sidx", "completion_weights of field [" + field.name + "]",
         "its weights are not those of the terms");
}

void SegmentCheck::check_grams(const SegmentField& field, const TermGrams& grams) {
  const std::vector<uint8_t> expected = write_term_grams(field.inverted->terms());
  const Bytes found = grams.section();
  if (std::equal(found.begin(), found.end(), expected.begin(), expected.end())) return;
  report(".sidx", "term_grams of field [" + field.name + "]",
         "its lists are not those of the terms");
}

void SegmentCheck::check_column(const SegmentField& field) {
  const Column& column = *field.column;
  const std::string section = "column of field [" + field.name + "]";
  const Column::Zone bounds = column.bounds();
  const bool by_ordinal = field.inverted != nullptr;
  const int64_t ordinals = by_ordinal ? field.inverted->terms().size() : 0;
  uint64_t values = 0;
  uint32_t docs = 0;
  for (uint32_t doc = 0; doc < segment_.max_doc(); doc++) {
    int64_t before = bounds.min;
    const std::string name = "document " + std::to_string(doc);
    column.each(doc, [&](int64_t value) {
      if (value < before || value > bounds.max) {
        report(".data", section, name + " has a value out of order or bounds");
      }
      if (by_ordinal && (value < 0 || value >= ordinals)) {
        report(".data", section, name + " names a term that is not there");
      }
      before = value;
    });
    values += column.count(doc);
    if (column.has(doc)) docs++;
  }
  if (values != column.value_count() || docs != column.doc_count()) {
    report(".data", section, "its counts do not add up");
  }
  findings_.counts.values += values;
}

void SegmentCheck::check_vectors(const SegmentField& field) {
  const VectorColumn& vectors = *field.vectors;
  const std::string section = "vector_rows of field [" + field.name + "]";
  const bool unit = vectors.options().similarity == VectorSimilarity::kCosine;
  for (uint32_t i = 0; i < vectors.size(); i++) {
    const float* row = vectors.row(i);
    double sum = 0;
    for (uint32_t d = 0; d < vectors.dims(); d++) sum += double{row[d]} * double{row[d]};
    const bool sound = std::isfinite(sum) && std::isfinite(vectors.norm(i)) &&
                       (!unit || std::abs(std::sqrt(sum) - 1) < kUnitTolerance);
    if (!sound)
      report(".data", section, "row " + std::to_string(i) + " is no vector of this field");
    const bool placed =
        vectors.doc(i) < segment_.max_doc() && (i == 0 || vectors.doc(i - 1) <= vectors.doc(i));
    if (!placed) report(".data", section, "row " + std::to_string(i) + " names a wrong document");
  }
  findings_.counts.vectors += vectors.size();
}

}  // namespace

void check_segment(const Segment& segment, const std::string& base, const std::string& index,
                   bool vectors_reported, Findings& findings) {
  SegmentCheck(segment, base, index, findings).run(vectors_reported);
}

}  // namespace quarry
