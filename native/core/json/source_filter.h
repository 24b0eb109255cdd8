// `_source` filtering: includes and excludes with wildcards, done on the bytes; what stays keeps
// its spelling.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace quarry {

/// Immutable, thread-safe. A pattern names a full dotted path or a subtree ("a" keeps a.b); `*`
/// crosses dots; excludes win.
class SourceFilter {
 public:
  SourceFilter(std::vector<std::string> includes, std::vector<std::string> excludes)
      : includes_(std::move(includes)), excludes_(std::move(excludes)) {}
  bool keeps_all() const { return includes_.empty() && excludes_.empty(); }
  /// Appends the filtered object to `out` (unchanged on an error). Objects and arrays that end up
  /// empty though they were not are dropped, as Elasticsearch does.
  Status apply(std::string_view source, std::string& out) const;

 private:
  std::vector<std::string> includes_;
  std::vector<std::string> excludes_;
};

/// Wildcard match with `*` only; at most text times pattern steps, never exponential.
bool simple_match(std::string_view pattern, std::string_view text) noexcept;

}  // namespace quarry
