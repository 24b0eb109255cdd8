// The findings and counts of an offline check, collected from all of its parts and printed once as
// JSON.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace quarry {

/// Damage makes the folder unsound; a service repairs or ignores the cause of a warning by itself.
enum class Severity : uint8_t { kDamage, kWarning };

struct Finding {
  Severity severity = Severity::kDamage;
  std::string file;     // path
  std::string section;  // empty: none
  std::optional<uint64_t> offset;
  std::string what;
  std::string consequence;  // how a service handles it
};

/// Counts of what was checked. Nothing was skipped unless a finding says so.
struct CheckCounts {
  uint64_t files = 0;
  uint64_t bytes = 0;
  uint64_t indexes = 0;
  uint64_t shards = 0;
  uint64_t segments = 0;
  uint64_t documents = 0;
  uint64_t terms = 0;
  uint64_t postings = 0;
  uint64_t values = 0;  // of columns
  uint64_t vectors = 0;
  uint64_t log_records = 0;
};

/// Called during the check: bytes processed, total bytes, current file.
using CheckProgress = std::function<void(uint64_t done, uint64_t total, const std::string& file)>;

/// Not thread-safe.
class Findings {
 public:
  /// Further findings of the same kind in the same file are counted but not listed: a broken
  /// section may affect millions of documents.
  static constexpr uint32_t kMostAlike = 10;

  CheckCounts counts;

  void damage(const std::string& file, std::string what, std::string consequence) {
    add({Severity::kDamage, file, {}, {}, std::move(what), std::move(consequence)});
  }
  void warning(const std::string& file, std::string what, std::string consequence) {
    add({Severity::kWarning, file, {}, {}, std::move(what), std::move(consequence)});
  }
  void add(Finding finding);
  bool sound() const { return damages_ == 0; }
  const std::vector<Finding>& list() const { return list_; }
  /// Members "sound", "findings", "unlisted" and "checked" of a JSON object, without its braces.
  std::string members_json() const;

 private:
  std::vector<Finding> list_;
  uint64_t damages_ = 0;
  uint64_t unlisted_ = 0;
};

}  // namespace quarry
