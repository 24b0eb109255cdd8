// The writes of a shard since its last refresh: documents to become a segment, ids with their
// versions, and the older documents that these writes replace.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/bitset.h"
#include "base/status.h"
#include "mapping/document/document.h"
#include "mapping/schema/mapping.h"
#include "segment/segment_builder.h"
#include "shard/id_map.h"

namespace quarry {

/// A document outside this memtable that is deleted when the memtable is published.
struct PendingDelete {
  static constexpr uint32_t kUnknownDoc = UINT32_MAX;
  uint64_t owner = 0;  // uid of the segment, or of the memtable that becomes the segment
  uint32_t doc = kUnknownDoc;
  std::string_view id;
};

/// Written under the shard's write lock. Once frozen (no more writes), any thread may read it.
class Memtable {
 public:
  static constexpr uint64_t kNoPosition = UINT64_MAX;

  /// `uid` becomes the uid of the segment.
  explicit Memtable(uint64_t uid) : uid_(uid) {}

  /// Reverses one operation, if the log refuses it.
  struct Undo {
    std::string_view id;
    uint64_t hash = 0;
    IdState before;
    bool deletes_older = false;
    bool added = false;  // a document was added in the last slot
  };

  /// Adds a document. `older` is the document outside this memtable that it replaces, or null.
  Result<Undo> add(const std::shared_ptr<const Mapping>& mapping, const ParsedDocument& document,
                   std::string_view id, uint64_t hash, std::string_view source,
                   const DocVersion& version, const PendingDelete* older);
  Undo remove(std::string_view id, uint64_t hash, const DocVersion& version, int64_t now_ms,
              const PendingDelete* older);
  /// Operations must be undone in reverse order.
  void undo(const Undo& step);
  /// Records that operations up to `seq_no`, logged at `position` or later, are in this memtable.
  void cover(uint64_t seq_no, uint64_t position);

  const IdMap& ids() const { return ids_; }
  std::string_view source(uint32_t slot) const { return builder_.source(slot); }
  std::string_view routing(uint32_t slot) const;
  std::span<const float> vector(uint32_t field, uint32_t slot) const {
    return builder_.vector(field, slot);
  }
  const std::vector<PendingDelete>& older() const { return older_; }

  bool empty() const { return ids_.entries().empty(); }
  /// Nested documents included.
  uint32_t live_count() const { return live_count_; }
  /// The number of documents ever added, including nested and replaced ones.
  uint32_t slots() const { return builder_.size(); }
  /// The segment image of the live documents; live_count() must be > 0.
  Result<SegmentImage> build() const;

  uint64_t uid() const { return uid_; }
  uint64_t max_seq_no() const { return max_seq_no_; }
  uint64_t first_position() const { return first_position_; }
  size_t memory_bytes() const;
  /// Upper estimate of the disk space of its segment: the sources once, and their terms again with
  /// positions (together 3.2 times the sources when no word repeats); vectors that are not part of
  /// a source, and their codes.
  uint64_t disk_bytes() const { return 4 * source_bytes_ + 2 * vector_bytes_; }

 private:
  void set_live(uint32_t slot, bool live);
  IdState set_state(std::string_view id, uint64_t hash, const IdState& state,
                    const PendingDelete* older);

  const uint64_t uid_;
  std::shared_ptr<const Mapping> mapping_;  // keeps the analyzers of the builder's fields alive
  SegmentBuilder builder_;
  std::vector<uint64_t> live_;
  uint32_t live_count_ = 0;
  IdMap ids_;
  std::vector<PendingDelete> older_;
  std::unordered_map<uint32_t, std::string> routings_;
  uint64_t source_bytes_ = 0;
  uint64_t vector_bytes_ = 0;  // vectors of embedded strings
  uint64_t max_seq_no_ = 0;
  uint64_t first_position_ = kNoPosition;
};

}  // namespace quarry
