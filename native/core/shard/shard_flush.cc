// Checkpoints: write segments from memory to disk, and the manifest that lists them.
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

/// The caller holds flush_mutex_.
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
  const std::span<const SegmentEntry> memory = std::span(entries).subspan(first_in_memory(entries));
  if (!memory.empty()) QUARRY_RETURN_IF_ERROR(flush_memory(memory));
  QUARRY_RETURN_IF_ERROR(write_manifest(covered));
  counters_.add(Total::kFlushes);
  const std::lock_guard write_lock(write_mutex_);
  std::erase_if(unflushed_, [covered](const Unflushed& item) { return item.below <= covered; });
  update_marks();
  return {};
}

Status Shard::flush_memory(std::span<const SegmentEntry> entries) {
  // The codes and graphs of vectors are built later, by the merge that wants_merge() requests: a
  // flush bounds memory and the log, sometimes on the thread of a writer, and must not take as long
  // as building a graph.
  AbortFlag work(stopping_);
  const auto charge = [this](uint64_t bytes) {
    if (node_.pace != nullptr) node_.pace->charge(bytes);
  };
  QUARRY_ASSIGN_OR_RETURN(SegmentEntry written,
                          write_segment(entries, VectorEffort::kRows, work, charge));
  const std::lock_guard lock(publish_mutex_);
  replace(entries, std::move(written));
  return {};
}

/// Writes one segment with the live documents of all inputs. A single segment in memory without
/// deletes is written unchanged. `wrote` is called with the number of bytes as they are written.
Result<SegmentEntry> Shard::write_segment(std::span<const SegmentEntry> inputs, VectorEffort effort,
                                          LongWork& work, const BytesWritten& wrote) {
  SegmentEntry entry;
  entry.uid = next_uid_++;
  entry.file_number = next_file_number_++;
  const SegmentEntry& first = inputs.front();
  if (inputs.size() == 1 && first.deleted() == 0 && !first.on_disk()) {
    QUARRY_ASSIGN_OR_RETURN(entry.segment, segment_files_.write(entry.file_number, *first.segment));
    wrote(first.segment->bytes());
  } else {
    const auto merge = [&](const FileMaker& make) {
      const FileMaker make_reporting = [&](FileKind kind) -> Result<std::unique_ptr<WritableFile>> {
        QUARRY_ASSIGN_OR_RETURN(std::unique_ptr<WritableFile> file, make(kind));
        return make_reporting_file(std::move(file), wrote);
      };
      const Status merged = merge_to_files(merge_inputs(inputs), effort, &work, make_reporting,
                                           index_.mapping()->context().sort);
      QUARRY_RETURN_IF_ERROR(verify_read(inputs));
      return merged;
    };
    QUARRY_ASSIGN_OR_RETURN(entry.segment, segment_files_.write(entry.file_number, merge));
    // The inputs have been read completely; only running searches still need parts of them.
    for (const SegmentEntry& input : inputs) {
      if (input.segment->mapped()) release_pages(input.segment->data_bytes());
    }
  }
  return entry;
}

/// Makes the published segments on disk, with their deletes, the state of the next start.
/// `covered`: all operations below this sequence number are in them.
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
  // The live bits may contain deletes by operations above `covered`. These must not become durable
  // before the documents that replace the deleted ones.
  QUARRY_RETURN_IF_ERROR(node_.log->sync().status());
  QUARRY_KILL_POINT(*node_.files, "before manifest switch");
  const std::string path = segment_files_.dir() + "/MANIFEST";
  QUARRY_RETURN_IF_ERROR(node_.files->write_atomically(path, encode_manifest(manifest)));
  QUARRY_KILL_POINT(*node_.files, "after manifest switch");
  flushed_below_.store(manifest.covered);
  remove_garbage(garbage);
  return {};
}

/// Removes files that the manifest on disk does not name any more.
void Shard::remove_garbage(const std::vector<uint64_t>& numbers) {
  for (const uint64_t number : numbers) {
    // Files that cannot be removed now are removed when the shard is opened again.
    static_cast<void>(segment_files_.remove(number));
  }
  QUARRY_KILL_POINT(*node_.files, "old segments deleted");
  const std::lock_guard lock(write_mutex_);
  std::erase_if(garbage_, [&numbers](uint64_t number) {
    return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
  });
}

}  // namespace quarry
