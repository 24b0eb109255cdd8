// The log of a data folder read without a service: past damage too, so that nothing that is still there is missed.
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

/// `file` and `offset`: where the record's frame is.
using LogRecordVisitor =
    std::function<void(const WalRecord& record, const std::string& file, uint64_t offset)>;

/// Visits every record that can be read, in order, and reports what is wrong. What a start would take for a torn tail is a
/// warning, and nothing behind it is visited; behind damage reading goes on with the next whole frame. `node`: hash64 of
/// the node's uuid, if it is known. The records' views point into what is returned.
std::vector<std::shared_ptr<ByteSource>> read_log(FileSystem& files, const std::string& dir,
                                                  std::optional<uint64_t> node,
                                                  const LogRecordVisitor& visit,
                                                  Findings& findings);

}  // namespace quarry
