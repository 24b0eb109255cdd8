// Options shared by the n-gram tokenizers and filters.
#pragma once

#include <cstdint>
#include <string_view>

#include "text/analysis/options.h"
#include "text/tokenizers/ngram.h"

namespace quarry {

// The longest gram in code points. Token length is limited elsewhere; this limit only catches
// mistakes.
constexpr uint32_t kMaxGram = 10000;

/// Reads `min_gram` and `max_gram`, whose difference may be at most `max_diff`. `what` names the
/// component in error messages.
GramSizes read_gram_sizes(OptionReader& options, uint32_t max_diff, std::string_view what);

}  // namespace quarry
