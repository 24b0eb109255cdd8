// The terms of rank features: the name of the feature (empty for a rank_feature field), a zero byte
// and the value in three bytes, whose order is that of the values. A value keeps the leading 17
// bits of its float, about three digits, as in Lucene's FeatureField.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"

namespace quarry {

/// The code of a value, which is also Lucene's term frequency for it. The error is that the value
/// is no positive normal float; it calls the value that of `feature` on `field`.
Result<uint32_t> encode_feature(float value, std::string_view feature, std::string_view field);
float decode_feature(uint32_t code) noexcept;
/// Reads a number, or a string of one, as a float.
Result<float> parse_feature(std::string_view text);

/// What the terms of a feature start with.
std::string feature_prefix(std::string_view feature);
std::string feature_term(std::string_view feature, uint32_t code);
/// The code of a term; a damaged term yields some code.
uint32_t feature_code(std::string_view term) noexcept;

}  // namespace quarry
