// Runs the patterns over the keys of a document and copies the parts that they keep.
#include "json/source_filter.h"

#include <memory>

#include "json/scanner.h"
#include "json/value.h"

namespace quarry {

namespace {

/// One application of the filter: walks the document once and copies the parts that are kept. A
/// value that a pattern includes as a whole is copied as one run of bytes. Recursion is bounded by
/// the scanner's maximum depth.
class FilterRun {
 public:
  FilterRun(std::string_view source, PathMatcher& includes, PathMatcher& excludes, std::string& out)
      : source_(source),
        scanner_(source, kMaxJsonDepth),
        includes_(includes),
        excludes_(excludes),
        out_(out) {}

  Status run() {
    includes_.rewind();
    excludes_.rewind();
    if (scanner_.next() == JsonToken::kObjectStart) {
      filter_object(!includes_.has_patterns());
      scanner_.next();
    } else if (scanner_.token() != JsonToken::kError) {
      return {ErrorType::kXContentParse, "The source to filter is no JSON object"};
    }
    if (scanner_.token() == JsonToken::kError) {
      return {ErrorType::kXContentParse, scanner_.error()};
    }
    return {};
  }

 private:
  /// Appends the kept part of the object whose start was just read; returns false when nothing is
  /// kept. `included`: some include matches its path or that of an ancestor.
  bool filter_object(bool included) {
    out_ += '{';
    bool any_kept = false;
    bool any_seen = false;
    while (scanner_.next() == JsonToken::kKey) {
      any_seen = true;
      arena_.clear();
      const std::string_view name = scanner_.content(arena_);
      if (!included) includes_.enter(name);
      excludes_.enter(name);
      const std::string_view key(scanner_.raw().data() - 1, scanner_.raw().size() + 2);
      const size_t mark = out_.size();
      if (any_kept) out_ += ',';
      out_.append(key).append(":");
      scanner_.next();
      if (filter_member(included || includes_.matches())) {
        any_kept = true;
      } else {
        out_.resize(mark);
      }
      if (!included) includes_.leave();
      excludes_.leave();
    }
    out_ += '}';
    return any_kept || (!any_seen && included);
  }

  /// Appends the kept part of the value whose first token was just read; returns false when nothing
  /// is kept.
  bool filter_member(bool included) {
    if (excludes_.matches() || (!included && includes_.is_dead())) {
      scanner_.skip_value();
      return false;
    }
    return filter_value(included);
  }

  bool filter_value(bool included) {
    const JsonToken token = scanner_.token();
    const bool container = token == JsonToken::kObjectStart || token == JsonToken::kArrayStart;
    if (!container || (included && excludes_.is_dead())) {
      const size_t start = scanner_.start();
      scanner_.skip_value();
      if (included) out_.append(source_, start, scanner_.end() - start);
      return included;
    }
    return token == JsonToken::kArrayStart ? filter_array(included) : filter_object(included);
  }

  /// Filters an array; its items have the path of the array.
  bool filter_array(bool included) {
    out_ += '[';
    bool any_kept = false;
    bool any_seen = false;
    while (scanner_.next() != JsonToken::kArrayEnd && scanner_.token() != JsonToken::kError) {
      any_seen = true;
      const size_t mark = out_.size();
      if (any_kept) out_ += ',';
      if (filter_value(included)) {
        any_kept = true;
      } else {
        out_.resize(mark);
      }
    }
    out_ += ']';
    return any_kept || (!any_seen && included);
  }

  std::string_view source_;
  JsonScanner scanner_;
  PathMatcher& includes_;
  PathMatcher& excludes_;
  std::string& out_;
  Arena arena_;
};

Result<PathMatcher> source_matcher(std::span<const std::string> patterns) {
  if (patterns.empty()) return PathMatcher();
  const std::vector<std::string_view> views(patterns.begin(), patterns.end());
  QUARRY_ASSIGN_OR_RETURN(PathPatterns compiled,
                          PathPatterns::compile(views, PathPatterns::Syntax::kSource, "_source"));
  return PathMatcher(std::make_shared<const PathPatterns>(std::move(compiled)));
}

}  // namespace

Result<SourceFilter> SourceFilter::compile(std::span<const std::string> includes,
                                           std::span<const std::string> excludes) {
  QUARRY_ASSIGN_OR_RETURN(PathMatcher include, source_matcher(includes));
  QUARRY_ASSIGN_OR_RETURN(PathMatcher exclude, source_matcher(excludes));
  return SourceFilter(std::move(include), std::move(exclude));
}

Status SourceFilter::apply(std::string_view source, std::string& out) {
  const size_t mark = out.size();
  Status status = FilterRun(source, includes_, excludes_, out).run();
  if (!status.ok()) out.resize(mark);
  return status;
}

bool simple_match(std::string_view pattern, std::string_view text) noexcept {
  size_t p = 0;
  size_t t = 0;
  size_t star = std::string_view::npos;
  size_t resume = 0;
  // Only the last star needs retries, since an earlier star that took the leftmost match excludes
  // no other match.
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace quarry
