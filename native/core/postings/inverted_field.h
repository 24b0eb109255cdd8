// The inverted index of one field in one segment: writer (terms ascending, documents ascending) and
// reader.
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

/// The finished sections of one field. `terms` and `blocks` go to the sidx file, `postings` and
/// `positions` to data. `positions` is empty when positions are not kept.
struct InvertedSections {
  std::vector<uint8_t> terms;
  std::vector<uint8_t> blocks;
  std::vector<uint8_t> postings;
  std::vector<uint8_t> positions;
};

/// Call order: (start_term, add*)*, finish. Terms strictly ascending bytewise, documents strictly
/// ascending per term, all below 2^31. A term without documents is kept in the dictionary (doc
/// values without index).
class InvertedFieldWriter {
 public:
  /// `norms`: one byte per document for impacts, or empty (every norm counts as 1). Must outlive
  /// the writer.
  InvertedFieldWriter(InvertedOptions options, std::span<const uint8_t> norms);
  ~InvertedFieldWriter();
  void start_term(std::string_view term);
  /// `freq` >= 1; ignored when frequencies are not kept. `positions` has `freq` ascending entries
  /// when positions are kept, else it is empty.
  void add(uint32_t doc, uint32_t freq, std::span<const uint32_t> positions);
  /// The sections. The writer is spent.
  InvertedSections finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Reader over the four sections, whose bytes must outlive it. Thread-safe.
class InvertedField {
 public:
  InvertedField() = default;
  /// Structural check only (the sections' checksums are verified by the segment); `max_doc` (<=
  /// 2^31) bounds every docId.
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
