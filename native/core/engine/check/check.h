// The offline check of a data folder and the salvage of its documents, as run by `quarry check`.
// Changes nothing in the folder except its lock file.
#pragma once

#include <string>

#include "base/file.h"
#include "base/status.h"
#include "engine/check/findings.h"

namespace quarry {

struct CheckOptions {
  std::string data_dir;
  FileSystem* file_system = nullptr;
  std::string salvage_dir;  // empty: no salvage
  CheckProgress progress;   // may be empty
};

/// The report as JSON: {"data_dir", "sound", "findings": [{"severity": "damage" | "warning",
/// "file", "section"?, "offset"?, "what", "consequence"}], "unlisted", "checked": {…}, "salvage"?:
/// {…} (salvage.h)}. illegal_argument_exception: the path is not a data folder, a service runs on
/// it, or the folder to salvage to is not empty.
Result<std::string> check_data_folder(const CheckOptions& options);

}  // namespace quarry
