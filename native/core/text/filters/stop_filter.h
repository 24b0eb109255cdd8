// The stop filter, and the stop word lists by language.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "text/analysis/components.h"
#include "text/analysis/term_set.h"

namespace quarry {

/// Removes the tokens of a set. Their positions become gaps.
class StopFilter final : public TokenFilter {
 public:
  struct Options {
    bool ignore_case = false;  // if true, `words` must be lower-case
    bool remove_trailing =
        true;  // false keeps a stop word at the end of the text (completion while typing)
  };
  StopFilter(TermSet words, Options options) : words_(std::move(words)), options_(options) {}
  void apply(TokenBuffer& out, AnalysisBudget&) const override;

 private:
  const TermSet words_;
  const Options options_;
};

/// The stop words of a language ("english"); empty when there is no list for it.
std::optional<std::vector<std::string>> stop_words(std::string_view language, uint32_t version);

/// Resolves a `stopwords` option: words, names like "_english_", or "_none_". An unknown name is an
/// error.
Result<std::vector<std::string>> resolve_stop_words(const std::vector<std::string>& given,
                                                    uint32_t version);

}  // namespace quarry
