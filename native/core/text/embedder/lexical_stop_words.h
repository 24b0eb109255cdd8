// The English function words that the built-in embedder ignores. They are part of the recipe: a
// different list results in different vectors, so this is not the analyzers' list.
#pragma once

#include <string>
#include <vector>

namespace quarry {

/// The words in the form that the scanner yields: lower case, without apostrophes.
std::vector<std::string> lexical_stop_words();

}  // namespace quarry
