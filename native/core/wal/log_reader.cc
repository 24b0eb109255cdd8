#include "wal/log_reader.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/coding.h"
#include "base/map_faults.h"
#include "wal/log_bounds.h"
#include "wal/torn_tail.h"

namespace quarry {
namespace {

/// One mapped file with its header.
struct OpenFile {
  std::string path;
  WalFileHeader header;
  std::shared_ptr<ByteSource> source;

  Bytes bytes() const { return source->bytes(); }
  size_t offset(uint64_t position) const {
    return kWalHeaderBytes + static_cast<size_t>(position - header.start);
  }
  uint64_t position(size_t at) const { return header.start + (at - kWalHeaderBytes); }
};

Status corrupt_log(const std::string& path, size_t offset, std::string_view what) {
  return {ErrorType::kCorrupt, "log file [" + path + "] is damaged at offset " +
                                   std::to_string(offset) + ": " + std::string(what)};
}

/// True when nothing was ever appended to the file, because it was being created at a power cut.
bool is_unborn(Bytes bytes) {
  return bytes.size() <= kWalHeaderBytes || all_zero(bytes.subspan(kWalHeaderBytes));
}

/// `unborn`: the number of a file at the end without content; the number is used again.
Result<std::vector<OpenFile>> open_files(FileSystem& files, const std::string& dir, uint64_t node,
                                         uint32_t& unborn) {
  std::vector<OpenFile> open;
  if (!files.exists(dir)) return open;
  QUARRY_ASSIGN_OR_RETURN(std::vector<std::string> names, files.list(dir));
  std::erase_if(names, [](const std::string& name) { return !wal_file_number(name); });
  for (const std::string& name : names) {
    const auto number = wal_file_number(name);
    const std::string path = dir + "/" + name;
    QUARRY_ASSIGN_OR_RETURN(std::shared_ptr<ByteSource> source, files.map(path));
    const auto header = decode_file_header(source->bytes());
    const bool cut = header && header->bytes > source->bytes().size();
    if (!header || cut) {
      const bool last = name == names.back();
      if (last && is_unborn(source->bytes())) {
        unborn = *number;
        break;
      }
      if (cut) return corrupt_log(path, source->bytes().size(), "the file was cut off");
      return corrupt_log(path, 0, "the header is not one of a log file of this version");
    }
    if (header->number != *number)
      return corrupt_log(path, 12, "the header has another file's number");
    if (header->node != node) return corrupt_log(path, 32, "the log belongs to another node");
    open.push_back({path, *header, std::move(source)});
  }
  return open;
}

Status visit_frame(const OpenFile& file, size_t at, const FrameHeader& header,
                   const WalVisitor& visit) {
  ByteReader reader(file.bytes().subspan(at + kFrameHeaderBytes, header.length));
  WalRecord record;
  for (uint32_t i = 0; i < header.records; i++) {
    if (!decode_record(reader, record))
      return corrupt_log(file.path, at, "a record cannot be read");
    QUARRY_RETURN_IF_ERROR(visit(record, file.position(at)));
  }
  if (!reader.done()) return corrupt_log(file.path, at, "a frame is longer than its records");
  return {};
}

/// Reads frames from `at` to `limit` or to the first invalid one. Returns where it stopped.
Result<size_t> read_frames(const OpenFile& file, size_t at, size_t limit, const WalVisitor& visit) {
  FrameHeader header;
  while (at < limit) {
    const uint32_t seed = frame_seed(file.header.salt, file.position(at));
    if (!is_frame(file.bytes().subspan(at), seed, header)) break;
    QUARRY_RETURN_IF_ERROR(visit_frame(file, at, header, visit));
    at += kFrameHeaderBytes + header.length;
  }
  return at;
}

/// Whether a valid frame after `end` was appended when the log was durable beyond `end`, which
/// proves that the missing bytes had been on stable storage.
bool has_durable_successor(const OpenFile& file, size_t end) {
  const Bytes bytes = file.bytes();
  uint8_t magic[sizeof(kFrameMagic)];
  store(magic, kFrameMagic);
  FrameHeader header;
  for (size_t at = end; at + kFrameHeaderBytes <= bytes.size(); at++) {
    const auto found = std::search(bytes.begin() + static_cast<std::ptrdiff_t>(at), bytes.end(),
                                   std::begin(magic), std::end(magic));
    if (found == bytes.end()) return false;
    at = static_cast<size_t>(found - bytes.begin());
    const uint32_t seed = frame_seed(file.header.salt, file.position(at));
    if (is_frame(bytes.subspan(at), seed, header) && header.durable > file.position(end)) {
      return true;
    }
  }
  return false;
}

/// Reads the last file of the log, whose tail may be torn.
Status read_last(const OpenFile& file, const WalVisitor& visit, WalScan& scan) {
  const Bytes bytes = file.bytes();
  QUARRY_ASSIGN_OR_RETURN(const size_t end,
                          read_frames(file, kWalHeaderBytes, bytes.size(), visit));
  scan.end = file.position(end);
  const Bytes tail = bytes.subspan(end);
  if (all_zero(tail)) return {};
  if (has_durable_successor(file, end)) {
    return corrupt_log(file.path, end, "a frame that had been synced is missing or broken");
  }
  if (!may_be_torn(tail, end, frame_seed(file.header.salt, file.position(end)))) {
    return corrupt_log(file.path, end, "a frame that had been written whole is broken");
  }
  scan.torn_bytes = tail.size();
  return {};
}

/// Reads a file that has a successor, up to the start of the successor.
Status read_inner(const OpenFile& file, uint64_t next_start, const WalVisitor& visit) {
  if (next_start < file.header.start) {
    return corrupt_log(file.path, 16, "the next file starts before this one");
  }
  const size_t limit = file.offset(next_start);
  if (limit > file.bytes().size()) {
    return corrupt_log(file.path, file.bytes().size(), "the file is too short");
  }
  QUARRY_ASSIGN_OR_RETURN(const size_t end, read_frames(file, kWalHeaderBytes, limit, visit));
  if (end == limit) return {};
  return corrupt_log(file.path, end, "a frame that had been synced is missing or broken");
}

/// Checks that neither the first nor the last file is missing. A log without bounds, or with
/// damaged ones, is not checked.
Status check_ends(FileSystem& files, const std::string& dir, const std::vector<OpenFile>& open) {
  const Result<std::optional<WalBounds>> read = read_wal_bounds(files, dir);
  if (!read.ok() || !*read || (*read)->first > (*read)->last) return {};
  const WalBounds bounds = **read;
  for (const uint32_t number : {bounds.first, bounds.last}) {
    const std::string path = dir + "/" + wal_file_name(number);
    if (!files.exists(path)) return {ErrorType::kCorrupt, "log file [" + path + "] is missing"};
  }
  // The header was durable before the bounds named the file, so this is not a file that was being
  // created at a power cut.
  if (open.empty() || open.back().header.number < bounds.last) {
    return corrupt_log(dir + "/" + wal_file_name(bounds.last), 0,
                       "the header is gone, or all behind it");
  }
  return {};
}

}  // namespace

Result<WalScan> scan_wal(FileSystem& files, const std::string& dir, uint64_t node,
                         const WalVisitor& visit) {
  WalScan scan;
  uint32_t unborn = 0;
  QUARRY_ASSIGN_OR_RETURN(const std::vector<OpenFile> open, open_files(files, dir, node, unborn));
  QUARRY_RETURN_IF_ERROR(check_ends(files, dir, open));
  for (size_t i = 0; i < open.size(); i++) {
    const OpenFile& file = open[i];
    const bool last = i + 1 == open.size();
    if (!last) scan.end = open[i + 1].header.start;
    const Status read = last ? read_last(file, visit, scan) : read_inner(file, scan.end, visit);
    // Zeros read in place of unreadable pages would look like a torn tail.
    QUARRY_RETURN_IF_ERROR(sound_map(file.bytes()));
    QUARRY_RETURN_IF_ERROR(read);
    scan.files.push_back({file.header.number, file.header.start, scan.end, file.bytes().size()});
    scan.sources.push_back(file.source);
    scan.next_number = file.header.number + 1;
  }
  // A file with a smaller number would precede it and could not be without content.
  scan.next_number = std::max(scan.next_number, unborn);
  return scan;
}

}  // namespace quarry
