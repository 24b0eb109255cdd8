// The record of one change of several indexes: the checked JSON file data/CHANGES. Once the file is
// durable, the change is made even if the process ends. The file is removed when every index folder
// and its META contain the change.
//   {"format": 1, "born": [7], "changed": [{"index": 3, "members": {…}, "mappings": {…}}],
//    "dropped": [2]}
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/status.h"
#include "json/value.h"

namespace quarry {

struct ChangeRecord {
  /// `members` or `mappings` may be empty.
  struct Changed {
    uint32_t index = 0;
    std::string members;   // JSON
    std::string mappings;  // JSON
  };
  /// Numbers of new indexes, whose folders are complete as `<number>.new`. If one of the folders is
  /// missing, no part of the change was made.
  std::vector<uint32_t> born;
  std::vector<Changed> changed;
  std::vector<uint32_t> dropped;

  std::string to_json() const;
  Status write(FileSystem& files, const std::string& path) const;
  /// Empty when the file does not exist. ErrorType::kCorrupt names the file.
  static Result<std::optional<ChangeRecord>> read(FileSystem& files, const std::string& path);
};

/// The index number in `member`; illegal_argument_exception when it is not one.
Result<uint32_t> read_index_number(const JsonValue* member);

}  // namespace quarry
