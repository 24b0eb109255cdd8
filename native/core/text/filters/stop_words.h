// Function words of each language, as data.
#pragma once

#include <string_view>

namespace quarry {

/// The words of a language ("english") in one string, separated by spaces; empty when there is no
/// list.
std::string_view stop_word_list(std::string_view language);

}  // namespace quarry
