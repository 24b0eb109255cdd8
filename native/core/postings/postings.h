// Postings of one term: blocks of 128 documents, and the cursor that queries drive.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/coding.h"
#include "postings/term_dictionary.h"

namespace quarry {

inline constexpr uint32_t kBlockDocs = 128;
/// "No more documents": larger than any docId.
inline constexpr uint32_t kNoMoreDocs = std::numeric_limits<uint32_t>::max();

/// One (frequency, norm) pair; a block's pairs form a Pareto front, so a bound from them is exact for any
/// monotonic similarity, whatever the average length is today.
struct Impact {
  uint32_t freq;
  uint8_t norm;
};

/// What a cursor reads from; owned by the InvertedField it came from, which must outlive the cursor.
struct PostingsSource {
  Bytes postings;
  Bytes positions;
  Bytes blocks;
  bool has_freqs = false;
  bool has_positions = false;
};

/// Walks the documents of one term in increasing docId. Not thread-safe; cheap to create (~1.5 KB), reusable by reset().
/// Starts before the first document. Corrupt bytes never read out of bounds: the cursor then ends early.
class PostingsCursor {
 public:
  PostingsCursor() = default;
  PostingsCursor(const PostingsSource& source, const TermInfo& info) { reset(source, info); }
  void reset(const PostingsSource& source, const TermInfo& info);

  uint32_t doc_freq() const { return info_.doc_freq; }
  /// Current docId, or kNoMoreDocs at the end. Before the first next()/advance() it is kNoMoreDocs too.
  uint32_t doc() const { return doc_; }
  uint32_t next();
  /// First document >= `target`; `target` > doc().
  uint32_t advance(uint32_t target);
  /// Occurrences in the current document (1 where frequencies are not kept).
  uint32_t freq();
  /// Appends the positions of the current document, ascending, to `out` (nothing where they are not kept).
  void positions(std::vector<uint32_t>& out);

  // Block level, for pruning: all of it works without decoding the block.
  /// Moves the block view (not doc()) to the block that holds the first document >= `target`.
  /// False when there is none.
  bool shallow_advance(uint32_t target);
  /// Last docId of the block in view.
  uint32_t block_last_doc() const;
  /// Pareto front of the block in view; valid until the cursor moves.
  std::span<const Impact> block_impacts();
  /// Pareto front over all blocks of the term.
  std::span<const Impact> term_impacts();

  /// Decodes the block in view as a whole: docs ascending, freqs beside them; valid until the cursor moves.
  struct Block {
    std::span<const uint32_t> docs;
    std::span<const uint32_t> freqs;
  };
  Block decode_block();

  /// Blocks decoded so far by this cursor: the "postings" work counter.
  uint64_t blocks_decoded() const { return blocks_decoded_; }

 private:
  PostingsSource source_;
  TermInfo info_;
  uint32_t doc_ = kNoMoreDocs;
  uint64_t blocks_decoded_ = 0;
};

}  // namespace quarry
