// Light stemmers of five languages: plurals, genders and a few endings, after Savoy's "Light stemming approaches for the French, Portuguese,
// German and Hungarian languages" (2006) and its sisters for Italian and Spanish, as Elasticsearch's language
// analyzers have them.
#pragma once

#include <string>
#include <string_view>

namespace quarry {

/// Changes a word in lower case to its stem.
using LightStem = void (*)(std::u32string& word);

/// "light_french", "light_german", "light_italian", "light_portuguese", "light_spanish"; null for any other name.
LightStem find_light_stemmer(std::string_view name);

/// Of German words, before they are stemmed: ß is ss; umlauts, and the two letters that stand for one, lose what makes them.
void normalize_german(std::u32string& word);

}  // namespace quarry
