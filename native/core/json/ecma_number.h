// Numbers as ECMAScript prints them, for texts that are compared with those of JSON.stringify.
#pragma once

#include <string>

namespace quarry {

/// Appends the fewest digits that read back as `value`, which is finite, in the form of ECMAScript's Number::toString
/// (6.1.6.1.20): "1", "0.000001", "1e-7", "1e+21"; zero is "0", whatever its sign.
void append_ecma_number(std::string& out, double value);
/// The fewest digits that read back as the float: "0.1".
void append_ecma_number(std::string& out, float value);

}  // namespace quarry
