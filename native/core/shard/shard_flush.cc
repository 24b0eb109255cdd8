// Checkpoints: segments from memory to disk, and the manifest that says so.
#include <algorithm>
#include <utility>

#include "base/kill_point.h"
#include "base/page_cache.h"
#include "segment/segment_merger.h"
#include "shard/shard.h"

namespace quarry {
namespace {

size_t first_in_memory(std::span<const SegmentEntry> entries) {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [](const SegmentEntry& entry) { return !entry.on_disk(); });
  return static_cast<size_t>(found - entries.begin());
}

}  // namespace

Status Shard::flush() {
  QUARRY_RETURN_IF_ERROR(ensure_open());
  if (needs_recovery_.load()) {
    return {ErrorType::kNotReady, "shard [" + std::to_string(number_) + "] is recovering"};
  }
  const std::lock_guard lock(flush_mutex_);
  return flush_now();
}

/// Under flush_mutex_.
Status Shard::flush_now() {
  const uint64_t before = unflushed_bytes_.load();
  QUARRY_RETURN_IF_ERROR(write_checkpoint());
  if (before >= kWorthReleasing) release_free_heap();
  return {};
}

Status Shard::write_checkpoint() {
  if (stopping_.load()) return {ErrorType::kStore, "the index is closed"};
  std::vector<SegmentEntry> entries;
  uint64_t covered = 0;
  {
    const std::lock_guard lock(publish_mutex_);
    // The second round is for a memtable that an earlier refresh left frozen.
    for (int round = 0; round < 2; round++) QUARRY_RETURN_IF_ERROR(refresh_once().status());
    const std::lock_guard write_lock(write_mutex_);
    if (unflushed_.empty()) return {};
    entries = current_->entries;
    covered = refreshed_below_;
  }
  QUARRY_KILL_POINT(*node_.files, "checkpoint begun");
  const std::span<const SegmentEntry> memory =
      std::span(entries).subspan(first_in_memory(entries));
  if (!memory.empty()) QUARRY_RETURN_IF_ERROR(flush_memory(memory));
  QUARRY_RETURN_IF_ERROR(write_manifest(covered));
  counters_.add(Total::kFlushes);
  const std::lock_guard write_lock(write_mutex_);
  std::erase_if(unflushed_, [covered](const Unflushed& item) { return item.below <= covered; });
  update_marks();
  return {};
}

Status Shard::flush_memory(std::span<const SegmentEntry> entries) {
  // Codes and graphs of vectors come later, with the merge that wants_merge() asks for: a flush bounds memory and the
  // log, sometimes on a writer's own thread, and must not take as long as a graph does.
  AbortFlag work(stopping_);
  const auto charge = [this](uint64_t bytes) {
    if (node_.pace != nullptr) node_.pace->charge(bytes);
  };
  QUARRY_ASSIGN_OR_RETURN(SegmentEntry written, write_segment(entries, VectorEffort::kRows, work, charge));
  const std::lock_guard lock(publish_mutex_);
  replace(entries, std::move(written));
  return {};
}

/// One segment on disk with the live documents of all inputs. A single whole segment in memory is written as it is.
/// `wrote` learns of the bytes as they go to the disk.
Result<SegmentEntry> Shard::write_segment(std::span<const SegmentEntry> inputs, VectorEffort effort,
                                          LongWork& work, const BytesWritten& wrote) {
  SegmentEntry entry;
  entry.uid = next_uid_++;
  entry.file_number = next_file_number_++;
  const SegmentEntry& first = inputs.front();
  if (inputs.size() == 1 && first.deleted() == 0 && !first.on_disk()) {
    QUARRY_ASSIGN_OR_RETURN(entry.segment,
                            segment_files_.write(entry.file_number, *first.segment));
    wrote(first.segment->bytes());
  } else {
    const auto merge = [&](const FileMaker& make) {
      const FileMaker make_told = [&](FileKind kind) -> Result<std::unique_ptr<WritableFile>> {
        QUARRY_ASSIGN_OR_RETURN(std::unique_ptr<WritableFile> file, make(kind));
        return make_told_file(std::move(file), wrote);
      };
      const Status merged = merge_to_files(merge_inputs(inputs), effort, &work, make_told);
      QUARRY_RETURN_IF_ERROR(verify_read(inputs));
      return merged;
    };
    QUARRY_ASSIGN_OR_RETURN(entry.segment, segment_files_.write(entry.file_number, merge));
    // All of the inputs has been read; only searches that still run need some of it again.
    for (const SegmentEntry& input : inputs) {
      if (input.segment->mapped()) release_pages(input.segment->data_bytes());
    }
  }
  return entry;
}

/// Makes the published segments on disk, with their deletes, the state that a restart begins with.
/// `covered`: operations below this sequence number are all in them.
Status Shard::write_manifest(uint64_t covered) {
  const std::lock_guard manifest_lock(manifest_mutex_);
  Manifest manifest;
  manifest.covered = std::max(covered, flushed_below_.load());
  std::vector<uint64_t> garbage;
  {
    const std::lock_guard lock(write_mutex_);
    for (const SegmentEntry& entry : current_->entries) {
      if (!entry.on_disk()) continue;
      manifest.segments.push_back({entry.file_number, entry.segment->bytes(),
                                   entry.segment->max_doc(), entry.live_count, entry.live,
                                   entry.segment->vector_usage()});
    }
    for (const auto& [id, tombstone] : tombstones_.all()) {
      manifest.tombstones.emplace_back(id, tombstone);
    }
    garbage = garbage_;
  }
  manifest.next_file_number = next_file_number_.load();
  QUARRY_RETURN_IF_ERROR(index_.save_mapping());
  // The live bits may hold deletes of operations above `covered`. These must not be durable before the
  // documents that replace the deleted ones are.
  QUARRY_RETURN_IF_ERROR(node_.log->sync().status());
  QUARRY_KILL_POINT(*node_.files, "before manifest switch");
  const std::string path = segment_files_.dir() + "/MANIFEST";
  QUARRY_RETURN_IF_ERROR(node_.files->write_atomically(path, encode_manifest(manifest)));
  QUARRY_KILL_POINT(*node_.files, "after manifest switch");
  flushed_below_.store(manifest.covered);
  remove_garbage(garbage);
  return {};
}

/// The manifest on disk names none of them any more.
void Shard::remove_garbage(const std::vector<uint64_t>& numbers) {
  for (const uint64_t number : numbers) {
    // What cannot be removed now is removed when the shard is opened again.
    static_cast<void>(segment_files_.remove(number));
  }
  QUARRY_KILL_POINT(*node_.files, "old segments deleted");
  const std::lock_guard lock(write_mutex_);
  std::erase_if(garbage_, [&numbers](uint64_t number) {
    return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
  });
}

}  // namespace quarry
