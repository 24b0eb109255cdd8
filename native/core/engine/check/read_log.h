// Reads the log of a data folder without a service. Reading continues after damage, so that no
// readable record is missed.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/file.h"
#include "engine/check/findings.h"
#include "wal/log_record.h"

namespace quarry {

/// `file` and `offset` locate the frame of the record.
using LogRecordVisitor =
    std::function<void(const WalRecord& record, const std::string& file, uint64_t offset)>;

/// Visits every readable record in order and reports faults. A tail that a start would treat as
/// torn is a warning, and nothing after it is visited; after damage, reading continues with the
/// next whole frame. `node`: hash64 of the node's uuid, if it could be read. The views in the
/// records point into the returned sources.
std::vector<std::shared_ptr<ByteSource>> read_log(FileSystem& files, const std::string& dir,
                                                  std::optional<uint64_t> node,
                                                  const LogRecordVisitor& visit,
                                                  Findings& findings);

}  // namespace quarry
