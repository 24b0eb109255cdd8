// Postings of one term: blocks of 128 documents, and the cursor that queries drive.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/coding.h"
#include "postings/block_table.h"
#include "postings/impacts.h"
#include "postings/position_run.h"
#include "postings/term_dictionary.h"

namespace quarry {

inline constexpr uint32_t kBlockDocs = 128;
/// "No more documents": larger than any docId.
inline constexpr uint32_t kNoMoreDocs = std::numeric_limits<uint32_t>::max();

/// Work counters of postings.
struct PostingsWork {
  uint64_t blocks = 0;     // decoded
  uint64_t positions = 0;  // read
  uint64_t bytes = 0;      // of the documents and frequencies of full blocks

  void add(const PostingsWork& other) {
    blocks += other.blocks;
    positions += other.positions;
    bytes += other.bytes;
  }
};

/// What a cursor reads from; owned by the InvertedField it came from, which must outlive the
/// cursor.
struct PostingsSource {
  Bytes postings;
  Bytes positions;
  BlockTable blocks;
  uint32_t max_doc = 0;
  bool has_freqs = false;
  bool has_positions = false;
};

/// Walks the documents of one term in increasing docId. Not thread-safe; cheap to create (about 2
/// KB, none of it cleared), reusable by reset(). Starts before the first document. Corrupt bytes
/// never read out of bounds: the cursor then ends early.
class PostingsCursor {
 public:
  PostingsCursor() = default;
  PostingsCursor(const PostingsSource& source, const TermInfo& info) { reset(source, info); }
  void reset(const PostingsSource& source, const TermInfo& info);

  uint32_t doc_freq() const { return info_.doc_freq; }
  /// Of the term whose documents these are.
  const TermInfo& info() const { return info_; }
  /// Current docId, or kNoMoreDocs at the end. Before the first next()/advance() it is kNoMoreDocs
  /// too.
  uint32_t doc() const { return doc_; }
  uint32_t next() {
    if (index_ + 1 < ready_) return doc_ = docs_[++index_];
    return next_block();
  }
  /// First document >= `target`; `target` > doc().
  uint32_t advance(uint32_t target);
  /// Occurrences in the current document (1 where frequencies are not kept).
  uint32_t freq() { return freqs_of_ == block_ ? freqs_[index_] : load_freq(); }
  /// Appends the positions of the current document, ascending, to `out` (nothing where they are not
  /// kept).
  void positions(std::vector<uint32_t>& out);
  /// The same without appending: a view of `buffer`, which only ever grows.
  std::span<const uint32_t> positions_in(std::vector<uint32_t>& buffer);

  // Block level, for pruning: all of it works without decoding the block, except that a term of 2
  // to 127 documents, whose only block has no metadata, is decoded by its first shallow_advance().
  /// Moves the block view (not doc()) to the block that holds the first document >= `target`.
  /// False when there is none.
  bool shallow_advance(uint32_t target);
  /// Last docId of the block in view (at least that, while a term of 2 to 127 documents is not
  /// decoded); kNoMoreDocs when there is no block.
  uint32_t block_last_doc() const { return view_ < block_count_ ? last_doc(view_) : kNoMoreDocs; }
  /// Pareto front of the block in view; valid until the cursor moves.
  std::span<const Impact> block_impacts();
  /// The same for the group of 64 blocks around the block in view, the second level of skipping.
  uint32_t group_last_doc() const;
  std::span<const Impact> group_impacts();
  /// Pareto front over all blocks of the term.
  std::span<const Impact> term_impacts();

  /// Decodes the block in view as a whole: docs ascending, freqs beside them; valid until the
  /// cursor moves.
  struct Block {
    std::span<const uint32_t> docs;
    std::span<const uint32_t> freqs;
  };
  Block decode_block();
  /// The documents alone, without the cost of their frequencies.
  std::span<const uint32_t> decode_docs();
  /// Sets bit doc - `first` of `words` for every document of the block in view that has one there;
  /// leaves the rest as it is. Cheaper than decoding where the block is a bit set.
  void collect_block(uint32_t first, std::span<uint64_t> words);
  /// Sets bit doc - `begin` for every document in [begin, end); begin >= the last end.
  void collect_range(uint32_t begin, uint32_t end, uint64_t* bits);
  /// Writes the documents >= `target` of the block of the first of them, and returns how many they
  /// are; 0 at the end. `out` has room for kBlockDocs.
  uint32_t list_from(uint32_t target, uint32_t* out);
  /// Keeps those of `docs`, ascending from call to call, that the term has, in their place at the
  /// front, and returns how many they are.
  uint32_t keep_common(std::span<uint32_t> docs);
  /// How many documents lie before `target`. Targets ascend; no more than one block is decoded.
  uint32_t rank(uint32_t target);

  /// What this cursor has read so far.
  const PostingsWork& work() const { return work_; }

 private:
  static constexpr uint32_t kBeforeFirst = std::numeric_limits<uint32_t>::max();
  static constexpr uint32_t kNotLoaded = kBeforeFirst - 1;
  static constexpr uint32_t kFewDocs = 8;  // of so many one is found sooner than of a whole block
  /// Fronts that may be asked for side by side.
  enum Level : uint32_t { kBlockLevel, kGroupLevel, kTermLevel, kLevels };

  bool blocked() const { return info_.doc_freq >= kMinBlockedDocs; }
  uint32_t entry(uint32_t block) const { return info_.first_block + block; }
  uint32_t last_doc(uint32_t block) const {
    return blocked() ? source_->blocks.last_doc(entry(block)) : single_last_;
  }
  uint32_t size_of(uint32_t block) const;
  uint32_t group_in_view() const;
  uint32_t find_block(uint32_t from, uint32_t target);
  uint32_t keep_in_view(std::span<const uint32_t> wanted, uint32_t* out);
  bool load_docs(uint32_t block);
  void count_block(uint32_t block);
  bool read_docs(uint32_t block);
  bool read_short(uint64_t at, uint32_t count, uint32_t before, uint32_t block);
  bool read_single_block();
  bool read_single_head();
  std::span<const Impact> single_impacts();
  void load_freqs(uint32_t block);
  uint32_t load_freq();
  bool load_positions();
  uint32_t next_block();
  uint32_t enter_block(uint32_t block, uint32_t index);
  uint32_t end();
  void fail();

  const PostingsSource* source_ = nullptr;
  TermInfo info_;
  uint32_t doc_ = kNoMoreDocs;
  uint32_t block_ = kBeforeFirst;  // of doc_
  uint32_t index_ = kBeforeFirst;  // of doc_ in its block
  uint32_t ready_ =
      0;  // documents of docs_ that next() may walk: 0 unless docs_ holds the block of doc_
  uint32_t view_ = 0;  // block of the block level
  uint32_t block_count_ = 0;
  uint32_t docs_of_ = kNotLoaded;    // block whose documents are in docs_
  uint32_t counted_ = kNotLoaded;    // block that was counted last: bits read in place, then documents are one
  uint32_t freqs_of_ = kNotLoaded;   // block whose frequencies are in freqs_
  uint32_t starts_of_ = kNotLoaded;  // block whose positions are in run_ and starts_
  uint32_t single_last_ = 0;     // last document of a term without block metadata, or a bound on it
  uint32_t single_impacts_ = 0;  // pairs of such a term; 0 while its head is not read
  uint64_t single_docs_at_ = 0;
  PostingsWork work_;
  Impact impacts_[kLevels][kMaxImpacts];
  uint32_t docs_[kBlockDocs];
  uint32_t freqs_[kBlockDocs];
  uint32_t starts_[kBlockDocs];  // index of a document's first position in the run of its block
  PositionRun run_;
};

/// Takes from the front of `docs`, ascending from call to call, those up to the end of a block of the
/// first of `others`, the rarest, and returns which of them all of these have, in their place. What
/// was decoded is still there when their frequencies or positions are asked for next.
std::span<uint32_t> take_common(std::span<uint32_t>& docs, std::span<PostingsCursor* const> others);

}  // namespace quarry
