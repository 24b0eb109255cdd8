// Light stemmers of languages for which Lucene's stemmer is not Snowball's, by removal of endings.
#pragma once

#include <string_view>

#include "text/stemmers/light_stemmers.h"

namespace quarry {

/// Finds "light_arabic", "light_bengali", "light_bulgarian", "light_czech", "light_hindi",
/// "light_latvian", "light_persian", "light_sorani" or "minimal_english"; null for any other name.
LightStem find_suffix_stemmer(std::string_view name);

}  // namespace quarry
