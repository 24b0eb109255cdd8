// Runs the search analyzer and groups its tokens by position.
#include "query/analyzed_text.h"

#include <algorithm>
#include <span>
#include <utility>

#include "text/analyzer.h"

namespace quarry {
namespace {

using Path = std::vector<std::string>;

/// Shingles overlap by design: they are no other readings of the text.
bool is_graph(const std::vector<Token>& tokens) {
  bool wide = false;
  for (const Token& token : tokens) {
    if (std::string_view(token.type) == "shingle") return false;
    wide = wide || token.position_length > 1;
  }
  return wide;
}

/// Sequences of words from one position to the end of a stretch.
class PathFinder {
 public:
  PathFinder(std::span<const Token> tokens, uint32_t end) : tokens_(tokens), end_(end) {}
  void find(uint32_t position, std::vector<Path>& out) {
    if (out.size() >= kMaxTextPaths) return;
    const uint32_t start = next_start(position);
    if (start >= end_) {
      if (!words_.empty()) out.push_back(words_);
      return;
    }
    for (const Token& token : tokens_) {
      if (token.position != start) continue;
      words_.emplace_back(token.text);
      find(start + std::max(token.position_length, 1U), out);
      words_.pop_back();
    }
  }

 private:
  /// Where words are missing, the next ones that are there.
  uint32_t next_start(uint32_t position) const {
    for (const Token& token : tokens_) {
      if (token.position >= position) return token.position;
    }
    return end_;
  }

  std::span<const Token> tokens_;  // by position
  uint32_t end_;
  Path words_;
};

/// Cuts where every reading passes.
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
    const std::span<const Token> stretch(tokens.data() + first, last - first);
    PathFinder(stretch, end).find(tokens[first].position, part.paths);
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
  std::vector<Path> whole(1);
  for (const TextPart& part : parts) {
    std::vector<Path> longer;
    for (const Path& before : whole) {
      for (const Path& path : part.paths) {
        if (longer.size() >= kMaxTextPaths) break;
        longer.push_back(before);
        longer.back().insert(longer.back().end(), path.begin(), path.end());
      }
    }
    whole = std::move(longer);
  }
  return whole;
}

AnalyzedText analyze_text(const Analyzer* analyzer, std::string_view text) {
  AnalyzedText out;
  if (analyzer == nullptr) {
    out.positions.push_back({0, {std::string(text)}});
    out.last_ends_text = true;
    return out;
  }
  TokenBuffer buffer;
  analyzer->analyze(text, buffer);
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
