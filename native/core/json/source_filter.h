// `_source` filtering: includes and excludes with wildcards, done on the bytes; what stays keeps
// its spelling.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "json/path_matcher.h"

namespace quarry {

/// A pattern names a full dotted path or a subtree ("a" keeps a.b); `*` crosses dots; excludes win.
/// One thread: it remembers the paths that it has seen, for the documents that follow. A copy shares
/// the compiled patterns.
class SourceFilter {
 public:
  /// kIllegalArgument when there are too many patterns (PathPatterns::kMostLetters).
  static Result<SourceFilter> compile(std::span<const std::string> includes,
                                      std::span<const std::string> excludes);

  bool keeps_all() const { return !includes_.has_patterns() && !excludes_.has_patterns(); }
  /// Appends the filtered object to `out` (unchanged on an error). Objects and arrays that end up
  /// empty though they were not are dropped, as Elasticsearch does.
  Status apply(std::string_view source, std::string& out);

 private:
  SourceFilter(PathMatcher includes, PathMatcher excludes)
      : includes_(std::move(includes)), excludes_(std::move(excludes)) {}

  PathMatcher includes_;
  PathMatcher excludes_;
};

/// Wildcard match with `*` only; at most text times pattern steps, never exponential.
bool simple_match(std::string_view pattern, std::string_view text) noexcept;

}  // namespace quarry
