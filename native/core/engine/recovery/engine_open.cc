// Start and end of the engine: the lock, the folders, the scan of the log, recovery shard by shard,
// the last checkpoint.
#include <charconv>
#include <utility>

#include "base/hash.h"
#include "base/map_faults.h"
#include "engine/engine_impl.h"
#include "query/plan/clause_limit.h"
#include "wal/log_reader.h"

namespace quarry {
namespace {

constexpr int64_t kNanosPerMillisecond = 1000000;

bool is_number(std::string_view name) {
  return !name.empty() && name.find_first_not_of("0123456789") == std::string_view::npos;
}

std::string parent_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return path == "." ? "" : ".";
  return slash == 0 ? (path.size() > 1 ? "/" : "") : path.substr(0, slash);
}

/// Creates the folder. While it is empty, it and all folders above it are made durable, so that a
/// power cut cannot remove it as a whole.
Status make_data_folder(FileSystem& files, const std::string& dir) {
  QUARRY_RETURN_IF_ERROR(files.create_dirs(dir));
  if (files.exists(dir + "/NODE")) return {};
  for (std::string above = parent_of(dir); !above.empty(); above = parent_of(above)) {
    const Status synced = files.sync_dir(above);
    // A folder that cannot be listed was not created here, so it is durable already.
    if (!synced.ok() && files.list(above).ok()) return synced;
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<Engine>> Engine::open(const EngineOptions& options) {
  set_max_clauses(options.max_clauses);
  auto engine = std::make_unique<EngineImpl>(options);
  QUARRY_RETURN_IF_ERROR(engine->start());
  return std::unique_ptr<Engine>(std::move(engine));
}

EngineImpl::EngineImpl(const EngineOptions& options)
    : options_(options),
      files_(*options.file_system),
      pace_(*options.clock, options.pause, options.merge_bytes_per_sec, options.busy_searches),
      filters_(static_cast<size_t>(options.filter_cache_bytes)),
      ids_(*options.clock),
      indices_(*options.clock,
               [this](uint32_t number) { return Index::load(node_, index_dir(number)); }) {}

EngineImpl::~EngineImpl() = default;

Status EngineImpl::start() {
  FileSystem& files = files_;
  QUARRY_RETURN_IF_ERROR(make_data_folder(*options_.file_system, options_.data_dir));
  QUARRY_RETURN_IF_ERROR(files.create_dirs(indices_dir()));
  const std::string lock_path = options_.data_dir + "/node.lock";
  Result<std::shared_ptr<void>> lock = files.lock(lock_path);
  if (!lock.ok()) {
    return {ErrorType::kStore,
            "the data folder [" + options_.data_dir +
                "] is in use by another process, or cannot be locked: " + lock.status().reason()};
  }
  lock_ = *lock;
  QUARRY_ASSIGN_OR_RETURN(identity_, NodeIdentity::open(files, options_.data_dir));
  // The names of the new files must survive a power cut, or the log would not match any identity.
  QUARRY_RETURN_IF_ERROR(files.sync_dir(options_.data_dir));
  space_ = std::make_unique<DiskSpace>(files, options_.data_dir, options_.disk_reserve_bytes);
  node_.files = &files;
  node_.clock = options_.clock;
  node_.embedders = &embedders_;
  node_.mappings = &mappings_;
  node_.space = space_.get();
  node_.pace = &pace_;
  node_.owed_bytes = &owed_bytes_;
  node_.held_bytes = &held_bytes_;
  node_.held_bytes_limit = options_.held_bytes;
  node_.memtable_bytes = options_.memtable_flush_bytes;
  node_.snapshot_retention_ns = int64_t{options_.snapshot_retention_ms} * kNanosPerMillisecond;
  if (!identity_.damage().ok()) {
    indices_.add_news(identity_.damage().reason() + "; its copy was used, and replaced it");
  }
  QUARRY_RETURN_IF_ERROR(rename_as_recorded());
  QUARRY_RETURN_IF_ERROR(load_indices());
  change_as_recorded();
  return scan_log();
}

Status EngineImpl::load_indices() {
  FileSystem& files = files_;
  // A killed process may have created or dropped an index without syncing the folder.
  QUARRY_RETURN_IF_ERROR(files.sync_dir(indices_dir()));
  QUARRY_ASSIGN_OR_RETURN(const std::vector<std::string> names, files.list(indices_dir()));
  for (const std::string& name : names) {
    const std::string path = indices_dir() + "/" + name;
    if (!is_number(name)) {
      // Left over from an index that was being created or dropped when the process ended.
      QUARRY_RETURN_IF_ERROR(files.remove_tree(path));
      continue;
    }
    load_index(path, name);
  }
  return {};
}

/// An index that cannot be read is out of service and does not affect the others.
void EngineImpl::load_index(const std::string& path, const std::string& name) {
  FileSystem& files = files_;
  uint32_t number = 0;
  const auto read = std::from_chars(name.data(), name.data() + name.size(), number);
  if (read.ec != std::errc() || std::to_string(number) != name) {
    indices_.add_news("[" + path + "] is no folder of an index and is left alone");
    return;
  }
  Result<IndexMeta> meta = read_index_meta(files, path);
  if (meta.ok() && meta->number != number) {
    meta = Status(ErrorType::kCorrupt, "[" + path + "/META] is that of index number [" +
                                           std::to_string(meta->number) + "]");
  }
  const Status status = meta.status();
  const IndexMeta known =
      meta.ok() ? std::move(meta).value() : guess_index_meta(files, path, number);
  indices_.put_closed(summarise_index(files, path, known, covered_[number]));
  if (!status.ok()) {
    indices_.put_out_of_service(number, status, IndexTable::kNothingHeld);
  } else if (!known.damage.ok()) {
    indices_.add_news(known.damage.reason() + "; its copy is used, and replaces it");
    static_cast<void>(restore_index_meta(files, path));
  }
}

Status EngineImpl::scan_log() {
  const std::string dir = options_.data_dir + "/wal";
  const uint64_t node = hash64(identity_.uuid());
  Result<WalScan> scan = scan_wal(
      files_, dir, node,
      [this](const WalRecord& record, uint64_t position) { return note_record(record, position); });
  if (!scan.ok()) return scan.status();
  if (!scan->files.empty()) QUARRY_RETURN_IF_ERROR(settle_names());
  covered_.clear();
  const WalOptions wal{&files_, dir, node, options_.wal_file_bytes, space_.get(), &owed_bytes_};
  QUARRY_ASSIGN_OR_RETURN(log_, WalWriter::start(wal, *scan));
  node_.log = log_.get();
  if (!needs_recovery().empty()) replayed_files_ = std::move(scan->sources);
  // If this fails, the next release removes the files.
  static_cast<void>(release_log(false));
  return {};
}

/// A killed process may have renamed files without syncing their folders. This start sees the
/// renamed files and relies on them, for example by removing log records that a manifest covers.
/// The folders are therefore synced, so that a power cut cannot undo the renames.
Status EngineImpl::settle_names() {
  for (const auto& [number, shards] : covered_) {
    if (!indices_.out_of_service(number).ok()) continue;  // its records stay in the log
    QUARRY_RETURN_IF_ERROR(files_.sync_dir(index_dir(number)));
  }
  for (const auto& [number, shard] : relied_on_) {
    if (!indices_.out_of_service(number).ok()) continue;
    QUARRY_RETURN_IF_ERROR(files_.sync_dir(index_dir(number) + "/" + std::to_string(shard)));
  }
  relied_on_.clear();
  return {};
}

/// Keeps records above the checkpoint of their shard for the replay; skips records of indexes that
/// were dropped since.
Status EngineImpl::note_record(const WalRecord& record, uint64_t position) {
  const auto known = covered_.find(record.index);
  if (known == covered_.end()) return {};
  // A record that is already in segments does not open the index.
  if (record.type != WalRecordType::kMapping && record.shard < known->second.size() &&
      record.seq_no < known->second[record.shard]) {
    relied_on_.insert({record.index, record.shard});
    return {};
  }
  const Result<std::shared_ptr<Index>> found = indices_.find(record.index);
  if (!found.ok()) {
    // The index must not be opened later without these records.
    indices_.put_out_of_service(record.index, found.status(), position);
    return {};
  }
  const std::shared_ptr<Index> index = *found;
  if (index == nullptr) return {};
  if (record.type == WalRecordType::kMapping) {
    index->replay_mapping_record(record.body, position);
    return {};
  }
  if (record.shard >= index->shard_count()) return {};
  index->saw_seq_no(record.seq_no);
  Shard& shard = index->shard(record.shard);
  if (record.seq_no >= shard.covered()) shard.add_replay({record.encoded, position});
  return {};
}

std::vector<ShardId> EngineImpl::needs_recovery() {
  std::vector<ShardId> shards;
  for (const std::shared_ptr<Index>& index : indices_.open()) {
    for (uint32_t i = 0; i < index->shard_count(); i++) {
      if (index->shard(i).needs_recovery()) shards.push_back({index->number(), i});
    }
  }
  return shards;
}

ReplayProgress EngineImpl::replay_progress() {
  ReplayProgress sum;
  for (const std::shared_ptr<Index>& index : indices_.open()) {
    for (uint32_t i = 0; i < index->shard_count(); i++) {
      sum.done += index->shard(i).replay_done();
      sum.total += index->shard(i).replay_total();
    }
  }
  return sum;
}

Status EngineImpl::recover(ShardId id) {
  QUARRY_ASSIGN_OR_RETURN(const OpenShard open, find_shard(id));
  QUARRY_RETURN_IF_ERROR(open.shard->recover());
  const std::lock_guard lock(replay_mutex_);
  for (const std::shared_ptr<ByteSource>& source : replayed_files_) {
    QUARRY_RETURN_IF_ERROR(open.shard->put_out_of_use(sound_map(source->bytes())));
  }
  if (needs_recovery().empty()) replayed_files_.clear();
  return {};
}

Status EngineImpl::close(int64_t checkpoint_ms) {
  const int64_t started = options_.clock->steady_ns();
  const auto late = [this, started, checkpoint_ms] {
    return (options_.clock->steady_ns() - started) / kNanosPerMillisecond >= checkpoint_ms;
  };
  bool complete = true;
  Status first = finish_changes();
  const auto keep_first = [&first](Status status) {
    if (first.ok()) first = std::move(status);
  };
  for (const std::shared_ptr<Index>& index : indices_.open()) {
    if (!late()) keep_first(index->save_mapping());
    for (uint32_t i = 0; i < index->shard_count(); i++) {
      Shard& shard = index->shard(i);
      // Operations that have not been replayed stay in the log for the next start.
      const bool owes = shard.dirty() || shard.first_unflushed() != Memtable::kNoPosition;
      if (!owes || shard.needs_recovery() || shard.damaged()) continue;
      if (late()) {
        complete = false;
      } else {
        keep_first(shard.flush());
      }
    }
    index->stop();
  }
  keep_first(log_->sync().status());
  if (first.ok()) keep_first(release_log(complete));
  return first;
}

}  // namespace quarry
