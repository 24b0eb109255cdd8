// The inverted index of one field in one segment: writer (terms ascending, documents ascending) and reader.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/coding.h"
#include "base/status.h"
#include "postings/postings.h"
#include "postings/term_dictionary.h"

namespace quarry {

/// Sums over the field's documents, deleted ones included until they are merged away.
struct FieldStats {
  uint64_t doc_count = 0;            // documents with at least one term
  uint64_t sum_total_term_freq = 0;  // tokens
  uint64_t sum_doc_freq = 0;
};

struct InvertedOptions {
  bool freqs = false;      // false: documents only (keyword, ip)
  bool positions = false;  // implies freqs
};

/// The finished sections of one field. `terms` and `blocks` go to the sidx file, `postings` and `positions` to data.
struct InvertedSections {
  std::vector<uint8_t> terms;
  std::vector<uint8_t> blocks;
  std::vector<uint8_t> postings;
  std::vector<uint8_t> positions;
};

/// Call order: (start_term, add*)*, finish. Terms strictly ascending bytewise, documents strictly ascending per term.
/// A term without documents is kept in the dictionary (doc values without index).
class InvertedFieldWriter {
 public:
  /// `norms`: one byte per document for impacts, or empty (every norm counts as 1). Must outlive the writer.
  InvertedFieldWriter(InvertedOptions options, std::span<const uint8_t> norms);
  ~InvertedFieldWriter();
  void start_term(std::string_view term);
  /// `positions` has `freq` ascending entries when positions are kept, else it is empty.
  void add(uint32_t doc, uint32_t freq, std::span<const uint32_t> positions);
  InvertedSections finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Reader over the four sections, whose bytes must outlive it. Thread-safe.
class InvertedField {
 public:
  InvertedField() = default;
  /// Structural check only (the sections' checksums are verified by the segment); `max_doc` bounds every docId.
  static Result<InvertedField> open(Bytes terms, Bytes blocks, Bytes postings, Bytes positions,
                                    uint32_t max_doc);

  const TermDictionary& terms() const { return terms_; }
  const FieldStats& stats() const { return stats_; }
  const PostingsSource& source() const { return source_; }
  bool has_freqs() const { return source_.has_freqs; }
  bool has_positions() const { return source_.has_positions; }
  PostingsCursor postings(uint32_t ordinal) const { return {source_, terms_.info(ordinal)}; }

 private:
  TermDictionary terms_;
  FieldStats stats_;
  PostingsSource source_;
};

}  // namespace quarry
