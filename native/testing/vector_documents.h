// Seeded documents with vectors for tests, as floats and as JSON.
#pragma once

#include <charconv>
#include <string>
#include <vector>

#include "base/random.h"

namespace quarry::testing {

/// Numbers between -1 and 1 with six decimals, so that their JSON is exact.
inline std::vector<float> random_vector(Random& random, uint32_t dims) {
  std::vector<float> vector(dims);
  for (float& value : vector) {
    value = static_cast<float>((static_cast<double>(random.below(2000001)) - 1e6) / 1e6);
  }
  return vector;
}

inline std::string vector_json(const std::vector<float>& vector) {
  std::string json = "[";
  for (const float value : vector) {
    if (json.size() > 1) json += ',';
    char buffer[32];
    json.append(buffer, std::to_chars(buffer, buffer + sizeof(buffer), value).ptr);
  }
  return json + "]";
}

}  // namespace quarry::testing
