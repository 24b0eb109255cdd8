// Numbers in their JSON spelling: conversion to and from double, and the comparison of
// Elasticsearch's maps.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace quarry {

/// The double nearest to a decimal spelling ("1.5", "-2e3", "+1", "1."; also "NaN" and "Infinity",
/// as in Java); an infinity beyond the range of doubles. Empty for other text.
std::optional<double> parse_double(std::string_view text) noexcept;

/// The shortest decimal that reads back as `value`, as Java prints doubles: "1.0", "1.0E10",
/// "-0.5"; NaN and infinities by name.
std::string format_double(double value);
/// The same for a float widened to double: the shortest decimal that reads back as the float.
std::string format_float(float value);

/// Whether two numbers are equal: integers by value, fractions (with a point or an exponent) by
/// value, but an integer never equals a fraction: 1 is not 1.0.
bool same_json_number(std::string_view a, std::string_view b) noexcept;

}  // namespace quarry
