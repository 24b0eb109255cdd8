// Numbers in their JSON spelling: to double, from double, and compared as Elasticsearch's maps
// compare them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace quarry {

/// The nearest double of a decimal spelling ("1.5", "-2e3", "+1", "1."; also "NaN" and "Infinity",
/// as Java reads them); beyond the range of doubles an infinity. Nothing for other text.
std::optional<double> parse_double(std::string_view text) noexcept;

/// Shortest decimal that reads back as `value`, as Java prints doubles: "1.0", "1.0E10", "-0.5";
/// NaN and infinities by name.
std::string format_double(double value);
/// The same for a float widened to double: the shortest that reads back as the float.
std::string format_float(float value);

/// Integers by value, fractions (anything with . or an exponent) by value, but never one with the
/// other: 1 is not 1.0.
bool same_json_number(std::string_view a, std::string_view b) noexcept;

}  // namespace quarry
