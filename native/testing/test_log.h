// A write-ahead log for its tests, which open it, append to it and read it again.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "testing/test.h"
#include "wal/disk_space.h"
#include "wal/log_reader.h"
#include "wal/log_writer.h"

namespace quarry::testing {

inline constexpr uint64_t kNode = 77;
inline constexpr const char* kDir = "/data/wal";

/// One log on one disk; opening it again continues where the scan ended.
struct Log {
  explicit Log(FileSystem& disk, uint64_t file_bytes = 1 << 16, uint64_t reserve = 0)
      : files(disk), space(disk, "/data", reserve) {
    options = {&files, kDir, kNode, file_bytes, &space, &owed};
  }
  Status open() {
    read.clear();
    Result<WalScan> found = scan_wal(files, kDir, kNode, [this](const WalRecord& record, uint64_t) {
      read.push_back(record.seq_no);
      bodies.push_back(std::string(record.body));
      return Status();
    });
    if (!found.ok()) return found.status();
    scan = *found;
    QUARRY_ASSIGN_OR_RETURN(writer, WalWriter::start(options, scan));
    return {};
  }
  Result<uint64_t> append(uint64_t seq_no, size_t body_bytes = 10, bool urgent = false) {
    const std::string body(body_bytes, static_cast<char>('a' + seq_no % 26));
    WalFrame frame;
    WalRecord record;
    record.index = 1;
    record.seq_no = seq_no;
    record.version = 1;
    record.id = "id";
    record.body = body;
    frame.add(record);
    return writer->append(frame, urgent);
  }

  FileSystem& files;
  DiskSpace space;
  std::atomic<uint64_t> owed{0};
  WalOptions options;
  WalScan scan;
  std::vector<uint64_t> read;
  std::vector<std::string> bodies;
  std::unique_ptr<WalWriter> writer;
};

/// The numbers 0 to count - 1.
inline std::vector<uint64_t> up_to(uint64_t count) {
  std::vector<uint64_t> numbers;
  for (uint64_t i = 0; i < count; i++) numbers.push_back(i);
  return numbers;
}

/// The path of the newest file of the log.
inline std::string last_file(FileSystem& files) {
  return std::string(kDir) + "/" + files.list(kDir)->back();
}

}  // namespace quarry::testing
