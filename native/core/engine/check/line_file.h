// A text file that is written line by line, in few large writes.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/file.h"
#include "base/status.h"

namespace quarry {

class LineFile {
 public:
  static Result<LineFile> create(FileSystem& files, const std::string& path) {
    LineFile file;
    QUARRY_ASSIGN_OR_RETURN(file.file_, files.create(path));
    return file;
  }
  /// `line` has no line end.
  Status add(std::string_view line) {
    pending_.append(line).push_back('\n');
    return pending_.size() < kPendingBytes ? Status() : write();
  }
  /// The file is durable when this returns.
  Status finish() {
    QUARRY_RETURN_IF_ERROR(write());
    QUARRY_RETURN_IF_ERROR(file_->sync());
    return file_->close();
  }

 private:
  static constexpr size_t kPendingBytes = size_t{1} << 20;

  Status write() {
    const Status status = file_->append(as_bytes(pending_));
    pending_.clear();
    return status;
  }

  std::unique_ptr<WritableFile> file_;
  std::string pending_;
};

}  // namespace quarry
