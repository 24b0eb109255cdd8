// Runs the search analyzer and groups its tokens by position.
#include "query/analyzed_text.h"

#include <utility>

#include "text/analyzer.h"

namespace quarry {

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
  return out;
}

Result<const Analyzer*> pick_analyzer(const Compiler& compiler, const Field& field,
                                      std::string_view name, std::string_view clause, bool quoted) {
  if (!name.empty()) {
    const Analyzer* found = compiler.mapping().context().analysis->analyzer(name);
    if (found != nullptr) return found;
    return Status(ErrorType::kQueryShard,
                  "[" + std::string(clause) + "] analyzer [" + std::string(name) + "] not found");
  }
  const Analyzer* none = nullptr;
  if (!field.is_text()) return none;
  if (quoted && field.search_quote_analyzer != nullptr) return field.search_quote_analyzer;
  return field.search_analyzer != nullptr ? field.search_analyzer : field.analyzer;
}

}  // namespace quarry
