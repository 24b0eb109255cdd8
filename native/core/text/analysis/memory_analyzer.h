// The analyzer "memory", for texts that agents remember: the words of the built-in embedder
// (text/embedder/lexical_words.h) without its function words, stemmed by Porter's algorithm. The
// statistics of a field with this analyzer and the words of its vectors agree.
#pragma once

#include <cstdint>

#include "text/analysis/chain.h"
#include "text/analysis/options.h"

namespace quarry {

/// Has no options, and is the same in all versions.
Chain make_memory_chain(OptionReader& options, uint32_t version);

}  // namespace quarry
