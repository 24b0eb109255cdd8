// Analyzers (text to tokens by a tokenizer and filters), and the registry of the named analyzers of
// an index. The analysis section of index settings arrives here as plain component specs; mapping/
// reads the JSON.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "text/analysis/token.h"

namespace quarry {

class AnalysisBudget;

/// The version of the built-in analyzers, stop words and stemmers. Indexes keep the one they were
/// created with, because their terms were made by it. Version 1 has Snowball's stemmers for all
/// languages; version 2 light stemmers for five languages and exceptions for dutch; version 3 the
/// stop words of Lucene, normalization for arabic, hindi and serbian and light stemmers for arabic
/// and hindi; version 4 single Han characters as words of the analyzer `memory`.
inline constexpr uint32_t kAnalysisVersion = 4;

/// Immutable and thread-safe; all mutable state is in `out`.
class Analyzer {
 public:
  virtual ~Analyzer() = default;
  /// Replaces the content of `out` with the tokens of `text` (valid UTF-8; other bytes are skipped
  /// as separators). `budget` is that of the document or query. If it is exceeded, the error is
  /// illegal_argument_exception with the component's name, and the content of `out` must not be
  /// used.
  virtual Status analyze(std::string_view text, TokenBuffer& out, AnalysisBudget& budget) const = 0;
  /// The same with a budget of its own, for the only text of a document or query.
  Status analyze(std::string_view text, TokenBuffer& out) const;
  /// The normal form of a single term (prefix, wildcard, fuzzy, normalizers). Applies the char
  /// filters and those token filters that map one token to one token (lowercase, asciifolding …),
  /// but no tokenizer, stemmer or stop words.
  virtual Result<std::string> normalize(std::string_view term, AnalysisBudget& budget) const = 0;
  Result<std::string> normalize(std::string_view term) const;
  /// The position gap between two values of one field, unless the mapping sets one.
  virtual uint32_t position_increment_gap() const { return kDefaultPositionIncrementGap; }

  static constexpr uint32_t kDefaultPositionIncrementGap = 100;
};

/// One named component of `settings.analysis`: its `type` and its other keys, each value as a list
/// of strings ("min_gram": 2 is {"2"}; booleans are "true" and "false").
struct ComponentSpec {
  std::string type;
  std::map<std::string, std::vector<std::string>, std::less<>> options;
};

/// The whole of `settings.analysis`, by section and name.
struct AnalysisSpec {
  std::map<std::string, ComponentSpec, std::less<>> analyzers;
  std::map<std::string, ComponentSpec, std::less<>> normalizers;
  std::map<std::string, ComponentSpec, std::less<>> tokenizers;
  std::map<std::string, ComponentSpec, std::less<>> filters;
  std::map<std::string, ComponentSpec, std::less<>> char_filters;
  /// The index settings of the same names: the largest allowed max_gram - min_gram and difference
  /// of shingle sizes.
  uint32_t max_ngram_diff = 1;
  uint32_t max_shingle_diff = 3;
  uint32_t version = kAnalysisVersion;
};

/// The built-in analyzers and those of one index. Immutable and thread-safe.
class AnalysisRegistry {
 public:
  /// Unknown types, unknown options and invalid values are errors that name them
  /// (illegal_argument_exception).
  static Result<std::shared_ptr<const AnalysisRegistry>> create(const AnalysisSpec& spec);
  virtual ~AnalysisRegistry() = default;

  /// Null when the index has no analyzer (or normalizer) of that name.
  virtual const Analyzer* analyzer(std::string_view name) const = 0;
  virtual const Analyzer* normalizer(std::string_view name) const = 0;
  /// An analyzer for one request of the _analyze API. `tokenizer` and `filters` are names in this
  /// registry. Without a tokenizer the whole text is one token, and only filters allowed in
  /// normalizers can be used.
  virtual Result<std::unique_ptr<Analyzer>> combine(
      std::string_view tokenizer, const std::vector<std::string>& char_filters,
      const std::vector<std::string>& filters) const = 0;
};

/// The registry with only the built-in analyzers, shared by indexes without `settings.analysis`.
std::shared_ptr<const AnalysisRegistry> builtin_analysis(uint32_t version = kAnalysisVersion);

}  // namespace quarry
