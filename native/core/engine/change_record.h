// The record of a change of several indexes: data/CHANGES, checked JSON. Once it is durable the change is made, whatever
// becomes of the process; it is gone when every folder and META says so by itself.
//   {"format": 1, "born": [7], "changed": [{"index": 3, "members": {…}, "mappings": {…}}], "dropped": [2]}
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
  /// Either part may be empty.
  struct Changed {
    uint32_t index = 0;
    std::string members;   // JSON
    std::string mappings;  // JSON
  };
  /// Their folders are complete, as `<number>.new`. Without any of them nothing of the change was made.
  std::vector<uint32_t> born;
  std::vector<Changed> changed;
  std::vector<uint32_t> dropped;

  std::string to_json() const;
  Status write(FileSystem& files, const std::string& path) const;
  /// Nothing when there is no such file. ErrorType::kCorrupt names it.
  static Result<std::optional<ChangeRecord>> read(FileSystem& files, const std::string& path);
};

/// The index number that a member holds; illegal_argument_exception when it is none.
Result<uint32_t> read_index_number(const JsonValue* member);

}  // namespace quarry
