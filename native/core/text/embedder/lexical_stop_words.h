// The English function words that the built-in embedder leaves out. Part of the recipe: another list
// makes other vectors, so it is not the analyzers' list.
#pragma once

#include <string>
#include <vector>

namespace quarry {

/// As the scanner gives them: lower case, without apostrophes.
std::vector<std::string> lexical_stop_words();

}  // namespace quarry
