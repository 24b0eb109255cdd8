#include "shard/snapshot.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "base/map_faults.h"

namespace quarry {

namespace {

/// The roots among the live documents.
SegmentView view_of(const SegmentEntry& entry, uint32_t base) {
  const NestedDocs* nested = entry.segment->nested();
  if (nested == nullptr) return {entry.segment, entry.live, entry.live_count, base};
  if (entry.live == nullptr) {
    std::shared_ptr<const Bitset> roots(entry.segment, &nested->roots());
    return {entry.segment, std::move(roots), nested->root_count(), base};
  }
  auto live = std::make_shared<Bitset>(*entry.live);
  live->intersect(nested->roots());
  const uint32_t count = live->count();
  return {entry.segment, std::move(live), count, base};
}

}  // namespace

std::shared_ptr<const ShardSnapshot> make_snapshot(uint64_t generation,
                                                   std::vector<SegmentEntry> entries) {
  std::erase_if(entries, [](const SegmentEntry& entry) { return entry.live_count == 0; });
  auto snapshot = std::make_shared<ShardSnapshot>();
  snapshot->view.generation = generation;
  uint32_t base = 0;
  for (const SegmentEntry& entry : entries) {
    snapshot->view.segments.push_back(view_of(entry, base));
    base += entry.segment->max_doc();
  }
  snapshot->entries = std::move(entries);
  return snapshot;
}

std::optional<DocumentPlace> find_live(std::span<const SegmentEntry> entries, std::string_view id,
                                       uint64_t hash) {
  for (size_t i = entries.size(); i-- > 0;) {
    const auto doc = entries[i].segment->ids().find(id, hash);
    if (doc && entries[i].is_live(*doc)) return DocumentPlace{i, *doc};
  }
  return std::nullopt;
}

namespace {

/// The entry that holds the document, and the document number: by the owner's uid if that segment
/// is still in the list, otherwise by id.
std::optional<DocumentPlace> find_target(std::span<const SegmentEntry> entries,
                                         const PendingDelete& target) {
  const uint64_t hash = hash64(target.id);
  const auto owner = std::find_if(entries.begin(), entries.end(), [&](const SegmentEntry& entry) {
    return entry.uid == target.owner;
  });
  if (owner == entries.end()) return find_live(entries, target.id, hash);
  const auto index = static_cast<size_t>(owner - entries.begin());
  if (target.doc != PendingDelete::kUnknownDoc) return DocumentPlace{index, target.doc};
  const auto doc = owner->segment->ids().find(target.id, hash);
  if (!doc) return std::nullopt;
  return DocumentPlace{index, *doc};
}

}  // namespace

void apply_deletes(std::vector<SegmentEntry>& entries, std::span<const PendingDelete> deletes) {
  std::vector<std::shared_ptr<Bitset>> changed(entries.size());
  for (const PendingDelete& target : deletes) {
    const auto place = find_target(entries, target);
    if (!place) continue;
    SegmentEntry& entry = entries[place->entry];
    std::shared_ptr<Bitset>& bits = changed[place->entry];
    if (bits == nullptr) {
      bits = entry.live == nullptr ? std::make_shared<Bitset>(entry.segment->max_doc(), true)
                                   : std::make_shared<Bitset>(*entry.live);
      entry.live = bits;
    }
    if (!bits->test(place->doc)) continue;
    const NestedDocs* nested = entry.segment->nested();
    uint32_t doc = nested == nullptr ? place->doc : nested->block_begin(place->doc);
    for (; doc <= place->doc; doc++) {
      bits->clear(doc);
      entry.live_count--;
    }
  }
}

namespace {

/// Clears a document of an input, with its nested ones, in the live bits of the merged segment.
void clear_merged(const Segment& input, uint32_t doc, const Segment& merged, Bitset& live) {
  if (input.nested() != nullptr && !input.nested()->roots().test(doc)) return;
  IdBuffer buffer;
  const std::optional<uint32_t> place = merged.ids().find(input.ids().id(doc, buffer));
  if (!place) return;
  const NestedDocs* nested = merged.nested();
  uint32_t each = nested == nullptr ? *place : nested->block_begin(*place);
  for (; each <= *place; each++) live.clear(each);
}

}  // namespace

std::shared_ptr<const Bitset> carry_deletes(std::span<const SegmentEntry> inputs,
                                            std::span<const SegmentEntry> now,
                                            const Segment* sorted) {
  uint32_t size = 0;
  for (const SegmentEntry& entry : inputs) size += entry.live_count;
  auto live = std::make_shared<Bitset>(size, true);
  bool any = false;
  uint32_t merged = 0;
  for (size_t i = 0; i < inputs.size(); i++) {
    // An entry that is no longer published has lost its last document.
    const auto same = std::find_if(now.begin(), now.end(), [&](const SegmentEntry& entry) {
      return entry.uid == inputs[i].uid;
    });
    if (same != now.end() && same->live == inputs[i].live) {
      merged += inputs[i].live_count;
      continue;
    }
    for (uint32_t doc = 0; doc < inputs[i].segment->max_doc(); doc++) {
      if (!inputs[i].is_live(doc)) continue;
      if (same == now.end() || !same->is_live(doc)) {
        if (sorted == nullptr) {
          live->clear(merged);
        } else {
          clear_merged(*inputs[i].segment, doc, *sorted, *live);
        }
        any = true;
      }
      merged++;
    }
  }
  return any ? live : nullptr;
}

Status sound(std::span<const SegmentEntry> entries) {
  for (const SegmentEntry& entry : entries) QUARRY_RETURN_IF_ERROR(sound(*entry.segment));
  return {};
}

Status sound(const Segment& segment) {
  if (!segment.mapped()) return {};
  for (const Bytes file : {segment.data_bytes(), segment.sidx_bytes(), segment.ids_bytes()}) {
    if (!SectionFile::has_end(file)) return cut_map(file);
  }
  if (map_fault_count() == 0) return {};
  for (const Bytes file : {segment.data_bytes(), segment.sidx_bytes(), segment.ids_bytes()}) {
    QUARRY_RETURN_IF_ERROR(sound_map(file));
  }
  for (const SegmentField& field : segment.fields()) {
    if (field.vectors == nullptr || field.vectors->planes() == nullptr) continue;
    // The address of any byte identifies the mapping of the file with codes and graphs.
    const auto* code = field.vectors->planes()->full.base;
    QUARRY_RETURN_IF_ERROR(sound_map({code, 1}));
  }
  return {};
}

std::vector<MergeInput> merge_inputs(std::span<const SegmentEntry> entries) {
  std::vector<MergeInput> inputs;
  for (const SegmentEntry& entry : entries) {
    inputs.push_back({entry.segment.get(), entry.live.get()});
  }
  return inputs;
}

std::vector<MergeCandidate> merge_candidates(std::span<const SegmentEntry> entries) {
  std::vector<MergeCandidate> candidates;
  for (const SegmentEntry& entry : entries) {
    candidates.push_back({entry.segment->bytes(), entry.segment->max_doc(), entry.live_count,
                          entry.on_disk(), entry.segment->wants_vectors_built(),
                          !entry.segment->stored().packed()});
  }
  return candidates;
}

void SnapshotRing::add(std::shared_ptr<const ShardSnapshot> snapshot, int64_t expires_ns,
                       uint64_t heap_bytes) {
  kept_.push_back({std::move(snapshot), expires_ns, heap_bytes});
  heap_bytes_ += heap_bytes;
  // Older snapshots hold the same segments, so memory is only freed by dropping from the front.
  while (kept_.size() > kMost || (kept_.size() > 1 && heap_bytes_ > kMostHeapBytes)) drop_oldest();
}

void SnapshotRing::drop_oldest() {
  heap_bytes_ -= kept_.front().heap_bytes;
  kept_.pop_front();
}

std::shared_ptr<const ShardSnapshot> SnapshotRing::find(uint64_t generation) const {
  for (const Kept& kept : kept_) {
    if (kept.snapshot->view.generation == generation) return kept.snapshot;
  }
  return nullptr;
}

void SnapshotRing::prune(int64_t now_ns) {
  while (!kept_.empty() && kept_.front().expires_ns <= now_ns) drop_oldest();
}

}  // namespace quarry
