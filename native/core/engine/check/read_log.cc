#include "engine/check/read_log.h"

#include <algorithm>
#include <utility>

#include "base/coding.h"
#include "wal/log_bounds.h"
#include "wal/log_file.h"
#include "wal/torn_tail.h"

namespace quarry {
namespace {

constexpr const char* kStartRefused =
    "the service refuses to start, because operations that it acknowledged may be missing; salvage "
    "the documents";

struct LogFile {
  std::string path;
  WalFileHeader header;
  std::shared_ptr<ByteSource> source;
  Bytes bytes() const { return source->bytes(); }
  uint64_t position(size_t at) const { return header.start + (at - kWalHeaderBytes); }
};

class LogReading {
 public:
  LogReading(FileSystem& files, const std::string& dir, std::optional<uint64_t> node,
             const LogRecordVisitor& visit, Findings& findings)
      : files_(files), dir_(dir), node_(node), visit_(visit), findings_(findings) {}

  std::vector<std::shared_ptr<ByteSource>> run() {
    open_files();
    std::vector<std::shared_ptr<ByteSource>> sources;
    for (size_t i = 0; i < open_.size(); i++) {
      sources.push_back(open_[i].source);
      const bool last = i + 1 == open_.size();
      read_file(open_[i], last ? std::nullopt : std::optional(open_[i + 1].header.start));
    }
    return sources;
  }

 private:
  void damage(const std::string& path, uint64_t offset, std::string what) {
    findings_.add({Severity::kDamage, path, "", offset, std::move(what), kStartRefused});
  }
  void open_files();
  WalBounds read_bounds();
  void open_file(const std::string& name, uint32_t number, bool may_be_unborn);
  void read_file(const LogFile& file, std::optional<uint64_t> next_start);
  bool visit_frame(const LogFile& file, size_t at, const FrameHeader& header);
  size_t next_frame(const LogFile& file, size_t from, size_t limit, FrameHeader& header) const;

  FileSystem& files_;
  const std::string& dir_;
  const std::optional<uint64_t> node_;
  const LogRecordVisitor& visit_;
  Findings& findings_;
  std::vector<LogFile> open_;
};

void LogReading::open_files() {
  if (!files_.exists(dir_)) return;
  const auto listed = files_.list(dir_);
  if (!listed.ok()) return findings_.damage(dir_, listed.status().reason(), kStartRefused);
  std::vector<std::string> names = *listed;
  std::erase_if(names, [this](const std::string& name) {
    if (wal_file_number(name)) return false;
    findings_.warning(dir_ + "/" + name, "is no file of the log", "it is ignored");
    return true;
  });
  const WalBounds bounds = read_bounds();
  for (const std::string& name : names) {
    const uint32_t number = *wal_file_number(name);
    open_file(name, number, name == names.back() && number > bounds.last);
  }
}

/// The bounds of the files that must exist; empty when they cannot be read.
WalBounds LogReading::read_bounds() {
  const auto read = read_wal_bounds(files_, dir_);
  if (!read.ok()) {
    findings_.damage(wal_bounds_path(dir_), read.status().reason(),
                     "it is written again; until then a missing log file is not detected");
  }
  if (!read.ok() || !*read) return {};
  findings_.counts.files++;
  for (const uint32_t number : {(*read)->first, (*read)->last}) {
    const std::string path = dir_ + "/" + wal_file_name(number);
    if ((*read)->first > (*read)->last || files_.exists(path)) continue;
    findings_.damage(path, "is missing", kStartRefused);
    if ((*read)->first == (*read)->last) break;
  }
  return **read;
}

void LogReading::open_file(const std::string& name, uint32_t number, bool may_be_unborn) {
  LogFile file{dir_ + "/" + name, {}, nullptr};
  Result<std::shared_ptr<ByteSource>> source = files_.map(file.path);
  if (!source.ok()) return findings_.damage(file.path, source.status().reason(), kStartRefused);
  file.source = std::move(*source);
  findings_.counts.files++;
  findings_.counts.bytes += file.bytes().size();
  const auto header = decode_file_header(file.bytes());
  const bool cut = header && header->bytes > file.bytes().size();
  if (!header || cut) {
    const Bytes bytes = file.bytes();
    const bool unborn = bytes.size() <= kWalHeaderBytes || all_zero(bytes.subspan(kWalHeaderBytes));
    if (may_be_unborn && unborn) {
      return findings_.warning(file.path, "was being created when the power failed",
                               "it is made again");
    }
    if (!header) return damage(file.path, 0, "the header is not one of a log file of this version");
    damage(file.path, bytes.size(), "the file was cut off");
  }
  file.header = *header;
  if (header->number != number) damage(file.path, 12, "the header has another file's number");
  if (node_ && header->node != *node_) damage(file.path, 32, "the log belongs to another node");
  open_.push_back(std::move(file));
}

/// False when the records do not match the frame header although the frame's checksum is right, so
/// this is not damage of the disk.
bool LogReading::visit_frame(const LogFile& file, size_t at, const FrameHeader& header) {
  ByteReader reader(file.bytes().subspan(at + kFrameHeaderBytes, header.length));
  WalRecord record;
  for (uint32_t i = 0; i < header.records; i++) {
    if (!decode_record(reader, record)) return false;
    visit_(record, file.path, at);
  }
  findings_.counts.log_records += header.records;
  return reader.done();
}

/// The next whole frame at or after `from`; `limit` when there is none.
size_t LogReading::next_frame(const LogFile& file, size_t from, size_t limit,
                              FrameHeader& header) const {
  const Bytes bytes = file.bytes().first(limit);
  uint8_t magic[sizeof(kFrameMagic)];
  store(magic, kFrameMagic);
  for (size_t at = from; at + kFrameHeaderBytes <= limit; at++) {
    const auto found = std::search(bytes.begin() + static_cast<std::ptrdiff_t>(at), bytes.end(),
                                   std::begin(magic), std::end(magic));
    if (found == bytes.end()) break;
    at = static_cast<size_t>(found - bytes.begin());
    if (is_frame(bytes.subspan(at), frame_seed(file.header.salt, file.position(at)), header))
      return at;
  }
  return limit;
}

/// `next_start`: where the next file begins; empty for the last file, whose tail may be torn.
void LogReading::read_file(const LogFile& file, std::optional<uint64_t> next_start) {
  size_t limit = file.bytes().size();
  if (next_start) {
    const uint64_t wanted = kWalHeaderBytes + (*next_start - file.header.start);
    if (*next_start < file.header.start || wanted > limit) {
      damage(file.path, limit,
             "the file ends before the next one begins, or one between them is missing");
    } else {
      limit = static_cast<size_t>(wanted);
    }
  }
  FrameHeader header;
  size_t at = kWalHeaderBytes;
  while (at < limit) {
    if (!is_frame(file.bytes().subspan(at), frame_seed(file.header.salt, file.position(at)),
                  header)) {
      const size_t found = next_frame(file, at, limit, header);
      const bool synced = (found < limit && header.durable > file.position(at)) ||
                          !may_be_torn(file.bytes().subspan(at), at,
                                       frame_seed(file.header.salt, file.position(at)));
      if (!next_start && !synced && found == limit && all_zero(file.bytes().subspan(at))) return;
      if (!next_start && !synced) {
        findings_.add(
            {Severity::kWarning, file.path, "", at, "a torn tail",
             "it was never acknowledged as durable; the next start ends the log before it"});
        return;
      }
      damage(file.path, at, "a frame that had been synced is missing or broken");
      if (found == limit) return;
      at = found;
    }
    if (!visit_frame(file, at, header)) damage(file.path, at, "a frame's records cannot be read");
    at += kFrameHeaderBytes + header.length;
  }
}

}  // namespace

std::vector<std::shared_ptr<ByteSource>> read_log(FileSystem& files, const std::string& dir,
                                                  std::optional<uint64_t> node,
                                                  const LogRecordVisitor& visit,
                                                  Findings& findings) {
  return LogReading(files, dir, node, visit, findings).run();
}

}  // namespace quarry
