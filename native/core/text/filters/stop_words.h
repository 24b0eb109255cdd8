// Function words of each language, as data.
#pragma once

#include <cstdint>
#include <string_view>

namespace quarry {

/// The words of a language ("english") in an analysis version, in one string, separated by spaces;
/// empty when there is no list.
std::string_view stop_word_list(std::string_view language, uint32_t version);

}  // namespace quarry
