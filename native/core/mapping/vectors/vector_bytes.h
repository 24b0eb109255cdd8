// Vectors of bytes: element_type [byte]. Their numbers are stored as 32-bit numbers, as all
// vectors.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <string>

#include "json/number.h"

namespace quarry {

/// Says which number is no whole number in [-128, 127], in Elasticsearch's wording; empty if all
/// are.
inline std::string no_bytes(std::span<const float> vector) {
  for (size_t dim = 0; dim < vector.size(); dim++) {
    const float value = vector[dim];
    const bool whole = std::trunc(value) == value;
    if (whole && value >= -128 && value <= 127) continue;
    return (whole ? "element_type [byte] vectors only support integers between [-128, 127] but "
                    "found ["
                  : "element_type [byte] vectors only support non-decimal values but found decimal "
                    "value [") +
           format_float(value) + "] at dim [" + std::to_string(dim) + "]";
  }
  return {};
}

}  // namespace quarry
