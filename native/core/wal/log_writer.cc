#include "wal/log_writer.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "base/kill_point.h"
#include "base/random.h"

namespace quarry {
namespace {

/// Space is reserved in steps of this size, which costs one additional metadata write per step.
constexpr uint64_t kReserveStep = uint64_t{4} << 20;

/// A released open file of at least this size is removed although it is not full.
constexpr uint64_t kWorthReleasingLog = uint64_t{1} << 20;

}  // namespace

Result<std::unique_ptr<WalWriter>> WalWriter::start(const WalOptions& options,
                                                    const WalScan& scan) {
  QUARRY_RETURN_IF_ERROR(options.files->create_dirs(options.dir));
  const size_t slash = options.dir.rfind('/');
  if (slash != std::string::npos) {
    QUARRY_RETURN_IF_ERROR(options.files->sync_dir(options.dir.substr(0, slash)));
  }
  auto writer = std::make_unique<WalWriter>(options);
  writer->files_ = scan.files;
  writer->next_number_ = scan.next_number;
  writer->position_ = scan.end;
  writer->durable_ = scan.end;
  writer->released_ = scan.files.empty() ? scan.end : scan.files.front().start;
  if (!scan.files.empty()) {
    writer->bounds_ = {scan.files.front().number, scan.files.back().number};
  }
  // Data that a killed process left unsynced was read as valid, and the next file continues after
  // it.
  if (!scan.files.empty()) {
    QUARRY_RETURN_IF_ERROR(options.files->sync_file(writer->path(scan.files.back().number)));
  }
  return writer;
}

Status WalWriter::fail(const Status& cause) {
  const std::lock_guard lock(failure_mutex_);
  if (failure_.ok()) {
    failure_ = Status(ErrorType::kStore,
                      "the log cannot be written any more, restart the service: " + cause.reason());
  }
  return failure_;
}

Status WalWriter::state() const {
  {
    const std::lock_guard lock(failure_mutex_);
    if (!failure_.ok()) return failure_;
  }
  return options_.space->admit(0, owed());
}

uint64_t WalWriter::unreleased() const {
  const uint64_t released = released_.load(std::memory_order_acquire);
  const uint64_t position = position_.load(std::memory_order_acquire);
  return position > released ? position - released : 0;
}

WalWriter::Usage WalWriter::usage() const {
  const std::lock_guard lock(append_mutex_);
  Usage usage{files_.size(), 0};
  for (const WalFileRange& file : files_) usage.bytes += file.bytes;
  return usage;
}

Result<uint64_t> WalWriter::append(WalFrame& frame, bool urgent) {
  frame.finish();
  const std::lock_guard lock(append_mutex_);
  {
    const std::lock_guard failure_lock(failure_mutex_);
    if (!failure_.ok()) return failure_;
  }
  QUARRY_RETURN_IF_ERROR(make_room(frame.size(), urgent));
  const uint64_t position = position_.load(std::memory_order_relaxed);
  const Bytes bytes =
      frame.seal(frame_seed(header_.salt, position), durable_.load(std::memory_order_acquire));
  if (Status status = file_->append(bytes); !status.ok()) return fail(status);
  const uint64_t end = position + bytes.size();
  files_.back().end = end;
  files_.back().bytes = std::max(reserved_, file_->size());
  position_.store(end, std::memory_order_release);
  return end;
}

/// Ensures that the open file has `bytes` reserved after its last frame.
Status WalWriter::make_room(uint64_t bytes, bool urgent) {
  if (!urgent) QUARRY_RETURN_IF_ERROR(options_.space->admit(bytes, owed()));
  const bool full = file_ != nullptr && file_->size() > kWalHeaderBytes &&
                    file_->size() + bytes > options_.file_bytes;
  if (full) {
    QUARRY_RETURN_IF_ERROR(close_file());
    QUARRY_KILL_POINT(*options_.files, "log rotation");
  }
  if (file_ == nullptr) QUARRY_RETURN_IF_ERROR(open_file());
  return reserve(file_->size() + bytes);
}

Status WalWriter::reserve(uint64_t bytes) {
  if (bytes <= reserved_) return {};
  const uint64_t steps = (bytes + kReserveStep - 1) / kReserveStep * kReserveStep;
  const uint64_t wanted = std::max(bytes, std::min(steps, options_.file_bytes));
  Status status = file_->reserve(wanted);
  uint64_t got = wanted;
  if (!status.ok() && wanted > bytes) {
    status = file_->reserve(bytes);
    got = bytes;
  }
  if (status.ok()) reserved_ = got;
  return status;
}

Status WalWriter::open_file() {
  const uint64_t salt = hash64(random_uuid());
  WalFileHeader header{next_number_, position_.load(std::memory_order_relaxed), salt,
                       options_.node};
  const std::string name = path(header.number);
  if (Status status = create_file(header, name); !status.ok()) {
    file_ = nullptr;
    // The file contains no frame, so it may remain; the next attempt truncates it.
    static_cast<void>(options_.files->remove(name));
    return status;
  }
  header_ = header;
  next_number_++;
  files_.push_back({header.number, header.start, header.start, reserved_});
  Status noted = note_last();
  if (!noted.ok()) file_ = nullptr;
  return noted;
}

Status WalWriter::create_file(WalFileHeader& header, const std::string& name) {
  QUARRY_ASSIGN_OR_RETURN(file_, options_.files->create(name));
  reserved_ = 0;
  QUARRY_RETURN_IF_ERROR(reserve(kWalHeaderBytes));
  // Not every file system supports reserving.
  const Result<uint64_t> size = options_.files->file_size(name);
  header.bytes = size.ok() && *size >= reserved_ ? static_cast<uint32_t>(reserved_) : 0;
  Status status = file_->append(encode_file_header(header));
  if (status.ok()) status = file_->sync();
  if (status.ok()) status = options_.files->sync_dir(options_.dir);
  return status.type() == ErrorType::kStore ? fail(status) : status;
}

/// Records the new file, which has no frame yet, in the bounds, so that its loss is detected. The
/// file is kept when this fails, as the bounds may have been written.
Status WalWriter::note_last() {
  const std::lock_guard lock(bounds_mutex_);
  bounds_ = {std::max(bounds_.first, files_.front().number), files_.back().number};
  return write_wal_bounds(*options_.files, options_.dir, bounds_);
}

/// The next file starts where this one ends, so all of it must be durable first.
Status WalWriter::close_file() {
  QUARRY_RETURN_IF_ERROR(sync_file(file_, position_.load(std::memory_order_relaxed)));
  Status status = file_->close();
  file_ = nullptr;
  return status.ok() ? status : fail(status);
}

Status WalWriter::sync_file(const std::shared_ptr<WritableFile>& file, uint64_t position) {
  const std::lock_guard lock(sync_mutex_);
  if (durable_.load(std::memory_order_acquire) >= position) return {};
  {
    const std::lock_guard failure_lock(failure_mutex_);
    if (!failure_.ok()) return failure_;
  }
  if (Status status = file->sync(); !status.ok()) return fail(status);
  syncs_.fetch_add(1, std::memory_order_relaxed);
  durable_.store(position, std::memory_order_release);
  return {};
}

Result<WalDurable> WalWriter::sync() {
  std::shared_ptr<WritableFile> file;
  uint64_t position = 0;
  {
    const std::lock_guard lock(append_mutex_);
    file = file_;
    position = position_.load(std::memory_order_relaxed);
  }
  QUARRY_RETURN_IF_ERROR(sync_file(file, position));
  return WalDurable{durable_.load(std::memory_order_acquire), syncs()};
}

Status WalWriter::release(uint64_t position, bool all) {
  uint32_t kept = 0;  // the first file that is kept
  {
    const std::lock_guard lock(append_mutex_);
    const uint64_t end = position_.load(std::memory_order_relaxed);
    const uint64_t below = std::min(position, end);
    if (below > released_.load(std::memory_order_relaxed)) {
      released_.store(below, std::memory_order_release);
    }
    const bool worth = file_ != nullptr && (all || file_->size() >= kWorthReleasingLog);
    if (worth && below == end) abandon_file();
    const size_t most = files_.size() - (file_ == nullptr ? 0 : 1);
    size_t count = 0;
    while (count < most && files_[count].end <= below) count++;
    if (count == 0) return {};
    kept = count < files_.size() ? files_[count].number : next_number_;
  }
  // Written before the files are removed: a missing file within the bounds is damage.
  QUARRY_RETURN_IF_ERROR(release_below(kept));
  {
    const std::lock_guard lock(append_mutex_);
    const size_t before = files_.size();
    while (!files_.empty() && files_.front().number < kept) {
      // Synced before the next file is removed, because a power cut must not leave a gap in the
      // log.
      if (files_.size() < before) QUARRY_RETURN_IF_ERROR(options_.files->sync_dir(options_.dir));
      QUARRY_RETURN_IF_ERROR(options_.files->remove(path(files_.front().number)));
      files_.erase(files_.begin());
    }
  }
  return options_.files->sync_dir(options_.dir);
}

Status WalWriter::release_below(uint32_t kept) {
  const std::lock_guard lock(bounds_mutex_);
  bounds_.first = std::max(bounds_.first, kept);
  return write_wal_bounds(*options_.files, options_.dir, bounds_);
}

/// Checkpoints cover all of the open file, so everything appended counts as durable for waiting
/// callers.
void WalWriter::abandon_file() {
  const std::lock_guard lock(sync_mutex_);
  durable_.store(position_.load(std::memory_order_relaxed), std::memory_order_release);
  static_cast<void>(file_->close());  // its content is not needed any more
  file_ = nullptr;
}

}  // namespace quarry
