// What a shard shows to searches: an immutable list of segments with their live documents, and the ring
// of replaced lists that a fetch may still name.
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

/// A segment in a list. `live` null: every document.
struct SegmentEntry {
  std::shared_ptr<const Segment> segment;
  std::shared_ptr<const Bitset> live;
  uint32_t live_count = 0;
  uint64_t uid = 0;          // unique in the shard while the process lives
  uint64_t file_number = 0;  // 0: in memory only

  bool on_disk() const { return file_number != 0; }
  bool is_live(uint32_t doc) const { return live == nullptr || live->test(doc); }
  uint32_t deleted() const { return segment->max_doc() - live_count; }
};

/// Immutable once published.
struct ShardSnapshot {
  ShardView view;  // same order as entries
  std::vector<SegmentEntry> entries;
};

/// Entries in sequence-number order; those without a live document are left out.
std::shared_ptr<const ShardSnapshot> make_snapshot(uint64_t generation,
                                                   std::vector<SegmentEntry> entries);

/// A live document by id, newest segment first.
struct DocumentPlace {
  size_t entry = 0;
  uint32_t doc = 0;
};
std::optional<DocumentPlace> find_live(std::span<const SegmentEntry> entries, std::string_view id,
                                       uint64_t hash);

/// Marks documents dead in copies of the bit sets that change; segments that are gone are searched by id.
void apply_deletes(std::vector<SegmentEntry>& entries, std::span<const PendingDelete> deletes);

/// `merged` holds the documents that were live in `inputs` when the merge began; `now` are the same
/// segments as they are published today. Returns the live bits of the merged segment, null when all live.
std::shared_ptr<const Bitset> carry_deletes(std::span<const SegmentEntry> inputs,
                                            std::span<const SegmentEntry> now);

/// Asked after reading: ErrorType::kCorrupt when some mapped file of them could not be read, or was cut (base/map_faults.h).
Status sound(std::span<const SegmentEntry> entries);
Status sound(const Segment& segment);

std::vector<MergeInput> merge_inputs(std::span<const SegmentEntry> entries);
/// The same as the policy looks at them.
std::vector<MergeCandidate> merge_candidates(std::span<const SegmentEntry> entries);

/// Replaced snapshots by generation, each kept for a fixed time, unless very many come in that time, or what they alone
/// keep in memory becomes too much. Not thread-safe.
class SnapshotRing {
 public:
  /// A shard that is refreshed for every write makes hundreds in a second; a fetch follows its search within few.
  static constexpr size_t kMost = 1024;
  /// While a shard is loaded, all that was flushed within the time would stay in memory otherwise.
  static constexpr uint64_t kMostHeapBytes = uint64_t{64} << 20;
  /// `heap_bytes`: of the segments in memory that the snapshot had and its follower has not. The newest stays whatever
  /// it takes: searches are between their two phases.
  void add(std::shared_ptr<const ShardSnapshot> snapshot, int64_t expires_ns, uint64_t heap_bytes = 0);
  /// Null when it never was or is gone.
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
  uint64_t heap_bytes_ = 0;  // of all kept
};

}  // namespace quarry
