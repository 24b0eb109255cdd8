// Light stemmers of five languages for plurals, genders and a few endings, after Savoy's "Light
// stemming approaches for the French, Portuguese, German and Hungarian languages" (2006) and its
// counterparts for Italian and Spanish, as used by Elasticsearch's language analyzers.
#pragma once

#include <string>
#include <string_view>

namespace quarry {

/// Replaces a lower-case word with its stem.
using LightStem = void (*)(std::u32string& word);

/// Finds "light_french", "light_german", "light_italian", "light_portuguese" or "light_spanish";
/// null for any other name.
LightStem find_light_stemmer(std::string_view name);

}  // namespace quarry
