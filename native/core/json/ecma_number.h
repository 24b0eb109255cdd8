// Prints numbers as ECMAScript does, for strings that are compared with the output of
// JSON.stringify.
#pragma once

#include <string>

namespace quarry {

/// Appends the shortest decimal that reads back as `value`, which is finite, in the form of
/// ECMAScript's Number::toString (6.1.6.1.20): "1", "0.000001", "1e-7", "1e+21"; both zeros are
/// "0".
void append_ecma_number(std::string& out, double value);
/// The shortest decimal that reads back as the float: "0.1".
void append_ecma_number(std::string& out, float value);

}  // namespace quarry
