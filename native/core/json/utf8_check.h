// Whether bytes are valid UTF-8, at memory speed: the one place that includes simdjson.
#pragma once

#include <string_view>

namespace quarry {

/// No overlong forms, no surrogates, nothing above U+10FFFF, nothing cut off.
bool valid_utf8(std::string_view text) noexcept;

}  // namespace quarry
