// Reads the whole log at start: every record in order, and where the log ends.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/status.h"
#include "wal/log_file.h"
#include "wal/log_record.h"

namespace quarry {

/// A file as found by the scan: frames from `start` to `end`.
struct WalFileRange {
  uint32_t number = 0;
  uint64_t start = 0;
  uint64_t end = 0;
  uint64_t bytes = 0;  // on disk
};

struct WalScan {
  std::vector<WalFileRange> files;  // ascending
  /// Own the bytes that the records' views point into.
  std::vector<std::shared_ptr<ByteSource>> sources;
  uint32_t next_number = 1;
  uint64_t end = 0;         // position after the last valid frame
  uint64_t torn_bytes = 0;  // not counting zeros at the end: an append that was cut
};

/// Called for every record, in order; `position` is the start of its frame. An error stops the
/// scan.
using WalVisitor = std::function<Status(const WalRecord& record, uint64_t position)>;

/// Reads the log files in `dir`; a missing folder is an empty log. `node`: hash64 of the node's
/// uuid. A torn tail of the last file ends the log. ErrorType::kCorrupt names file and offset:
/// damage where the log was durable or in a frame that was written completely, a missing file, a
/// file of another node.
Result<WalScan> scan_wal(FileSystem& files, const std::string& dir, uint64_t node,
                         const WalVisitor& visit);

}  // namespace quarry
