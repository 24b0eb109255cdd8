// Runs the search analyzer and groups its tokens by position.
#include "query/highlight/analyzed_text.h"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <span>
#include <utility>

#include "text/analysis/analyzer.h"

namespace quarry {
namespace {

using Path = std::vector<std::string>;

/// Shingles and pairs of CJK characters overlap by design: they are not alternative readings of the
/// text.
bool is_graph(const std::vector<Token>& tokens) {
  bool wide = false;
  for (const Token& token : tokens) {
    const std::string_view type = token.type;
    if (type == "shingle" || type == "<DOUBLE>") return false;
    wide = wide || token.position_length > 1;
  }
  return wide;
}

/// Finds the word sequences from one position to the end of a part: a walk over the token graph
/// without recursion, because a synonym may have thousands of words.
class PathFinder {
 public:
  /// `tokens`: by position, all before the end of the part.
  explicit PathFinder(std::span<const Token> tokens) : tokens_(tokens) {}
  void find(std::vector<Path>& out) {
    size_t words = 0;
    for (size_t next = 0; out.size() < kMaxTextPaths && words < kMaxTextPathWords;) {
      for (; next < tokens_.size(); next = behind(next)) taken_.push_back(next);
      words += taken_.size();
      out.push_back(path());
      if (!turn(next)) return;
    }
  }

 private:
  /// The first token that may follow `token`, or the next existing one if words are missing there.
  size_t behind(size_t token) const {
    const uint32_t position =
        tokens_[token].position + std::max(tokens_[token].position_length, 1U);
    const auto at =
        std::lower_bound(tokens_.begin(), tokens_.end(), position,
                         [](const Token& one, uint32_t wanted) { return one.position < wanted; });
    return static_cast<size_t>(at - tokens_.begin());
  }
  Path path() const {
    Path words;
    words.reserve(taken_.size());
    for (const size_t token : taken_) words.emplace_back(tokens_[token].text);
    return words;
  }
  /// Backtracks to the last position with another token, which becomes `next`; false at the end.
  bool turn(size_t& next) {
    while (!taken_.empty()) {
      const size_t last = taken_.back();
      taken_.pop_back();
      next = last + 1;
      if (next < tokens_.size() && tokens_[next].position == tokens_[last].position) return true;
    }
    return false;
  }

  std::span<const Token> tokens_;
  std::vector<size_t> taken_;
};

/// Cuts the graph where all readings meet.
std::vector<TextPart> split_graph(const std::vector<Token>& tokens) {
  std::vector<TextPart> parts;
  for (size_t first = 0; first < tokens.size();) {
    uint32_t end = tokens[first].position + 1;
    size_t last = first;
    while (last < tokens.size() && tokens[last].position < end) {
      end = std::max(end, tokens[last].position + tokens[last].position_length);
      last++;
    }
    TextPart part;
    const std::span<const Token> range(tokens.data() + first, last - first);
    PathFinder(range).find(part.paths);
    parts.push_back(std::move(part));
    first = last;
  }
  return parts;
}

}  // namespace

bool TextPart::is_position() const {
  return std::all_of(paths.begin(), paths.end(), [](const Path& path) { return path.size() == 1; });
}

std::vector<std::vector<std::string>> all_paths(const std::vector<TextPart>& parts) {
  // A reading up to a part: the reading of the parts before it, and its own words.
  struct Step {
    const Step* before;
    const Path* path;
    size_t words;
  };
  std::deque<Step> steps;
  std::vector<const Step*> whole(1, nullptr);
  for (const TextPart& part : parts) {
    std::vector<const Step*> longer;
    for (const Step* before : whole) {
      for (const Path& path : part.paths) {
        if (longer.size() >= kMaxTextPaths) break;
        const size_t words = (before == nullptr ? 0 : before->words) + path.size();
        longer.push_back(&steps.emplace_back(Step{before, &path, words}));
      }
    }
    whole = std::move(longer);
  }
  std::vector<Path> out;
  size_t words = 0;
  for (const Step* last : whole) {
    if (words >= kMaxTextPathWords) break;
    Path reading(last == nullptr ? 0 : last->words);
    for (size_t end = reading.size(); last != nullptr; last = last->before) {
      end -= last->path->size();
      std::copy(last->path->begin(), last->path->end(),
                reading.begin() + static_cast<std::ptrdiff_t>(end));
    }
    words += reading.size();
    out.push_back(std::move(reading));
  }
  return out;
}

Result<AnalyzedText> analyze_text(const Analyzer* analyzer, std::string_view text,
                                  Compiler& compiler) {
  AnalyzedText out;
  if (analyzer == nullptr) {
    out.positions.push_back({0, {std::string(text)}});
    out.last_ends_text = true;
    return out;
  }
  TokenBuffer buffer;
  QUARRY_RETURN_IF_ERROR(analyzer->analyze(text, buffer, compiler.analysis()));
  for (const Token& token : buffer.tokens) {
    if (out.positions.empty() || out.positions.back().position != token.position) {
      out.positions.push_back({token.position, {}});
    }
    out.positions.back().terms.emplace_back(token.text);
    out.last_ends_text = token.end == text.size();
  }
  if (is_graph(buffer.tokens)) out.parts = split_graph(buffer.tokens);
  return out;
}

Status unknown_analyzer(std::string_view clause, std::string_view parameter,
                        std::string_view name) {
  return {ErrorType::kQueryShard, "[" + std::string(clause) + "] " + std::string(parameter) + " [" +
                                      std::string(name) + "] not found"};
}

Result<const Analyzer*> pick_analyzer(const Compiler& compiler, const Field& field,
                                      std::string_view name, std::string_view clause, bool quoted) {
  if (!name.empty()) {
    const Analyzer* found = compiler.mapping().context().analysis->analyzer(name);
    if (found != nullptr) return found;
    return unknown_analyzer(clause, "analyzer", name);
  }
  const Analyzer* none = nullptr;
  if (!field.is_text()) return none;
  if (quoted && field.search_quote_analyzer != nullptr) return field.search_quote_analyzer;
  return field.search_analyzer != nullptr ? field.search_analyzer : field.analyzer;
}

}  // namespace quarry
