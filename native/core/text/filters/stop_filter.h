// The stop filter, and the stop word lists by language.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "text/analysis/components.h"
#include "text/filters/term_set.h"

namespace quarry {

/// Removes the tokens of a set; their positions stay empty.
class StopFilter final : public TokenFilter {
 public:
  struct Options {
    bool ignore_case = false;  // then `words` must be lower-case
    bool remove_trailing =
        true;  // false keeps a stop word at the end of the text (completion as you type)
  };
  StopFilter(TermSet words, Options options) : words_(std::move(words)), options_(options) {}
  void apply(TokenBuffer& out, AnalysisBudget&) const override;

 private:
  const TermSet words_;
  const Options options_;
};

/// The list of a language ("english"), absent for languages without one.
std::optional<std::vector<std::string>> stop_words(std::string_view language);

/// A `stopwords` option: words, "_english_" style names, or "_none_". Refuses unknown names.
Result<std::vector<std::string>> resolve_stop_words(const std::vector<std::string>& given);

}  // namespace quarry
