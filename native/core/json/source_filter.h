// `_source` filtering with includes and excludes, applied to the bytes: kept parts keep their
// spelling.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "json/path_matcher.h"

namespace quarry {

/// A pattern names a full dotted path or a subtree ("a" keeps a.b); `*` also matches dots; excludes
/// take precedence. Not thread-safe, because it caches the paths it has seen for the following
/// documents. A copy shares the compiled patterns.
class SourceFilter {
 public:
  /// The error for too many patterns (PathPatterns::kMostLetters) is kIllegalArgument.
  static Result<SourceFilter> compile(std::span<const std::string> includes,
                                      std::span<const std::string> excludes);

  bool keeps_all() const { return !includes_.has_patterns() && !excludes_.has_patterns(); }
  /// Appends the filtered object to `out` (unchanged on an error). Objects and arrays that become
  /// empty are removed, as in Elasticsearch.
  Status apply(std::string_view source, std::string& out);

 private:
  SourceFilter(PathMatcher includes, PathMatcher excludes)
      : includes_(std::move(includes)), excludes_(std::move(excludes)) {}

  PathMatcher includes_;
  PathMatcher excludes_;
};

/// Matches wildcard patterns with `*` only; takes at most text times pattern steps, never
/// exponential time.
bool simple_match(std::string_view pattern, std::string_view text) noexcept;

}  // namespace quarry
