// Runs the patterns along the keys of a document and copies what they keep.
#include "json/source_filter.h"

#include "json/path_patterns.h"
#include "json/scanner.h"
#include "json/value.h"

namespace quarry {

namespace {

/// One application: walks the document once and copies what stays. What a pattern decides as a
/// whole is copied as one run of bytes. Recursion is bounded by the scanner's depth.
class FilterRun {
 public:
  FilterRun(std::string_view source, const PathPatterns& includes, const PathPatterns& excludes,
            bool include_all, std::string& out)
      : source_(source),
        scanner_(source, kMaxJsonDepth),
        includes_(includes),
        excludes_(excludes),
        include_all_(include_all),
        out_(out) {}

  Status run() {
    if (scanner_.next() == JsonToken::kObjectStart) {
      filter_object({include_all_, includes_.start(), excludes_.start()});
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
  /// What the patterns say of a path.
  struct Path {
    bool included = false;  // some include matches it or a parent
    PathPatterns::State include;
    PathPatterns::State exclude;
  };

  Path step(const Path& path, std::string_view text) const {
    Path next;
    next.included = path.included;
    if (!path.included) next.include = includes_.step(path.include, text);
    if (!path.exclude.empty()) next.exclude = excludes_.step(path.exclude, text);
    return next;
  }

  /// Appends what stays of the object whose start was just read; false when nothing of it does.
  bool filter_object(const Path& path) {
    out_ += '{';
    bool any_kept = false;
    bool any_seen = false;
    while (scanner_.next() == JsonToken::kKey) {
      any_seen = true;
      arena_.clear();
      const Path child = step(path, scanner_.content(arena_));
      const std::string_view key(scanner_.raw().data() - 1, scanner_.raw().size() + 2);
      const size_t mark = out_.size();
      if (any_kept) out_ += ',';
      out_.append(key).append(":");
      scanner_.next();
      if (filter_value(child)) {
        any_kept = true;
      } else {
        out_.resize(mark);
      }
    }
    out_ += '}';
    return any_kept || (!any_seen && path.included);
  }

  /// Appends what stays of the value whose first token was just read; false when it goes
  /// altogether.
  bool filter_value(Path path) {
    const bool excluded = excludes_.accepts(path.exclude);
    if (!path.included) path.included = includes_.accepts(path.include);
    if (excluded || (!path.included && path.include.empty())) {
      scanner_.skip_value();
      return false;
    }
    return filter_accepted(path);
  }

  bool filter_accepted(const Path& path) {
    const JsonToken token = scanner_.token();
    const bool container = token == JsonToken::kObjectStart || token == JsonToken::kArrayStart;
    const Path below = container ? step(path, ".") : Path{};
    if (!container || (path.included && below.exclude.empty())) {
      const size_t start = scanner_.start();
      scanner_.skip_value();
      if (path.included) out_.append(source_, start, scanner_.end() - start);
      return path.included;
    }
    if (token == JsonToken::kArrayStart) return filter_array(path);
    return filter_object(below);
  }

  /// An array has the path of its elements.
  bool filter_array(const Path& path) {
    out_ += '[';
    bool any_kept = false;
    bool any_seen = false;
    while (scanner_.next() != JsonToken::kArrayEnd && scanner_.token() != JsonToken::kError) {
      any_seen = true;
      const size_t mark = out_.size();
      if (any_kept) out_ += ',';
      if (filter_accepted(path)) {
        any_kept = true;
      } else {
        out_.resize(mark);
      }
    }
    out_ += ']';
    return any_kept || (!any_seen && path.included);
  }

  std::string_view source_;
  JsonScanner scanner_;
  const PathPatterns& includes_;
  const PathPatterns& excludes_;
  bool include_all_;
  std::string& out_;
  Arena arena_;
};

}  // namespace

Status SourceFilter::apply(std::string_view source, std::string& out) const {
  const size_t mark = out.size();
  const PathPatterns includes(includes_);
  const PathPatterns excludes(excludes_);
  Status status = FilterRun(source, includes, excludes, includes_.empty(), out).run();
  if (!status.ok()) out.resize(mark);
  return status;
}

bool simple_match(std::string_view pattern, std::string_view text) noexcept {
  size_t p = 0;
  size_t t = 0;
  size_t star = std::string_view::npos;
  size_t resume = 0;
  // Only the last star ever needs a retry: an earlier one that took the leftmost match lost
  // nothing.
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
