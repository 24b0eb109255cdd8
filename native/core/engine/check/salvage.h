// Writes whatever documents of a damaged data folder can still be read, for loading them into a new one: for each index
//   <index>.ndjson           a bulk body: an action line with _id and routing, then the document, oldest change first
//   <index>.json             settings, mappings and aliases as PUT /<index> takes them
//   <index>.without-ids.ndjson  documents whose id is lost, if there are any: as they are, one a line
// Of each id the newest version is taken, from segments and log alike; deletes count.
#pragma once

#include <string>

#include "base/file.h"
#include "base/status.h"

namespace quarry {

/// Makes the folder. illegal_argument_exception when it holds something already.
Status prepare_salvage(FileSystem& files, const std::string& out_dir);

/// The report as a JSON array, per index: {"index", "documents", "doubtful", "without_ids", "from_log", "lost": [text]}.
/// Doubtful: read from sections whose checksum is wrong; they parse, but a changed letter cannot be seen.
Result<std::string> salvage_documents(FileSystem& files, const std::string& data_dir,
                                      const std::string& out_dir);

}  // namespace quarry
