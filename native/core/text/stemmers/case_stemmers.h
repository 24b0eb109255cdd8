// Light and minimal stemmers of languages whose words have cases or plurals at their end (finnish,
// french, german, hungarian, norwegian, portuguese, russian, swedish), and of indonesian.
#pragma once

#include <string_view>

#include "text/stemmers/light_stemmers.h"

namespace quarry {

/// The stemmer of a name such as "light_finnish" or "minimal_german"; null for any other name.
LightStem find_case_stemmer(std::string_view name);

}  // namespace quarry
