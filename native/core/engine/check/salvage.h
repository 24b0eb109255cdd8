// Writes all documents of a damaged data folder that can still be read, so that they can be loaded
// into a new one. For each index:
//   <index>.ndjson              a bulk body: an action line with _id and routing, then the
//                               document, oldest change first
//   <index>.json                settings, mappings and aliases as PUT /<index> takes them
//   <index>.without-ids.ndjson  documents whose id is lost, if there are any: one per line
// Of each id the newest version is taken, from segments and log; deletes are honoured.
#pragma once

#include <string>

#include "base/file.h"
#include "base/status.h"

namespace quarry {

/// Creates the folder. illegal_argument_exception when it is not empty.
Status prepare_salvage(FileSystem& files, const std::string& out_dir);

/// The report as a JSON array, per index: {"index", "documents", "doubtful", "without_ids",
/// "from_log", "lost": [text]}. A doubtful document was read from a section with a wrong checksum:
/// it parses, but a changed character cannot be detected.
Result<std::string> salvage_documents(FileSystem& files, const std::string& data_dir,
                                      const std::string& out_dir);

}  // namespace quarry
