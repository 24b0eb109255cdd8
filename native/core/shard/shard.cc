#include "shard/shard.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "query/fetch/companion_vectors.h"
#include "shard/routing_field.h"
#include "vector/vector_writer.h"

namespace quarry {
namespace {

/// Generations are unique across restarts, so that a fetch never refers to a snapshot of another
/// process.
uint64_t first_generation(const Clock& clock) {
  return static_cast<uint64_t>(clock.wall_ms()) << 16;
}

/// The least memory at which a shard is flushed, whatever its size on disk.
constexpr uint64_t kSmallFlushBytes = uint64_t{16} << 20;

}  // namespace

Shard::Shard(const NodeServices& node, IndexState& index, uint32_t index_number, uint32_t number,
             std::string dir)
    : node_(node),
      index_(index),
      index_number_(index_number),
      number_(number),
      segment_files_(*node.files, std::move(dir)) {
  active_ = std::make_unique<Memtable>(next_uid_++);
  current_ = make_snapshot(first_generation(*node.clock), {});
  view_ = current_;
  flush_from_.store(std::min(node_.memtable_bytes, kSmallFlushBytes));
}

Shard::~Shard() {
  node_.owed_bytes->fetch_sub(owed_bytes_.load());
  if (!held_.empty()) node_.held_bytes->fetch_sub(held_.heap_bytes());
}

Status Shard::load(bool must_have_manifest) {
  const std::string path = segment_files_.dir() + "/MANIFEST";
  Result<std::vector<uint8_t>> bytes = node_.files->read(path);
  if (!bytes.ok()) {
    if (node_.files->exists(path)) return bytes.status();
    if (must_have_manifest) {
      static_cast<void>(note_damage({ErrorType::kCorrupt, "[" + path + "] is missing"}));
    }
    return {};
  }
  Result<Manifest> manifest = decode_manifest(*bytes);
  if (!manifest.ok()) {
    static_cast<void>(
        note_damage({ErrorType::kCorrupt, "[" + path + "]: " + manifest.status().reason()}));
    return {};
  }
  on_disk_ = std::move(manifest).value();
  flushed_below_ = on_disk_.covered;
  refreshed_below_ = on_disk_.covered;
  next_file_number_ = on_disk_.next_file_number;
  for (const ManifestSegment& segment : on_disk_.segments) {
    listed_.push_back({segment.file_number, segment.bytes, segment.docs, segment.live_count, true,
                       segment.vectors});
  }
  return {};
}

Status Shard::damage() const {
  if (!damaged()) return {};
  const std::lock_guard lock(damage_mutex_);
  return damage_;
}

/// Stores the first damage and adds a warning. Other failures are returned unchanged, as they may
/// be temporary.
Status Shard::note_damage(const Status& status) {
  if (status.type() != ErrorType::kCorrupt) return status;
  {
    const std::lock_guard lock(damage_mutex_);
    if (!damage_.ok()) return damage_;
    damage_ = status;
    damaged_.store(true, std::memory_order_release);
  }
  const std::lock_guard lock(write_mutex_);
  warnings_.push_back("shard [" + std::to_string(number_) +
                      "] is damaged and out of use, its requests are refused: " + status.reason());
  has_warnings_.store(true);
  return status;
}

/// Verifies and maps the segments at the first use. Damage is final; other failures, such as a lack
/// of file descriptors or a disk that does not respond, are retried by the next call.
Status Shard::ensure_open() {
  if (damaged()) return damage();
  if (is_open_.load(std::memory_order_acquire)) return {};
  const std::lock_guard lock(open_mutex_);
  if (damaged()) return damage();
  if (is_open_.load(std::memory_order_relaxed)) return {};
  QUARRY_RETURN_IF_ERROR(note_damage(open_segments()));
  is_open_.store(true, std::memory_order_release);
  return {};
}

/// Maps the segments that the manifest lists. Changes nothing unless all of them can be opened.
Status Shard::open_segments() {
  std::vector<SegmentEntry> entries;
  std::vector<uint64_t> numbers;
  for (const ManifestSegment& listed : on_disk_.segments) {
    QUARRY_ASSIGN_OR_RETURN(std::shared_ptr<const Segment> segment,
                            segment_files_.open(listed.file_number));
    if (segment->max_doc() != listed.docs) {
      return {ErrorType::kCorrupt, "segment [" + std::to_string(listed.file_number) +
                                       "] of shard [" + segment_files_.dir() +
                                       "] is not the one of the manifest"};
    }
    entries.push_back(
        {std::move(segment), listed.live, listed.live_count, next_uid_++, listed.file_number});
    numbers.push_back(listed.file_number);
  }
  // Files left by a flush or merge that a crash interrupted; harmless if they cannot be removed
  // now.
  static_cast<void>(segment_files_.remove_others(numbers));
  for (const auto& [id, tombstone] : on_disk_.tombstones) tombstones_.set(id, tombstone);
  on_disk_ = Manifest();
  const std::lock_guard publish_lock(publish_mutex_);
  publish(std::move(entries), false);
  return {};
}

Result<std::shared_ptr<const ShardSnapshot>> Shard::snapshot() {
  QUARRY_RETURN_IF_ERROR(ensure_open());
  const std::lock_guard lock(view_mutex_);
  return view_;
}

Result<std::shared_ptr<const ShardSnapshot>> Shard::snapshot(uint64_t generation) {
  QUARRY_RETURN_IF_ERROR(ensure_open());
  const std::lock_guard lock(view_mutex_);
  if (view_->view.generation == generation) return view_;
  if (auto found = replaced_.find(generation)) return found;
  if (auto found = held_.find(generation)) return found;
  return Status(ErrorType::kSnapshotGone,
                "No search context found for id [" + std::to_string(generation) + "]");
}

Result<uint64_t> Shard::acquire_snapshot() {
  QUARRY_RETURN_IF_ERROR(ensure_open());
  const std::lock_guard lock(view_mutex_);
  const uint64_t added = held_.added_bytes(*view_);
  const uint64_t limit = node_.held_bytes_limit;
  if (node_.held_bytes->fetch_add(added) + added > limit) {
    node_.held_bytes->fetch_sub(added);
    return Status(ErrorType::kCircuitBreaking,
                  "open scrolls and points in time would hold more than [" + std::to_string(limit) +
                      "] bytes of memory (search.held_bytes), close some of them");
  }
  held_.add(view_);
  holding_.store(true);
  return view_->view.generation;
}

void Shard::release_snapshot(uint64_t generation) {
  const std::lock_guard lock(view_mutex_);
  const uint64_t before = held_.heap_bytes();
  held_.release(generation);
  node_.held_bytes->fetch_sub(before - held_.heap_bytes());
  holding_.store(!held_.empty());
}

void Shard::prune() {
  const std::lock_guard lock(view_mutex_);
  replaced_.prune(node_.clock->steady_ns());
}

Shard::Located Shard::locate(std::string_view id, uint64_t hash) const {
  Located found;
  found.hash = hash;
  const auto in_memtable = [&](const Memtable* memtable, Located::Place place) {
    const IdMap::Entry* entry = memtable == nullptr ? nullptr : memtable->ids().find(id, hash);
    if (entry == nullptr || entry->state.kind == IdState::Kind::kAbsent) return false;
    const bool deleted = entry->state.kind == IdState::Kind::kDeleted;
    found.current = {true, deleted, entry->state.version};
    if (!deleted) {
      found.place = place;
      found.doc = entry->state.slot;
    }
    return true;
  };
  if (in_memtable(active_.get(), Located::Place::kActive)) return found;
  if (in_memtable(frozen_.get(), Located::Place::kFrozen)) return found;
  if (const auto place = find_live(current_->entries, id, hash)) {
    const DocVersion version = current_->entries[place->entry].segment->ids().version(place->doc);
    return {Located::Place::kSegment, place->doc, place->entry, hash, {true, false, version}};
  }
  if (const Tombstone* tombstone = tombstones_.find(id, node_.clock->wall_ms())) {
    found.current = {true, true, tombstone->version};
  }
  return found;
}

/// The caller holds write_mutex_, or `at` is in a segment of a snapshot that the caller holds.
Status Shard::read_document(const Located& at, StoredDocument& out) const {
  out.version = at.current.version;
  if (at.place == Located::Place::kSegment) {
    const Segment& segment = *current_->entries[at.entry].segment;
    out.routing = routing_of(segment, at.doc);
    return segment.stored().get(at.doc, out.source);
  }
  const Memtable& memtable = at.place == Located::Place::kActive ? *active_ : *frozen_;
  out.source = memtable.source(at.doc);
  out.routing = memtable.routing(at.doc);
  return {};
}

Result<std::optional<StoredDocument>> Shard::get(std::string_view id, bool realtime,
                                                 std::span<const Field* const> companions) {
  QUARRY_RETURN_IF_ERROR(ensure_open());
  counters_.add(Total::kGets);
  const uint64_t hash = hash64(id);
  StoredDocument document;
  std::shared_ptr<const ShardSnapshot> held;
  bool absent = false;
  if (realtime) {
    const std::lock_guard lock(write_mutex_);
    const Located at = locate(id, hash);
    if (at.current.exists() && at.place != Located::Place::kSegment) {
      QUARRY_RETURN_IF_ERROR(read_document(at, document));
      const Memtable& memtable = at.place == Located::Place::kActive ? *active_ : *frozen_;
      for (const Field* field : companions) {
        document.vectors.push_back(unit_vector(memtable.vector(field->id, at.doc)));
      }
      return std::optional(std::move(document));
    }
    held = current_;
    absent = !at.current.exists();
  } else {
    QUARRY_ASSIGN_OR_RETURN(held, snapshot());
  }
  const auto place = absent ? std::nullopt : find_live(held->entries, id, hash);
  if (!place) {
    QUARRY_RETURN_IF_ERROR(verify_read(held->entries));
    counters_.add(Total::kGetsMissing);
    return std::optional<StoredDocument>();
  }
  const Segment& segment = *held->entries[place->entry].segment;
  document.version = segment.ids().version(place->doc);
  document.routing = routing_of(segment, place->doc);
  const Status read = segment.stored().get(place->doc, document.source);
  for (const Field* field : companions) {
    const std::span<const float> vector = companion_vector(segment, *field, place->doc);
    document.vectors.emplace_back(vector.begin(), vector.end());
  }
  QUARRY_RETURN_IF_ERROR(verify_read(held->entries));
  QUARRY_RETURN_IF_ERROR(read);
  return std::optional(std::move(document));
}

/// The caller holds write_mutex_. To be called after every change of memtables or of unflushed_.
void Shard::update_marks() {
  uint64_t position = std::min(active_->first_position(), replay_from_.load());
  uint64_t heap = active_->memory_bytes();
  uint64_t owed = active_->disk_bytes();
  if (frozen_ != nullptr) {
    position = std::min(position, frozen_->first_position());
    heap += frozen_->memory_bytes();
    owed += frozen_->disk_bytes();
  }
  for (const Unflushed& item : unflushed_) position = std::min(position, item.position);
  uint64_t on_disk = 0;
  for (const SegmentEntry& entry : current_->entries) {
    if (entry.on_disk()) {
      on_disk += entry.segment->bytes();
      continue;
    }
    heap += entry.segment->bytes();
    owed += entry.segment->bytes();
  }
  first_unflushed_.store(position);
  unflushed_bytes_.store(heap);
  flush_from_.store(std::min(node_.memtable_bytes, std::max(kSmallFlushBytes, on_disk)));
  // Unsigned arithmetic: the difference may be negative, the sum is not.
  node_.owed_bytes->fetch_add(owed - owed_bytes_.exchange(owed));
  dirty_.store(frozen_ != nullptr || !active_->empty());
}

}  // namespace quarry
