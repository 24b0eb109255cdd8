// Options shared by the n-gram tokenizers and filters.
#pragma once

#include <cstdint>
#include <string_view>

#include "text/analysis/options.h"
#include "text/tokenizers/ngram.h"

namespace quarry {

// Longest gram in code points; the length of a token is bounded elsewhere, this only catches
// mistakes.
constexpr uint32_t kMaxGram = 10000;

/// `min_gram` and `max_gram`, which may be at most `max_diff` apart. `what` names the component in
/// the reason.
GramSizes read_gram_sizes(OptionReader& options, uint32_t max_diff, std::string_view what);

}  // namespace quarry
