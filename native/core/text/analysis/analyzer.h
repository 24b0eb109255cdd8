// Analyzers: text to tokens (tokenizer plus filters), and the registry of the named ones of an
// index. The analysis section of index settings reaches this folder as plain component specs
// (mapping/ reads the JSON).
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

/// Immutable and thread-safe; all mutable state is in `out`.
class Analyzer {
 public:
  virtual ~Analyzer() = default;
  /// Replaces the content of `out` with the tokens of `text` (valid UTF-8; other bytes are skipped
  /// as separators). `budget` is that of the document or query; where it is exceeded the text is
  /// refused with the component's name (illegal_argument_exception), and `out` is of no use.
  virtual Status analyze(std::string_view text, TokenBuffer& out, AnalysisBudget& budget) const = 0;
  /// The only text of its document or query.
  Status analyze(std::string_view text, TokenBuffer& out) const;
  /// The normal form of a single term (prefix, wildcard, fuzzy, normalizers): char and token
  /// filters that keep one token one token (lowercase, asciifolding …); no tokenizer, no stemmer,
  /// no stop words.
  virtual Result<std::string> normalize(std::string_view term, AnalysisBudget& budget) const = 0;
  Result<std::string> normalize(std::string_view term) const;
  /// Positions left free between two values of one field, unless the mapping says otherwise.
  virtual uint32_t position_increment_gap() const { return kDefaultPositionIncrementGap; }

  static constexpr uint32_t kDefaultPositionIncrementGap = 100;
};

/// One named part of `settings.analysis`: its `type` and the other keys, every value as a list of
/// strings
/// ("min_gram": 2 arrives as {"2"}; booleans as "true"/"false").
struct ComponentSpec {
  std::string type;
  std::map<std::string, std::vector<std::string>, std::less<>> options;
};

/// All of `settings.analysis`, by section and name.
struct AnalysisSpec {
  std::map<std::string, ComponentSpec, std::less<>> analyzers;
  std::map<std::string, ComponentSpec, std::less<>> normalizers;
  std::map<std::string, ComponentSpec, std::less<>> tokenizers;
  std::map<std::string, ComponentSpec, std::less<>> filters;
  std::map<std::string, ComponentSpec, std::less<>> char_filters;
  /// The index settings of the same names: the widest allowed max_gram - min_gram and shingle size
  /// difference.
  uint32_t max_ngram_diff = 1;
  uint32_t max_shingle_diff = 3;
};

/// The built-in analyzers plus those of one index. Immutable and thread-safe.
class AnalysisRegistry {
 public:
  /// Refuses unknown types, unknown options and bad values by name (illegal_argument_exception).
  static Result<std::shared_ptr<const AnalysisRegistry>> create(const AnalysisSpec& spec);
  virtual ~AnalysisRegistry() = default;

  /// Null when the index has no analyzer (or normalizer) of that name.
  virtual const Analyzer* analyzer(std::string_view name) const = 0;
  virtual const Analyzer* normalizer(std::string_view name) const = 0;
  /// An analyzer put together on the fly (the _analyze API): `tokenizer` and `filters` are names known
  /// here. Without a tokenizer the whole text is one token, and filters have to be a normalizer's.
  virtual Result<std::unique_ptr<Analyzer>> combine(
      std::string_view tokenizer, const std::vector<std::string>& char_filters,
      const std::vector<std::string>& filters) const = 0;
};

/// Registry with only the built-in analyzers, shared by indexes without `settings.analysis`.
std::shared_ptr<const AnalysisRegistry> builtin_analysis();

}  // namespace quarry
