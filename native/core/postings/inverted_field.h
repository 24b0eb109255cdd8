// The inverted index of one field in one segment: the writer, which takes terms and documents in
// ascending order, and the reader.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/coding.h"
#include "base/status.h"
#include "postings/block_table.h"
#include "postings/postings.h"
#include "postings/term_dictionary.h"

namespace quarry {

struct InvertedOptions {
  bool freqs = false;      // false: documents only (keyword, ip)
  bool positions = false;  // implies freqs
};

/// The finished sections of one field. `terms` and `blocks` are stored in the sidx file, `postings`
/// and `positions` in the data file. `positions` is empty when the field has none.
struct InvertedSections {
  std::vector<uint8_t> terms;
  std::vector<uint8_t> blocks;
  std::vector<uint8_t> postings;
  std::vector<uint8_t> positions;
};

/// Call order: (start_term, add*)*, finish. Terms are strictly ascending bytewise, documents
/// strictly ascending per term, all below 2^31. A term without documents is stored in the
/// dictionary (doc values without index).
class InvertedFieldWriter {
 public:
  /// `norms` has one byte per document for impacts, or is empty (every norm counts as 1). It must
  /// outlive the writer.
  InvertedFieldWriter(InvertedOptions options, std::span<const uint8_t> norms);
  ~InvertedFieldWriter();
  void start_term(std::string_view term);
  /// `freq` >= 1; ignored when the field has no frequencies. `positions` has `freq` ascending
  /// entries if the field has positions, else it is empty.
  void add(uint32_t doc, uint32_t freq, std::span<const uint32_t> positions);
  /// Returns the sections. The writer must not be used afterwards.
  InvertedSections finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The reader over the four sections, whose bytes must outlive it. Thread-safe.
class InvertedField {
 public:
  InvertedField() = default;
  /// Checks the structure only (the sections' checksums are verified by the segment). `max_doc` (<=
  /// 2^31) is the limit of every docId.
  static Result<InvertedField> open(Bytes terms, Bytes blocks, Bytes postings, Bytes positions,
                                    uint32_t max_doc);

  const TermDictionary& terms() const { return terms_; }
  const FieldStats& stats() const { return source_.blocks.stats(); }
  const PostingsSource& source() const { return source_; }
  bool has_freqs() const { return source_.has_freqs; }
  bool has_positions() const { return source_.has_positions; }
  PostingsCursor postings(uint32_t ordinal) const { return {source_, terms_.info(ordinal)}; }

 private:
  Status check_terms() const;

  TermDictionary terms_;
  PostingsSource source_;
};

}  // namespace quarry
