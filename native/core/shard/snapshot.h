// The state of a shard that searches use: an immutable list of segments with their live documents,
// and the ring of replaced lists, which a fetch may still refer to.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/bitset.h"
#include "query/plan/search.h"
#include "segment/segment.h"
#include "segment/segment_merger.h"
#include "shard/memtable.h"
#include "shard/merge_policy.h"

namespace quarry {

/// A segment in a list. `live` null: every document is live. Nested documents are counted.
struct SegmentEntry {
  std::shared_ptr<const Segment> segment;
  std::shared_ptr<const Bitset> live;
  uint32_t live_count = 0;
  uint64_t uid = 0;          // unique in the shard for the life of the process
  uint64_t file_number = 0;  // 0: in memory only

  bool on_disk() const { return file_number != 0; }
  bool is_live(uint32_t doc) const { return live == nullptr || live->test(doc); }
  uint32_t deleted() const { return segment->max_doc() - live_count; }
};

/// Immutable once published. The documents of the view are the roots alone.
struct ShardSnapshot {
  ShardView view;  // same order as entries
  std::vector<SegmentEntry> entries;
};

/// Entries in the order of sequence numbers; those without a live document are left out.
std::shared_ptr<const ShardSnapshot> make_snapshot(uint64_t generation,
                                                   std::vector<SegmentEntry> entries);

/// The live document with an id; the newest segment is searched first.
struct DocumentPlace {
  size_t entry = 0;
  uint32_t doc = 0;
};
std::optional<DocumentPlace> find_live(std::span<const SegmentEntry> entries, std::string_view id,
                                       uint64_t hash);

/// Marks documents deleted in copies of the affected bit sets. When the owning segment is no longer
/// in the list, the document is found by its id.
void apply_deletes(std::vector<SegmentEntry>& entries, std::span<const PendingDelete> deletes);

/// Applies the deletes since the beginning of a merge to its result. `merged` holds the documents
/// that were live in `inputs` when the merge began; `now` are the same segments as currently
/// published. Returns the live bits of the merged segment, null when all are live. `sorted`: the
/// merged segment if its documents may have another order than in `inputs`, else null.
std::shared_ptr<const Bitset> carry_deletes(std::span<const SegmentEntry> inputs,
                                            std::span<const SegmentEntry> now,
                                            const Segment* sorted = nullptr);

/// To be called after reading: ErrorType::kCorrupt when a mapped file of the segments could not be
/// read or was cut (base/map_faults.h).
Status sound(std::span<const SegmentEntry> entries);
Status sound(const Segment& segment);

std::vector<MergeInput> merge_inputs(std::span<const SegmentEntry> entries);
/// The input of the merge policy.
std::vector<MergeCandidate> merge_candidates(std::span<const SegmentEntry> entries);

/// Replaced snapshots by generation. Each is kept for a fixed time, unless their number or the heap
/// that only they keep exceeds a limit. Not thread-safe.
class SnapshotRing {
 public:
  /// A shard that is refreshed for every write replaces hundreds of snapshots per second; a fetch
  /// follows its search within a few seconds.
  static constexpr size_t kMost = 1024;
  /// Limits the heap of flushed segments that would otherwise stay in memory while much is written.
  static constexpr uint64_t kMostHeapBytes = uint64_t{64} << 20;
  /// `heap_bytes`: heap of the segments in memory that the snapshot has and its successor does not
  /// have. The newest snapshot is kept whatever its size, for searches between their two phases.
  void add(std::shared_ptr<const ShardSnapshot> snapshot, int64_t expires_ns,
           uint64_t heap_bytes = 0);
  /// Null when the generation never existed or was dropped.
  std::shared_ptr<const ShardSnapshot> find(uint64_t generation) const;
  void prune(int64_t now_ns);
  void clear() {
    kept_.clear();
    heap_bytes_ = 0;
  }

 private:
  struct Kept {
    std::shared_ptr<const ShardSnapshot> snapshot;
    int64_t expires_ns = 0;
    uint64_t heap_bytes = 0;
  };
  void drop_oldest();

  std::deque<Kept> kept_;
  uint64_t heap_bytes_ = 0;  // total of all kept snapshots
};

}  // namespace quarry
