// The postings of one term: blocks of 128 documents, and the cursor with which queries read them.
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

/// The data that a cursor reads; owned by its InvertedField, which must outlive the cursor.
struct PostingsSource {
  Bytes postings;
  Bytes positions;
  BlockTable blocks;
  uint32_t max_doc = 0;
  bool has_freqs = false;
  bool has_positions = false;
};

/// Iterates over the documents of one term in ascending docId. Not thread-safe; cheap to create
/// (about 2 KB, none of it cleared), reusable by reset(). Starts before the first document. Corrupt
/// bytes are never read out of bounds: the cursor then ends early.
class PostingsCursor {
 public:
  PostingsCursor() = default;
  PostingsCursor(const PostingsSource& source, const TermInfo& info) { reset(source, info); }
  void reset(const PostingsSource& source, const TermInfo& info);

  uint32_t doc_freq() const { return info_.doc_freq; }
  /// The term whose documents these are.
  const TermInfo& info() const { return info_; }
  /// The current docId, or kNoMoreDocs at the end and before the first next() or advance().
  uint32_t doc() const { return doc_; }
  uint32_t next() {
    if (index_ + 1 < ready_) return doc_ = docs_[++index_];
    return next_block();
  }
  /// Moves to the first document >= `target`; `target` must be > doc().
  uint32_t advance(uint32_t target);
  /// The frequency in the current document (1 if the field has no frequencies).
  uint32_t freq() { return freqs_of_ == block_ ? freqs_[index_] : load_freq(); }
  /// Appends the positions of the current document, ascending, to `out` (none if the field has no
  /// positions).
  void positions(std::vector<uint32_t>& out);
  /// The same, but returns a view of `buffer`, which only ever grows.
  std::span<const uint32_t> positions_in(std::vector<uint32_t>& buffer);

  // Block level, for pruning: these functions do not decode the block, except that a term of 2 to
  // 127 documents, whose only block has no metadata, is decoded by its first shallow_advance().
  /// Moves the block view (not doc()) to the block that contains the first document >= `target`.
  /// Returns false when there is none.
  bool shallow_advance(uint32_t target);
  /// The last docId of the block in view (an upper bound, while a term of 2 to 127 documents is not
  /// decoded); kNoMoreDocs when there is no block.
  uint32_t block_last_doc() const { return view_ < block_count_ ? last_doc(view_) : kNoMoreDocs; }
  /// The Pareto front of the block in view; valid until the cursor moves.
  std::span<const Impact> block_impacts();
  /// The same for the group of 64 blocks that contains the block in view, the second level of
  /// skipping.
  uint32_t group_last_doc() const;
  std::span<const Impact> group_impacts();
  /// The Pareto front over all blocks of the term.
  std::span<const Impact> term_impacts();

  /// Decodes the whole block in view: ascending docs and their freqs; valid until the cursor moves.
  struct Block {
    std::span<const uint32_t> docs;
    std::span<const uint32_t> freqs;
  };
  Block decode_block();
  /// Decodes only the documents, without the cost of their frequencies.
  std::span<const uint32_t> decode_docs();
  /// Sets bit doc - `first` of `words` for every document of the block in view within the range of
  /// `words`; other bits are unchanged. Faster than decoding if the block is a bit set.
  void collect_block(uint32_t first, std::span<uint64_t> words);
  /// Sets bit doc - `begin` for every document in [begin, end); `begin` must be >= the previous
  /// `end`.
  void collect_range(uint32_t begin, uint32_t end, uint64_t* bits);
  /// Finds the block of the first document >= `target`, writes its documents >= `target` and
  /// returns their number; 0 at the end. `out` has room for kBlockDocs.
  uint32_t list_from(uint32_t target, uint32_t* out);
  /// Keeps those of `docs` that the term has, moved to the front in place, and returns their
  /// number. `docs` must ascend from call to call.
  uint32_t keep_common(std::span<uint32_t> docs);
  /// The number of documents before `target`. Targets must ascend; at most one block is decoded.
  uint32_t rank(uint32_t target);

  /// The work of this cursor so far.
  const PostingsWork& work() const { return work_; }

 private:
  static constexpr uint32_t kBeforeFirst = std::numeric_limits<uint32_t>::max();
  static constexpr uint32_t kNotLoaded = kBeforeFirst - 1;
  static constexpr uint32_t kFewDocs = 8;  // up to this size a binary search is faster
  /// Pareto fronts that may be in use at the same time.
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
  uint32_t block_ = kBeforeFirst;  // the block of doc_
  uint32_t index_ = kBeforeFirst;  // the index of doc_ in its block
  uint32_t ready_ =
      0;  // documents of docs_ that next() may return: 0 unless docs_ holds the block of doc_
  uint32_t view_ = 0;  // the block in view
  uint32_t block_count_ = 0;
  uint32_t docs_of_ = kNotLoaded;    // the block whose documents are in docs_
  uint32_t counted_ = kNotLoaded;    // the block counted last, read in place or decoded
  uint32_t freqs_of_ = kNotLoaded;   // the block whose frequencies are in freqs_
  uint32_t starts_of_ = kNotLoaded;  // the block whose positions are in run_ and starts_
  uint32_t single_last_ = 0;         // last document of a term without blocks, or an upper bound
  uint32_t single_impacts_ = 0;      // number of pairs of such a term; 0 until its head is read
  uint64_t single_docs_at_ = 0;
  PostingsWork work_;
  Impact impacts_[kLevels][kMaxImpacts];
  uint32_t docs_[kBlockDocs];
  uint32_t freqs_[kBlockDocs];
  uint32_t starts_[kBlockDocs];  // index of a document's first position in the run of its block
  PositionRun run_;
};

/// Removes the documents up to the end of one block of `others[0]`, the rarest term, from the front
/// of `docs`, and returns those of them that all of `others` have, moved to the front in place.
/// `docs` must ascend from call to call. The decoded blocks stay available for reading frequencies
/// or positions next.
std::span<uint32_t> take_common(std::span<uint32_t>& docs, std::span<PostingsCursor* const> others);

}  // namespace quarry
